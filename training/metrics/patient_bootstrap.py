"""Figures of a detector where whole patients are drawn with replacement: percentile bootstrap (Efron, Tibshirani 1993).

Frames of one patient are alike, so patients are drawn, not frames. Equal frames and seeds give equal draws, so two
scorings of the same frames can be compared draw by draw.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import LEVEL, SPECIFICITIES


def drawn_patients(patients: int, bootstraps: int, seed: int) -> NDArray[np.float64]:
    """(1 + bootstraps, patients) how often each patient stands in a draw with replacement; first each once."""
    rng = np.random.default_rng(seed)
    draws = rng.multinomial(patients, np.full(patients, 1 / patients), size=bootstraps).astype(np.float64)
    return np.concatenate([np.ones((1, patients)), draws])


def with_interval(values: NDArray[np.float64], name: str = "mean") -> dict[str, float | None]:
    """The first value, and the 95 % interval of the others; NaN is left out."""
    drawn = values[1:][~np.isnan(values[1:])]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail)).tolist() if len(drawn) else (None, None)
    return {name: None if np.isnan(values[0]) else float(values[0]), "low": low, "high": high}


class RankedScores:
    """Scores (M,) sorted once, of frames that are positive (M,) or not; frames of equal score form a group."""

    def __init__(
        self, positive: NDArray[np.bool_], scores: NDArray[np.floating], levels: Sequence[float] = SPECIFICITIES
    ) -> None:
        """`levels`: specificities at which sensitivity is wanted."""
        self._order = np.argsort(scores, kind="stable")
        self._levels = levels
        ordered = scores[self._order]
        self._positive = positive[self._order]
        self._starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))

    def figures(self, weights: NDArray[np.number[Any]]) -> dict[str, float] | None:
        """The figures where frame m counts weights[m] times (M,), each as in `training.metrics.protocol.fold_figures`.

        Returns:
            auc, average_precision and sensitivity_at_95 for the level 0.95 and so on; None without a positive or
            without a negative frame.
        """
        counts = weights[self._order]
        positives = np.add.reduceat(counts * self._positive, self._starts)
        negatives = np.add.reduceat(counts * ~self._positive, self._starts)
        result, others = positives.sum(), negatives.sum()
        if not result or not others:
            return None
        below = np.cumsum(negatives) - negatives
        hits = np.cumsum(positives[::-1])[::-1]
        flagged = hits + others - below
        precision = np.divide(hits, flagged, out=np.zeros(len(hits)), where=flagged > 0)
        figures = {
            "auc": float((positives * (below + negatives / 2.0)).sum() / (result * others)),
            "average_precision": float((positives * precision).sum() / result),
        }
        for level in self._levels:
            spare = others - np.ceil(level * others - 1e-9)
            figures[f"sensitivity_at_{100 * level:.0f}"] = float(positives[others - below <= spare].sum() / result)
        return figures

    def drawn(self, owner: NDArray[np.int64], drawn: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Figure -> (D,) in each draw (D, P) of the patients `owner` (M,), numbered from 0; NaN where there is none."""
        rows = [self.figures(times[owner]) for times in drawn]
        names = next((list(row) for row in rows if row), [])
        return {name: np.array([row[name] if row else np.nan for row in rows]) for name in names}
