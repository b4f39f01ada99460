"""What becomes of each figure when the evaluated normal frames outnumber the others 1, 10, 25, 50, 100 times.

Only the evaluated frames are drawn, after the training: AUC does not depend on their ratio, the other figures do. In
Figure 13 of Laiz et al. 2020 the training has the ratio too: see `training.evaluation.imbalanced_set`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.detector import auc
from training.metrics.protocol import any_track, decided, mean_and_deviation, table_figures

DEGREES = (1, 10, 25, 50, 100)


def average_precision(positive: NDArray[np.bool_], track: NDArray[np.floating]) -> float | None:
    """Area under the precision-recall steps, as scikit-learn's `average_precision_score`; None without positives."""
    if not positive.any():
        return None
    order = np.argsort(-track.astype(np.float64), kind="stable")
    hits = np.cumsum(positive[order])
    last = np.append(np.diff(track[order]) != 0, True)  # ties are taken as one step
    precision = hits[last] / (np.flatnonzero(last) + 1)
    recall = hits[last] / hits[-1]
    return float(np.sum(np.diff(recall, prepend=0.0) * precision))


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
    """Mean and deviation of each figure over trainings and draws.

    Args:
        evaluated: labels (m,) and scores (m, C) of what each training held out.
        repeats: draws for each training (the paper's ten).
        seed: of the draws.

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
                    drawn.append(_figures(labels[chosen], scores[chosen]))
                    sizes.append(len(chosen) // (degree + 1))
        names = ("auc", "average_precision", "f1", "mcc", "accuracy")
        figures = {name: mean_and_deviation([row[name] for row in drawn]) for name in names}
        rows.append(
            {"degree": degree, "draws": len(drawn), "positives": float(np.mean(sizes)) if sizes else 0.0, **figures}
        )
    return rows


def _figures(labels: NDArray[np.int64], scores: NDArray[np.floating]) -> dict[str, float | None]:
    positive, track = labels > 0, any_track(scores)
    table = table_figures(positive, decided(scores) > 0)
    return {"auc": auc(positive, track), "average_precision": average_precision(positive, track), **table}
