"""How alike two tracklets of a procedure are, by five techniques, and how well that separates the same findings.

Table 1 of Intrator et al. 2023. A distance is one less the cosine of two vectors, in [0, 2]; a similarity is one less a
distance, in [-1, 1], and higher means the same finding. "min" is so the similarity of the two most alike frames, "max"
that of the two least alike: the paper speaks of the minimum, maximum and mean of distances (section 2.1).
"""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.metrics import detector, protocol
from training.reidentification.config import TrackletTable
from training.reidentification.views import Crops
from training.texts import Text

Technique = Literal["min", "max", "mean", "averaging", "joint"]
TECHNIQUES: tuple[Technique, ...] = get_args(Technique)
"""In the order of Table 1; the first three take the embeddings of single frames, the last one a vector a tracklet."""

_OF_DISTANCES: dict[Technique, Callable[[NDArray[np.float64]], np.floating]] = {
    "min": np.min,
    "max": np.max,
    "mean": np.mean,
}


def separate_pairs(table: TrackletTable) -> NDArray[np.int64]:
    """(P, 2) all pairs of tracklets of one procedure that do not overlap in time, sorted, the earlier in the table
    first.

    The task is about "two time-separated, disjoint tracklets" (section 2). Two that are in view at once are two
    findings, which needs no evaluation.

    Raises:
        UserError: there is no such pair.
    """
    first, second = np.triu_indices(len(table), 1)
    is_pair = (table.procedures[first] == table.procedures[second]) & (
        (table.stops[first] <= table.starts[second]) | (table.stops[second] <= table.starts[first])
    )
    if not is_pair.any():
        raise UserError(
            "No procedure has two tracklets that are apart in time, so there is no pair to evaluate.",
            "Add procedures in which a finding comes into view more than once.",
        )
    return np.stack([first[is_pair], second[is_pair]], 1).astype(np.int64)


def is_same_finding(table: TrackletTable, findings: NDArray[np.str_], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(P,) whether both tracklets of a pair show the same finding; findings (T,) are named within their procedure.

    Raises:
        UserError: two tracklets of one finding overlap in time, so they are no two tracklets.
    """
    check_apart(table, findings)
    return np.asarray(findings[pairs[:, 0]] == findings[pairs[:, 1]], np.bool_)


def check_apart(table: TrackletTable, findings: NDArray[np.str_]) -> None:
    """Raise `UserError` where two tracklets of one finding overlap in time; an empty finding is not known."""
    order = np.lexsort((table.starts, findings, table.procedures))
    before, after = order[:-1], order[1:]
    overlaps = (table.procedures[before] == table.procedures[after]) & (findings[before] == findings[after])
    overlaps &= (findings[before] != "") & (table.starts[after] < table.stops[before])
    if overlaps.any():
        at = before[int(np.argmax(overlaps))]
        raise UserError(
            "Two tracklets of finding {finding} of procedure {procedure} overlap in time.",
            "Join tracklets of the same finding that overlap.",
            findings[at],
            table.procedures[at],
        )


def pair_similarities(
    embeddings: Sequence[NDArray[np.floating]], pairs: NDArray[np.int64], technique: Technique
) -> NDArray[np.float64]:
    """(P,) the similarity of each pair of tracklets, in [-1, 1]; a vector of length zero is alike to nothing: 0.

    Args:
        embeddings: T arrays (n, D), the embeddings of a tracklet's frames by the single-frame encoder; for "joint" (1,
            D), the tracklet's vector by the multi-view encoder.
        technique: for "averaging" the frames' embeddings are of length 1 before their mean is taken (ours).

    Raises:
        UserError: an embedding that is not finite.
    """
    units = [_of_length_one(each) for each in embeddings]
    if technique in ("averaging", "joint"):
        vectors = [_of_length_one(each.mean(axis=0, keepdims=True)) for each in units]
        return np.array([_cosines(vectors[one], vectors[other])[0, 0] for one, other in pairs], np.float64)
    measure = _OF_DISTANCES[technique]
    return np.array([1.0 - measure(1.0 - _cosines(units[one], units[other])) for one, other in pairs], np.float64)


def frame_cosines(embeddings: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n, n) cosines in [-1, 1] of all pairs of frames, from their embeddings (n, D) (supplementary figure 4)."""
    units = _of_length_one(embeddings)
    return _cosines(units, units)


def pair_figures(is_same: NDArray[np.bool_], similarities: NDArray[np.float64]) -> dict[str, float]:
    """How well similarities separate pairs of the same finding from others (Table 1).

    Returns:
        auroc, auprc (average precision), auroc_by_chance (0.5), auprc_by_chance (the share of positives), pairs and
        positives.

    Raises:
        UserError: all pairs are of the same finding, or none is.
    """
    check_both_kinds(is_same)
    area, precision = detector.auc(is_same, similarities), protocol.average_precision(is_same, similarities)
    assert area is not None
    assert precision is not None
    return {
        "auroc": area,
        "auprc": precision,
        "auroc_by_chance": 0.5,
        "auprc_by_chance": float(is_same.mean()),
        "pairs": len(is_same),
        "positives": int(is_same.sum()),
    }


def check_both_kinds(is_same: NDArray[np.bool_]) -> None:
    """Raise `UserError` where there are not both pairs of the same finding and of different ones."""
    if not len(is_same):
        raise UserError("There is no pair of tracklets to evaluate.", "Add procedures with several tracklets.")
    if is_same.all() or not is_same.any():
        which = Text("the same finding") if is_same.all() else Text("different findings")
        raise UserError(
            "All {count} pairs of tracklets are of {which}.",
            "Add procedures that have pairs of both kinds.",
            len(is_same),
            which,
        )


def _cosines(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.clip(one @ other.T, -1.0, 1.0), np.float64)


def _of_length_one(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    values = vectors.astype(np.float64)
    if not np.isfinite(values).all():
        raise UserError("Some embeddings are not finite numbers.", "The encoder has diverged; train with a lower rate.")
    return np.asarray(values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-12), np.float64)


BINS = 8
"""Of each channel of a colour histogram."""


def colour_histograms(crops: Crops) -> NDArray[np.float32]:
    """(n, 512): the root of each colour's share of a crop, so that a cosine is the Bhattacharyya coefficient.

    Ours, to compare encoders with: each lesion of the phantom has its own look, so colours alone may distinguish them.
    """
    levels = crops.astype(np.int64) * BINS // 256
    numbers = (levels[..., 0] * BINS + levels[..., 1]) * BINS + levels[..., 2]
    shares = [np.bincount(each.ravel(), minlength=BINS**3) / each.size for each in numbers]
    return np.asarray(np.sqrt(np.stack(shares)), np.float32)


def redness(crops: Crops) -> float:
    """The mean share of red in a pixel's sum of red, green and blue, over all crops; 0 for a black pixel."""
    values = crops.astype(np.float64)
    return float((values[..., 0] / np.maximum(values.sum(axis=-1), 1.0)).mean())


def redness_similarities(crops: Sequence[Crops], pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """(P,) one less the difference of two tracklets' redness, without any learning (ours); in [0, 1], higher = same."""
    reds = np.array([redness(each) for each in crops], np.float64)
    return np.asarray(1.0 - np.abs(reds[pairs[:, 0]] - reds[pairs[:, 1]]), np.float64)
