"""Figures of a detector: area under the ROC curve, and sensitivity at a demanded specificity."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError

SPECIFICITIES = (0.95, 0.90, 0.80)
"""Where sensitivity is reported (Laiz et al. 2020, section 3.3.2)."""


def _checked(
    positive: NDArray[np.bool_], scores: NDArray[np.floating]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores of the positives and of the negatives, sorted, as float64."""
    if positive.ndim != 1 or positive.shape != scores.shape:
        raise ValueError(f"truth and scores must both be (N,), got {positive.shape} and {scores.shape}")
    values = scores.astype(np.float64)
    if not np.isfinite(values).all():
        raise UserError("Some scores are not finite numbers.", "The model has diverged; train with a lower rate.")
    return np.sort(values[positive.astype(bool)]), np.sort(values[~positive.astype(bool)])


def auc(positive: NDArray[np.bool_], scores: NDArray[np.floating]) -> float | None:
    """Area under the ROC curve: the chance that a positive scores above a negative, ties counting half.

    Args:
        positive: (N,) bool.
        scores: (N,) float.

    Returns:
        In [0, 1]; None where there is no positive or no negative.
    """
    ours, theirs = _checked(positive, scores)
    if not len(ours) or not len(theirs):
        return None
    below = np.searchsorted(theirs, ours, side="left")
    not_above = np.searchsorted(theirs, ours, side="right")
    return float((below + not_above).sum() / (2.0 * len(ours) * len(theirs)))


def threshold_at(negatives: NDArray[np.floating], specificity: float) -> float:
    """The lowest threshold at which at least this share of the negatives (N,) scores below it; inf where none does.

    A frame is flagged at and above the threshold.
    """
    ordered = np.sort(negatives.astype(np.float64))
    # The number of negatives that may be flagged; the nudge keeps 0.95 * 20 from becoming 20 by a rounding error.
    spare = len(ordered) - int(np.ceil(specificity * len(ordered) - 1e-9))
    if spare >= len(ordered):
        return -np.inf
    highest_unflagged = ordered[len(ordered) - spare - 1]
    return float(np.nextafter(highest_unflagged, np.inf))


def sensitivity_at(positive: NDArray[np.bool_], scores: NDArray[np.floating], specificity: float) -> float | None:
    """The largest share of positives (N,) that can be flagged while the specificity is at least the given one.

    None where there is no positive or no negative.
    """
    ours, theirs = _checked(positive, scores)
    if not len(ours) or not len(theirs):
        return None
    return float((ours >= threshold_at(theirs, specificity)).mean())


def frames_of_class(
    number: int,
    labels: NDArray[np.int64],
    column: NDArray[Any],
    absent: NDArray[np.int64] | None = None,
    absent_column: NDArray[Any] | None = None,
) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """The frames by which a class is evaluated: its own, the normal ones, and those on which it is not there.

    Args:
        number: of the class; 0, normal, is evaluated by all labelled frames.
        labels: (M,) class of each frame, 0 is normal.
        column: (M,) what is wanted of the frames, such as their scores.
        absent: (N,) of further frames the class that is not there.
        absent_column: (N,) the same of these.

    Returns:
        Whether the class is there, and what is wanted, of each of these frames.
    """
    used = (labels == 0) | (labels == number) if number else np.ones(len(labels), bool)
    positive, wanted = labels[used] == number, column[used]
    if number and absent is not None and absent_column is not None:
        more = absent == number
        positive, wanted = np.append(positive, np.zeros(int(more.sum()), bool)), np.append(wanted, absent_column[more])
    return positive, wanted
