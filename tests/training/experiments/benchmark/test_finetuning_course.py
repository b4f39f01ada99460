"""How long a finetuning takes: the paper's epochs by the share of the labels, or the steps of a small budget."""

from dataclasses import replace

import pytest

from training.experiments.benchmark.comparison import (
    EVALUATIONS,
    LARGEST_BATCH,
    PAPER,
    SMALL,
    SMOKE,
    Comparison,
    finetuning_course,
)
from training.experiments.benchmark.plan import FORWARD, Finetunings


@pytest.mark.parametrize(("share", "epochs"), [(0.01, 100), (0.1, 200), (1.0, 300)])
def test_the_papers_budget_takes_the_papers_epochs_and_is_judged_after_each(share: float, epochs: int) -> None:
    frames = 3200
    course = finetuning_course(PAPER, share, frames)
    assert course.epochs == epochs
    assert course.steps == epochs * frames // LARGEST_BATCH
    assert sorted(course.evaluated_after) == [100 * number for number in range(1, epochs + 1)]
    shorter = finetuning_course(replace(PAPER, epochs_factor=0.1), share, frames)
    assert (shorter.epochs, shorter.steps) == (epochs // 10, course.steps // 10)


@pytest.mark.parametrize("comparison", [SMALL, SMOKE], ids=["small", "smoke"])
def test_smaller_budgets_take_the_same_steps_whatever_the_share(comparison: Comparison) -> None:
    courses = [finetuning_course(comparison, share, round(share * 1500)) for share in (0.01, 0.1, 1.0)]
    assert courses[0] == courses[1] == courses[2]
    assert (courses[0].steps, courses[0].epochs) == (comparison.finetune_steps, None)
    assert courses[0].batch == min(comparison.batch, LARGEST_BATCH)


def test_fixed_steps_are_judged_in_equal_parts_up_to_the_last() -> None:
    assert sorted(finetuning_course(SMALL, 1.0, 1500).evaluated_after) == [40, 80, 120, 160, 200]
    assert sorted(finetuning_course(replace(SMALL, finetune_steps=2), 1.0, 9).evaluated_after) == [1, 2]
    assert sorted(finetuning_course(replace(SMALL, finetune_steps=1), 1.0, 9).evaluated_after) == [1]


def test_an_epoch_shorter_than_a_step_is_judged_after_that_step() -> None:
    course = finetuning_course(PAPER, 0.01, 3)
    assert course.steps == round(100 * 3 / LARGEST_BATCH) == 9
    assert sorted(course.evaluated_after) == list(range(1, 10))


def test_frames_for_estimates() -> None:
    def frames(comparison: Comparison, share: float, training: int, looked_at: int = 0) -> float:
        return Finetunings((share,), training, looked_at).frames(comparison)

    assert frames(SMALL, 0.1, 1500) == frames(SMALL, 1.0, 9000) == 200 * 32
    assert frames(PAPER, 1.0, 3200) == 300 * 3200
    assert frames(PAPER, 0.1, 3200) == 200 * 320
    assert frames(PAPER, 0.01, 10) > 0, "a share of which not a single frame is left learns from one"
    assert frames(SMALL, 1.0, 1500, 700) == pytest.approx(200 * 32 + FORWARD * EVALUATIONS * 700)
    assert frames(PAPER, 0.1, 3200, 700) == pytest.approx(200 * 320 + FORWARD * 200 * 700)
