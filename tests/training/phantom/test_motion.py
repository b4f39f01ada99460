"""The capsule goes through all regions, rests, slips back, and never back through a valve."""

import numpy as np
import pytest

from training.phantom.motion import Motion, _to_and_fro, make_motion
from training.phantom.patient import PhantomConfig, make_anatomy


def _motion(frames: int, seed: int, *, places: bool = False) -> tuple[Motion, list[int]]:
    config = PhantomConfig(frames=frames, seed=seed, places=places)
    anatomy = make_anatomy(config)
    motion = make_motion(config, anatomy, 0.2)
    return motion, [anatomy.region_at(float(depth)) for depth in motion.depth]


@pytest.mark.parametrize("frames", [2, 3, 10, 60, 500, 3000])
@pytest.mark.parametrize(("seed", "places"), [(0, False), (1, False), (0, True), (1, True)])
def test_every_series_has_one_finite_value_a_frame(frames: int, seed: int, places: bool) -> None:
    motion, _ = _motion(frames, seed, places=places)
    for name, values in vars(motion).items():
        assert values.shape == (frames,), name
        assert np.isfinite(values).all(), name


@pytest.mark.parametrize("places", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_regions_come_in_order_and_all_come(seed: int, places: bool) -> None:
    _, regions = _motion(120, seed, places=places)
    assert sorted(set(regions)) == [0, 1, 2]
    assert regions == sorted(regions)


def test_it_rests_and_slips_back() -> None:
    motion, _ = _motion(3000, 0)
    assert (np.abs(motion.speed) < 0.005).mean() > 0.1
    assert (motion.speed < -0.02).mean() > 0.02
    assert motion.depth[-1] > 0.95 * motion.depth.max()


def test_a_share_of_the_frames_is_held_still_where_asked() -> None:
    config = PhantomConfig(frames=1000, seed=3, rest_share=0.6)
    motion = make_motion(config, make_anatomy(config), 0.2)
    for name, values in vars(motion).items():
        assert values.shape == (1000,), name
    held = np.ones(999, dtype=bool)
    for name, values in vars(motion).items():
        held &= (np.diff(values) == 0) | (name == "speed")
    assert 0.58 < held.mean() < 0.62
    assert (motion.speed[1:][held] == 0).all()
    assert sorted({make_anatomy(config).region_at(float(depth)) for depth in motion.depth}) == [0, 1, 2]


def test_real_speed_in_long_studies() -> None:
    motion, _ = _motion(3000, 0)
    assert 0.02 < motion.depth[-1] / 3000 < 0.06  # units of 12 mm: metres of bowel in hours


@pytest.mark.parametrize("turns", [1, 4])
def test_a_pass_over_different_places_turns_back_in_each_region(turns: int) -> None:
    """With one turn a place comes three times at some distance, without slipping back."""
    turned = np.array([_to_and_fro(np.random.default_rng(seed), np.linspace(0, 1, 500), turns) for seed in range(20)])
    assert turned[:, 0] == pytest.approx(0)
    assert turned[:, -1] == pytest.approx(1)
    assert ((turned >= 0) & (turned <= 1)).all()
    signs = np.sign(np.diff(turned))
    assert np.abs(np.diff(signs, axis=1)).sum(axis=1) / 2 == pytest.approx(2 * turns)
    for way in turned:  # slowly, step by step: each stretch of the way is at least a fifth of the region
        ends = way[np.flatnonzero(np.diff(np.sign(np.diff(way)))) + 1]
        assert (np.abs(np.diff([0, *ends, 1])) > 0.05).all()
        assert (np.abs(np.diff(ends)) >= 0.2).all()
