"""Slow capsules with many frames, and lesions that colours do not distinguish."""

from dataclasses import replace

import numpy as np
import pytest

from training.phantom.lesions import PITS, Lesion
from training.phantom.motion import make_steps
from training.phantom.paint import make_pits
from training.phantom.patient import PhantomConfig
from training.phantom.plan import make_plan

ALIKE = PhantomConfig(frames=240, seed=3, size_px=48, positive_share=0.5, frames_per_second=10, speed=0.5, alike=True)


def test_more_frames_show_the_same_motion_in_smaller_steps() -> None:
    plan = make_plan(replace(ALIKE, speed=1.0))
    steps = make_steps(plan.config, plan.anatomy, plan.patient.fluid_share)
    assert plan.config.steps == len(steps.depth) == 48
    assert len(plan.motion.depth) == 240
    assert plan.motion.depth[[0, -1]] == pytest.approx(steps.depth[[0, -1]])
    before = (np.arange(240) * 47 / 239).astype(int)
    low, high = (
        choose(steps.depth[before], steps.depth[np.minimum(before + 1, 47)]) for choose in (np.minimum, np.maximum)
    )
    assert ((low - 1e-9 <= plan.motion.depth) & (plan.motion.depth <= high + 1e-9)).all()
    assert np.abs(np.diff(plan.motion.depth)).max() < np.abs(np.diff(steps.depth)).max() / 4


def test_the_usual_rate_and_speed_have_a_step_a_frame() -> None:
    config = PhantomConfig(frames=50)
    plan = make_plan(config)
    assert config.steps == 50
    assert np.array_equal(plan.motion.depth, make_steps(config, plan.anatomy, plan.patient.fluid_share).depth)


def test_a_slow_capsule_passes_a_shorter_tube() -> None:
    usual, slow = (make_plan(replace(ALIKE, positive_share=0.0, speed=speed)).anatomy for speed in (1.0, 0.5))
    assert slow.borders[3] == pytest.approx(usual.borders[3] / 2)


def test_lesions_that_look_alike_share_their_colours_and_have_pits_of_their_own() -> None:
    lesions = make_plan(ALIKE).lesions
    assert len(lesions) >= 2
    assert {lesion.kind for lesion in lesions} == {"polyp"}
    assert len({lesion.colours_seed for lesion in lesions}) == 1
    assert len({lesion.looks_seed for lesion in lesions}) == len(lesions)
    assert {lesion.pits for lesion in lesions} <= set(PITS)
    other = make_plan(replace(ALIKE, patient=1)).lesions
    assert other[0].colours_seed != lesions[0].colours_seed
    usual = make_plan(replace(ALIKE, alike=False)).lesions
    assert {(lesion.colours_seed, lesion.pits) for lesion in usual} == {(None, "")}


@pytest.mark.parametrize("pits", PITS)
def test_pits_take_the_same_share_of_every_surface(pits: str) -> None:
    line = np.linspace(-1, 1, 120)
    made = [make_pits(Lesion("", "polyp", 8.0, "sessile", 5.0, 1.0, seed, 1, pits), line, line) for seed in range(12)]
    assert all(each.min() >= 0 and each.max() <= 1 for each in made)
    assert np.mean([each.mean() for each in made]) == pytest.approx(0.35, abs=0.05)
    assert np.abs(made[0] - made[1]).mean() > 0.2
    again = make_pits(Lesion("", "polyp", 8.0, "sessile", 5.0, 1.0, 0, 1, pits), line, line)
    assert np.array_equal(again, made[0])
