"""How many of the true nearest frames a search finds, measured against all of them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows

NEAREST = 10
KEPT = 4 * NEAREST
"""Candidates of the pass in float32, of which float64 takes the nearest."""
QUERIES = 48
BLOCK = 4096


def sample_queries(is_valid: NDArray[np.bool_], count: int = QUERIES, seed: int = 0) -> NDArray[np.int64]:
    """Rows to ask with, drawn at random: (Q,), fewer where there are fewer."""
    valid = np.flatnonzero(is_valid)
    chosen = np.random.default_rng(seed).choice(valid, min(count, len(valid)), replace=False)
    return np.sort(chosen).astype(np.int64)


def true_limits(
    rows: NeighbourRows, queries: NDArray[np.int64], metric: Metric, check: Callable[[], None] = lambda: None
) -> NDArray[np.float64]:
    """(Q,) the distance of each query's tenth nearest frame (inf where there are fewer), in one pass over all rows.

    Frames of *other* studies count, as those are what a person asks for and the harder ones to find; where there is one
    study only, all but the frame itself.
    """
    asked = _unit(rows.gather(queries), metric).astype(np.float32)
    nearest = np.full((len(queries), KEPT), np.inf, dtype=np.float32)
    which = np.full((len(queries), KEPT), -1, dtype=np.int64)
    for number, part in enumerate(rows.parts):
        for start in range(0, len(part), BLOCK):
            check()
            numbers = int(rows.starts[number]) + np.arange(start, min(start + BLOCK, len(part)))
            keys = _keys(asked, _unit(np.asarray(part.embeddings[start : start + BLOCK], np.float32), metric))
            keys[_is_own(rows, queries, numbers)] = np.inf
            keys = np.hstack([nearest, keys])
            kept = np.argpartition(keys, KEPT - 1, axis=1)[:, :KEPT]
            nearest = np.take_along_axis(keys, kept, axis=1)
            which = np.take_along_axis(
                np.hstack([which, np.broadcast_to(numbers, (len(queries), len(numbers)))]), kept, 1
            )
    which[~np.isfinite(nearest)] = -1
    return np.array(
        [_tenth(rows, row, others[others >= 0], metric) for row, others in zip(queries, which, strict=True)]
    )


def _keys(asked: NDArray[np.float32], block: NDArray[np.floating]) -> NDArray[np.float32]:
    """(Q, M) squared distances; inf for rows that are not finite."""
    block = block.astype(np.float32, copy=False)
    own = np.einsum("ij,ij->i", asked, asked)[:, None]
    with np.errstate(invalid="ignore"):
        keys = np.einsum("ij,ij->i", block, block)[None] + own - 2 * asked @ block.T
    return np.asarray(np.where(np.isfinite(keys), keys, np.inf), dtype=np.float32)


def _is_own(rows: NeighbourRows, queries: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(Q, M) whether a row is of the query's study (of one study: the query itself)."""
    if len(rows.parts) == 1:
        return np.asarray(queries[:, None] == numbers)
    studies, study = (np.searchsorted(rows.starts, places, side="right") for places in (queries, numbers))
    return np.asarray(studies[:, None] == study)


def _tenth(rows: NeighbourRows, query: int, others: NDArray[np.int64], metric: Metric) -> float:
    """In float64, of candidates that float32 found."""
    if len(others) < NEAREST:
        return float(np.inf)
    gaps = _unit(rows.gather(others), metric) - _unit(rows.gather(np.array([query])), metric)
    keys = np.sort(np.einsum("ij,ij->i", gaps, gaps))[NEAREST - 1]
    return float(np.sqrt(keys) if metric == "euclidean" else keys / 2.0)


def recall(found: list[list[float]], limits: NDArray[np.float64], available: int = NEAREST) -> float:
    """Share of the true nearest that were found, in [0, 1]; one at the same distance is as good (duplicates).

    Args:
        found: for each query the distances of what was found.
        limits: (Q,) from `true_limits`.
        available: how many there are to be found.
    """
    hits = [
        sum(distance <= limit * (1 + 1e-9) + 1e-9 for distance in distances[:NEAREST])
        for distances, limit in zip(found, limits.tolist(), strict=True)
    ]
    return float(np.mean(hits)) / min(NEAREST, available) if hits else 1.0


def _unit(vectors: NDArray[np.floating], metric: Metric) -> NDArray[np.floating]:
    """For cosine of length 1: half the squared distance between such is 1 - cosine."""
    if metric == "euclidean":
        return vectors
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # a row that is not finite is passed over later
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))
