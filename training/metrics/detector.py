"""Figures of a detector: area under the ROC curve, also pooled with an interval, and sensitivity at a specificity."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError

SPECIFICITIES = (0.95, 0.90, 0.80)
"""Where sensitivity is reported (Laiz et al. 2020, section 3.3.2)."""
LEVEL = 0.95
"""Of percentile intervals."""


def _sorted_scores(
    positive: NDArray[np.bool_], scores: NDArray[np.floating]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores of the positives and of the negatives, sorted, as float64."""
    values = scores.astype(np.float64)
    if not np.isfinite(values).all():
        raise UserError("Some scores are not finite numbers.", "The model has diverged; train with a lower rate.")
    return np.sort(values[positive.astype(bool)]), np.sort(values[~positive.astype(bool)])


def auc(positive: NDArray[np.bool_], scores: NDArray[np.floating]) -> float | None:
    """Area under the ROC curve: the chance that a positive scores above a negative, ties counting half.

    In [0, 1]; None where there is no positive or no negative.
    """
    ours, theirs = _sorted_scores(positive, scores)
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
    ours, theirs = _sorted_scores(positive, scores)
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
    """Whether a class is there, and what is wanted, of the frames by which it is evaluated.

    They are its own, the normal ones, and those on which it is not there; of 0, normal, all labelled frames.

    Args:
        labels: (M,) class of each frame, 0 is normal.
        column: (M,) what is wanted of the frames, such as their scores.
        absent: (N,) of further frames the class that is not there.
        absent_column: (N,) the same of these.
    """
    used = (labels == 0) | (labels == number) if number else np.ones(len(labels), bool)
    positive, wanted = labels[used] == number, column[used]
    if number and absent is not None and absent_column is not None:
        more = absent == number
        positive, wanted = np.append(positive, np.zeros(int(more.sum()), bool)), np.append(wanted, absent_column[more])
    return positive, wanted


def each_frame_once(
    labels: NDArray[np.int64], frame: NDArray[np.int64] | None, classes: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(K,) a row of each frame, ascending, and (K, classes) the classes that the frame has.

    `labels` (M,) are the classes of rows, `frame` (M,) the numbers of their frames; None: each row is a frame.
    """
    if frame is None:
        frame = np.arange(len(labels))
    _, rows, place = np.unique(frame, return_index=True, return_inverse=True)
    carried = np.zeros((len(rows), classes), dtype=bool)
    carried[place, labels] = True
    order = np.argsort(rows)
    return rows[order], carried[order]


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
    """Count the pairs of scores (M,) whose patients are numbered from 0 to P - 1."""
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
) -> Interval:
    """AUC over all held-out frames, the mean over the seeds, with a bootstrap interval over patients.

    Scores of different folds come from different models and are compared as they are.

    Args:
        tracks: for each seed (M,) out-of-fold scores.
        patients: (M,) who is drawn, with replacement, whole.
        bootstraps: draws; 0: no interval. Draws without a positive or without a negative are left out.
    """
    _, patient = np.unique(patients, return_inverse=True)
    tables = [patient_pairs(positive, track, patient.astype(np.int64)) for track in tracks]
    return drawn_interval(
        lambda drawn: mean_of([table.auc(drawn) for table in tables]), len(tables[0].positives), bootstraps, seed
    )


def drawn_interval(
    figure: Callable[[NDArray[np.float64]], float | None], count: int, bootstraps: int, seed: int
) -> Interval:
    """A figure, and its 95 % interval from drawing so many patients with replacement; a single one has none.

    `figure` takes how often each of them stands in a draw; draws of which it gives None are left out.
    """
    size = bootstraps if count > 1 else 0
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=size)
    known = [result for row in drawn.astype(np.float64) if (result := figure(row)) is not None]
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist() if known else (None, None)
    return Interval(figure(np.ones(count)), low, high)


def mean_of(values: Iterable[float | None]) -> float | None:
    """The mean of those that are known."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
