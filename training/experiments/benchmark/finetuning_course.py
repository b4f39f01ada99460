"""How long a full finetuning takes and when it is evaluated: the paper's epochs, or the steps of a smaller budget.

Vats et al. 2022 finetune for 100, 200 and 300 epochs of 1, 10 and 100 % of the labels and report the checkpoint that
does best on the validation set. The budget `paper` does so and evaluates after each epoch. Ours, for two cores: the
smaller budgets take the same few steps whatever the share, and are evaluated five times at equal intervals.
"""

from dataclasses import dataclass

from training.experiments.benchmark.comparison import Comparison

EVALUATIONS = 5
"""How often a finetuning of a fixed number of steps is evaluated, including the last step (ours)."""
LARGEST_BATCH = 32
"""Frames of a step at most (ours; the paper names a batch for its pretraining only)."""


@dataclass(frozen=True)
class FinetuningCourse:
    """The course of one finetuning."""

    steps: int
    batch: int
    """Frames of a step."""
    epochs: int | None
    """None where the budget fixes the steps."""
    evaluated_after: frozenset[int]
    """Steps done (from 1) after which it is evaluated; the last one is always among them."""


def finetuning_course(comparison: Comparison, share: float, frames: int) -> FinetuningCourse:
    """The course of a finetuning that learns from `frames` frames, which are `share` of the labels.

    An epoch draws every training frame once.

    Args:
        comparison: budget; its `finetune_steps`, where given, win over the paper's epochs.
        share: of the labels, in (0, 1].
        frames: number of training frames, at least 1.
    """
    batch = min(comparison.batch, LARGEST_BATCH)
    if comparison.finetune_steps is not None:
        steps, epochs, times = comparison.finetune_steps, None, EVALUATIONS
    else:
        epochs = times = epochs_of(share, comparison.epochs_factor)
        steps = max(1, round(epochs * frames / batch))
    parts = {round(steps * number / times) for number in range(1, times + 1)}
    return FinetuningCourse(steps, batch, epochs, frozenset(parts - {0}))


EPOCHS = {0.01: 100, 0.1: 200, 1.0: 300}
"""Share of the labels -> epochs (Vats et al. 2022).

The paper found these numbers on the validation set of CAD-CAP and takes them for all data sets, where it then reports
the checkpoint with the best validation accuracy of that data set. Here too: the numbers are the paper's whatever the
data, and the best checkpoint is chosen on the frames of the data at hand. The search for the numbers is not repeated:
a benchmark has one data set, so the others' numbers could not come from CAD-CAP.
"""


def epochs_of(share: float, factor: float = 1.0) -> int:
    """Epochs of a share of the labels: the paper's for 1, 10 and 100 %, in between those of the next smaller (ours).

    Args:
        share: of the labels, in (0, 1].
        factor: of the paper's epochs; below 1 only to try things out.

    Returns:
        At least 1.
    """
    known = max((given for given in EPOCHS if given <= share + 1e-9), default=min(EPOCHS))
    return max(1, round(EPOCHS[known] * factor))
