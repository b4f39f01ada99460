"""ROC curves: one for each training, and their mean at the same false positive rates."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.protocol import any_track

GRID = 101
"""False positive rates from 0 to 1 at which curves are kept."""


def roc_points(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> tuple[NDArray[Any], NDArray[Any]]:
    """False and true positive rates (K,), both from 0 to 1, at every threshold that changes something."""
    order = np.argsort(-track.astype(np.float64), kind="stable")
    last = np.append(np.diff(track[order]) != 0, True)
    true, false = np.cumsum(positive[order])[last], np.cumsum(~positive[order])[last]
    return np.concatenate([[0.0], false / false[-1]]), np.concatenate([[0.0], true / true[-1]])


def on_grid(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> NDArray[np.float64] | None:
    """(GRID,) true positive rate at each rate of the grid, straight lines between points; None without both kinds."""
    if positive.all() or not positive.any():
        return None
    false, true = roc_points(positive, track)
    upper = np.append(np.diff(false) > 0, True)  # of a vertical step the upper end counts
    return np.asarray(np.interp(np.linspace(0, 1, GRID), false[upper], true[upper]), np.float64)


def roc_report(evaluated: Sequence[tuple[NDArray[np.int64], NDArray[np.floating]]]) -> dict[str, Any]:
    """Curves of "not normal" for each training, with mean and deviation.

    Args:
        evaluated: labels (m,) and scores (m, C) of what each training held out.
    """
    curves = [curve for labels, scores in evaluated if (curve := on_grid(labels > 0, any_track(scores))) is not None]
    stack = np.stack(curves) if curves else np.zeros((0, GRID))
    deviation = stack.std(axis=0, ddof=1) if len(stack) > 1 else np.zeros(GRID if len(stack) else 0)  # n - 1
    rounded = [[round(float(value), 5) for value in curve] for curve in stack]
    return {
        "false_positive_rate": [round(float(value), 4) for value in np.linspace(0, 1, GRID)],
        "trainings": rounded,
        "mean": [round(float(value), 5) for value in stack.mean(axis=0)] if len(stack) else [],
        "deviation": [round(float(value), 5) for value in deviation],
    }
