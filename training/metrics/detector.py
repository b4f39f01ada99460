"""Figures of a detector: area under the ROC curve, and sensitivity at a demanded specificity."""

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
