"""The AUC of all held-out frames together, with an interval that comes from drawing patients, not frames."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Interval(NamedTuple):
    """A figure with its percentile interval."""

    value: float | None
    low: float | None
    high: float | None


class PatientPairs(NamedTuple):
    """What any draw of patients needs of the frames: the AUC is a quotient of two forms in the drawn numbers."""

    wins: NDArray[np.float64]
    """(P, P): pairs of a positive of patient p and a negative of patient q in which the positive scores higher; ties
    count half."""
    positives: NDArray[np.float64]
    """(P,)"""
    negatives: NDArray[np.float64]
    """(P,)"""

    def auc(self, drawn: NDArray[np.float64]) -> float | None:
        """AUC when patient p stands in the set drawn[p] times; None without positives or negatives."""
        pairs = (drawn @ self.positives) * (drawn @ self.negatives)
        return float(drawn @ self.wins @ drawn / pairs) if pairs else None


def patient_pairs(positive: NDArray[np.bool_], track: NDArray[np.floating], patient: NDArray[np.int64]) -> PatientPairs:
    """Count the pairs.

    Args:
        positive: (M,).
        track: (M,) scores.
        patient: (M,) numbers from 0 to P - 1.
    """
    count = int(patient.max(initial=-1)) + 1
    owner, ours = patient[positive], track[positive].astype(np.float64)
    wins = np.zeros((count, count))
    for other in range(count):
        theirs = np.sort(track[~positive & (patient == other)].astype(np.float64))
        won = (np.searchsorted(theirs, ours, "left") + np.searchsorted(theirs, ours, "right")) / 2
        wins[:, other] = np.bincount(owner, weights=won, minlength=count)
    return PatientPairs(
        wins,
        np.bincount(owner, minlength=count).astype(np.float64),
        np.bincount(patient[~positive], minlength=count).astype(np.float64),
    )


def pooled_auc(
    positive: NDArray[np.bool_],
    tracks: list[NDArray[np.floating]],
    patients: NDArray[np.str_],
    bootstraps: int,
    seed: int,
    level: float = 0.95,
) -> Interval:
    """AUC over all held-out frames, the mean over the seeds, with a bootstrap interval over patients.

    Scores of different folds come from different models and are compared as they are.

    Args:
        positive: (M,).
        tracks: for each seed (M,) out-of-fold scores.
        patients: (M,) who is drawn, with replacement, whole.
        bootstraps: draws; 0: no interval. Draws without a positive or without a negative are left out.
        seed: of the draws.
        level: of the percentile interval.
    """
    _, patient = np.unique(patients, return_inverse=True)
    tables = [patient_pairs(positive, track, patient.astype(np.int64)) for track in tracks]
    count = len(tables[0].positives)
    value = _mean(tables, np.ones(count))
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(count, np.full(count, 1 / count), size=bootstraps).astype(np.float64)
    known = [found for row in drawn if (found := _mean(tables, row)) is not None]
    if value is None or not known:
        return Interval(value, None, None)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(value, float(low), float(high))


def _mean(tables: list[PatientPairs], drawn: NDArray[np.float64]) -> float | None:
    values = [found for table in tables if (found := table.auc(drawn)) is not None]
    return float(np.mean(values)) if values else None
