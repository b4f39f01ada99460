"""The figures of one fold: AUC, sensitivities at a specificity, what follows from the decided class (Laiz, 3.3.2).

What becomes of each figure when the evaluated normal frames outnumber the others 1, 10, 25, 50, 100 times.

Only the evaluated frames are drawn, after the training: AUC does not depend on their ratio, the other figures do. In
Figure 13 of Laiz et al. 2020 the training has the ratio too: see `training.evaluation.evaluation_set`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import SPECIFICITIES, auc, each_frame_once, frames_of_class, sensitivity_at

Figure = float | None
"""None where the fold cannot say (no positive, no negative, an empty margin of the table)."""


def decided(scores: NDArray[np.floating]) -> NDArray[np.int64]:
    """(M,) the class with the highest of the scores (M, C); ties go to the class that comes first."""
    return np.asarray(scores.argmax(axis=1), np.int64)


def any_track(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """(M,) the score of "anything but normal": one minus the score of normal."""
    return 1.0 - scores[:, 0].astype(np.float64)


def fold_figures(
    labels: NDArray[np.int64], scores: NDArray[np.floating], frame: NDArray[np.int64] | None = None
) -> dict[str, Figure]:
    """Any class against normal, and p0.

    Args:
        frame: (M,) number of the frame of each row: a frame with several classes has a row for each, and counts once.
            None: each row is a frame.

    Returns:
        auc; sensitivity_at_95, _90, _80 (at the largest threshold that keeps that specificity on these very frames);
        average_precision;
        accuracy, sensitivity, specificity of "not normal" as decided by the highest score (ours: the papers name no
        threshold); p0, the share of frames
        whose class, or one of whose classes, was decided rightly (Pascual, Table 4); mcc and f1 of "not normal".
    """
    rows, carried = each_frame_once(labels, frame, scores.shape[1])
    positive, track, said = ~carried[:, 0], any_track(scores[rows]), decided(scores[rows])
    figures: dict[str, Figure] = {"auc": auc(positive, track)}
    for level in SPECIFICITIES:
        figures[f"sensitivity_at_{level * 100:.0f}"] = sensitivity_at(positive, track, level)
    figures["average_precision"] = average_precision(positive, track)
    figures |= table_figures(positive, said > 0)
    figures["p0"] = float(carried[np.arange(len(rows)), said].mean()) if len(rows) else None
    return figures


def class_table(
    names: Sequence[str],
    labels: NDArray[np.int64],
    scores: NDArray[np.floating],
    absent: NDArray[np.int64] | None = None,
    absent_scores: NDArray[np.floating] | None = None,
    frame: NDArray[np.int64] | None = None,
) -> dict[str, dict[str, Figure]]:
    """For each class but normal: AUC and sensitivities against the normal frames, F1 and MCC against all others.

    The last row is normal's own, all its figures against the frames of any other class (Pascual, Table 4, has one).
    Frames on which a class is not there, `absent` (N,) with scores (N, C), count as normal ones do for the AUC and the
    sensitivities of this class. F1 and MCC leave them out: which class would be right is not known. A frame with
    several classes is a positive of each and a negative of none of them; `frame`: see `fold_figures`.
    """
    once, carried = each_frame_once(labels, frame, len(names))
    said = decided(scores[once])
    rows: dict[str, dict[str, Figure]] = {}
    for number, name in [*list(enumerate(names))[1:], (0, names[0])]:
        others = None if absent_scores is None or absent is None or not len(absent) else absent_scores[:, number]
        used = slice(None) if number else once
        positive, track = frames_of_class(number, labels[used], scores[used, number], absent, others)
        row: dict[str, Figure] = {"auc": auc(positive, track)}
        for level in SPECIFICITIES:
            row[f"sensitivity_at_{level * 100:.0f}"] = sensitivity_at(positive, track, level)
        row["average_precision"] = average_precision(positive, track)
        rows[name] = row | table_figures(carried[:, number], said == number)
    return rows


def table_figures(positive: NDArray[np.bool_], flagged: NDArray[np.bool_]) -> dict[str, Figure]:
    """Accuracy, sensitivity, specificity, f1 and mcc of the 2 x 2 table (0 where a margin is empty, as everywhere)."""
    tp, fn = int((positive & flagged).sum()), int((positive & ~flagged).sum())
    fp, tn = int((~positive & flagged).sum()), int((~positive & ~flagged).sum())
    margins = float(tp + fp) * float(tp + fn) * float(tn + fp) * float(tn + fn)
    return {
        "accuracy": _ratio(tp + tn, tp + tn + fp + fn),
        "sensitivity": _ratio(tp, tp + fn),
        "specificity": _ratio(tn, tn + fp),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn),
        "mcc": (tp * tn - fp * fn) / margins**0.5 if margins else 0.0,
    }


def mean_and_deviation(values: Sequence[Figure]) -> dict[str, float | int | None]:
    """Mean and standard deviation (n - 1) of the figures that could be said; of one figure there is no deviation."""
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    return {
        "mean": float(known.mean()) if len(known) else None,
        "deviation": float(known.std(ddof=1)) if len(known) > 1 else None,
        "values": len(known),
    }


def _ratio(part: int, whole: int) -> Figure:
    return part / whole if whole else None


GRID = 101
"""False positive rates from 0 to 1 at which curves are kept."""


def roc_points(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> tuple[NDArray[Any], NDArray[Any]]:
    """False and true positive rates (K,), both from 0 to 1, at every threshold that changes something."""
    true, frames = _counted_above(positive, track)
    false = frames - true
    return np.concatenate([[0.0], false / false[-1]]), np.concatenate([[0.0], true / true[-1]])


def _counted_above(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> tuple[NDArray[Any], NDArray[Any]]:
    """(K,) positive frames and all frames at or above each threshold, from the highest; ties are taken as one step."""
    order = np.argsort(-track.astype(np.float64), kind="stable")
    last = np.append(np.diff(track[order]) != 0, True)
    return np.cumsum(positive[order])[last], np.flatnonzero(last) + 1


def on_grid(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> NDArray[np.float64] | None:
    """(GRID,) true positive rate at each rate of the grid, straight lines between points; None without both kinds."""
    if positive.all() or not positive.any():
        return None
    false, true = roc_points(positive, track)
    upper = np.append(np.diff(false) > 0, True)  # of a vertical step the upper end counts
    return np.asarray(np.interp(np.linspace(0, 1, GRID), false[upper], true[upper]), np.float64)


def precision_on_grid(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> NDArray[np.float64] | None:
    """(GRID,) the highest precision at each recall of the grid or above it; None without both kinds."""
    if positive.all() or not positive.any():
        return None
    hits, frames = _counted_above(positive, track)
    precision, recall = hits / frames, hits / hits[-1]
    best = np.maximum.accumulate(precision[::-1])[::-1]
    return np.asarray(best[np.searchsorted(recall, np.linspace(0, 1, GRID) - 1e-12)], np.float64)


def curve_report(
    evaluated: Sequence[tuple[NDArray[np.int64], NDArray[np.floating]]],
    curve_of: Callable[[NDArray[np.bool_], NDArray[np.floating]], NDArray[np.float64] | None] = on_grid,
) -> dict[str, Any]:
    """Curves of "not normal" for what each training held out, with mean and deviation.

    `curve_of` is `on_grid` (ROC: sensitivity over the false positive rate) or `precision_on_grid` (over the recall).
    """
    curves = [curve for labels, scores in evaluated if (curve := curve_of(labels > 0, any_track(scores))) is not None]
    stack = np.stack(curves) if curves else np.zeros((0, GRID))
    deviation = stack.std(axis=0, ddof=1) if len(stack) > 1 else np.zeros(GRID if len(stack) else 0)  # n - 1
    rounded = [[round(float(value), 5) for value in curve] for curve in stack]
    return {
        "across": [round(float(value), 4) for value in np.linspace(0, 1, GRID)],
        "trainings": rounded,
        "mean": [round(float(value), 5) for value in stack.mean(axis=0)] if len(stack) else [],
        "deviation": [round(float(value), 5) for value in deviation],
    }


def confusion(
    labels: NDArray[np.int64], scores: NDArray[np.floating], frame: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """(C, C) frames by their class (rows) and the class with the highest score; frames with several classes are left
    out. `frame`: see `fold_figures`."""
    rows, carried = each_frame_once(labels, frame, scores.shape[1])
    used = rows[carried.sum(axis=1) == 1]
    table = np.zeros((scores.shape[1], scores.shape[1]), np.int64)
    np.add.at(table, (labels[used], decided(scores[used])), 1)
    return table


DEGREES = (1, 10, 25, 50, 100)


def average_precision(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> float | None:
    """Area under the precision-recall steps, as scikit-learn's `average_precision_score`; None without positives."""
    if not positive.any():
        return None
    hits, frames = _counted_above(positive, track)
    return float(np.sum(np.diff(hits / hits[-1], prepend=0.0) * (hits / frames)))


def draw(positive: NDArray[np.bool_], degree: int, rng: np.random.Generator) -> NDArray[np.int64] | None:
    """Rows with `degree` normal frames for each other one, without repetition; fewer positives where normal frames
    would not do; None where there are fewer than `degree` normal frames."""
    ours, theirs = np.flatnonzero(positive), np.flatnonzero(~positive)
    count = min(len(ours), len(theirs) // degree)
    if not count:
        return None
    return np.concatenate([rng.choice(ours, count, replace=False), rng.choice(theirs, count * degree, replace=False)])


def imbalance_report(
    evaluated: Sequence[tuple[NDArray[np.int64], NDArray[np.floating]]], repeats: int, seed: int
) -> list[dict[str, Any]]:
    """Mean and deviation of each figure over trainings and draws, of which the paper has ten for each training.

    Returns:
        A row for each degree: degree, draws, positives (mean number in a draw), and auc, average_precision, f1, mcc,
        accuracy with mean and deviation; a degree for which no fold has enough normal frames has no draws.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for degree in DEGREES:
        drawn: list[dict[str, float | None]] = []
        sizes: list[int] = []
        for labels, scores in evaluated:
            for _ in range(repeats):
                chosen = draw(labels > 0, degree, rng)
                if chosen is not None:
                    positive, track = labels[chosen] > 0, any_track(scores[chosen])
                    ranked = {"auc": auc(positive, track), "average_precision": average_precision(positive, track)}
                    drawn.append(ranked | table_figures(positive, decided(scores[chosen]) > 0))
                    sizes.append(len(chosen) // (degree + 1))
        names = ("auc", "average_precision", "f1", "mcc", "accuracy")
        figures = {name: mean_and_deviation([row[name] for row in drawn]) for name in names}
        rows.append(
            {"degree": degree, "draws": len(drawn), "positives": float(np.mean(sizes)) if sizes else 0.0, **figures}
        )
    return rows
