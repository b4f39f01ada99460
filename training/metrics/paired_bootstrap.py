"""How sure the difference of two models is: a bootstrap over patients, both models on the same draws."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

DRAWS = 1000
LEVEL = 0.95
"""Share of the draws inside an interval."""
SPECIFICITY = 0.95
"""Where sensitivity is compared."""


def paired_intervals(
    positive: NDArray[np.bool_],
    patients: NDArray[np.str_],
    old: NDArray[np.floating],
    new: NDArray[np.floating],
    seed: int = 0,
) -> dict[str, list[float]] | None:
    """Intervals of the differences new minus old in AUC and in sensitivity at 95 % specificity.

    Percentile bootstrap (Efron and Tibshirani 1993) that draws patients, not frames: frames of one patient are alike.
    Draws without a positive or without a negative frame are left out. With few patients the intervals are narrow: of
    60 simulated pairs of equal models the verdict told 10 apart at 5 patients, 7 at 15 and 5 at 30.

    Args:
        positive: (M,) bool, at least one true and one false.
        patients: (M,) patient of each frame.
        old: (M,) scores of the old model.
        new: (M,) scores of the new model on the same frames.
        seed: of the draws.

    Returns:
        "auc" and "sensitivity", [low, high] each in [-1, 1]; None where no draw has both kinds of frames.
    """
    names, patient = np.unique(patients, return_inverse=True)
    generator = np.random.default_rng(seed)
    ranked = _Ranked(positive, old), _Ranked(positive, new)
    differences = []
    for _ in range(DRAWS):
        drawn = np.bincount(generator.integers(len(names), size=len(names)), minlength=len(names))[patient]
        before, after = (one.figures(drawn) for one in ranked)
        if before is not None and after is not None:
            differences.append((after[0] - before[0], after[1] - before[1]))
    if not differences:
        return None
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.quantile(np.array(differences), (tail, 1.0 - tail), axis=0)
    return {name: [float(low[k]), float(high[k])] for k, name in enumerate(("auc", "sensitivity"))}


class _Ranked:
    """Scores sorted once; frames of equal score form a group."""

    def __init__(self, positive: NDArray[np.bool_], scores: NDArray[np.floating]) -> None:
        self._order = np.argsort(scores, kind="stable")
        ordered = scores[self._order]
        self._positive = positive[self._order]
        self._starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))

    def figures(self, weights: NDArray[np.integer[Any]]) -> tuple[float, float] | None:
        """AUC and sensitivity (see `training.metrics.detector`) where frame m counts weights[m] times."""
        counts = weights[self._order]
        positives = np.add.reduceat(counts * self._positive, self._starts)
        negatives = np.add.reduceat(counts * ~self._positive, self._starts)
        found, others = int(positives.sum()), int(negatives.sum())
        if not found or not others:
            return None
        below = np.cumsum(negatives) - negatives
        area = float((positives * (below + negatives / 2.0)).sum()) / (found * others)
        spare = others - int(np.ceil(SPECIFICITY * others - 1e-9))
        return area, float(positives[others - below <= spare].sum()) / found
