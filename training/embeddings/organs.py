"""Where a capsule passes from one organ to the next: a linear head over stored embeddings, and the best path in time.

A capsule moves forward only. A path is the borders between successive organs; an organ that is there lasts at least
some frames, and any organ may be absent. Neighbouring frames look alike, so their evidence is divided by a constant
before it is added up. No torch, no Qt.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.files.npz import Column, read_npz
from training.models.linear_classifier import LinearClassifier
from training.models.logistic import fit_classifier

Doubles = NDArray[np.float64]
ORGANS = ("stomach", "small bowel", "colon")
EVIDENCE = 0.02
"""By which log likelihoods of single frames are multiplied: about 50 successive frames count as one."""
LEAST_SHARE = 0.01
"""Of the frames: how long an organ that is there lasts at least."""
FLOOR = -6.0
"""Least log likelihood of a frame, so that no single frame decides."""
WITHIN = 0.9
"""Probability that the range of a border holds it."""
PENALTY = 1e-2
FRAMES_PER_STUDY = 1000
CHUNK = 8192


@dataclass(frozen=True, slots=True)
class Border:
    """Where an organ begins: its first row, and the rows between which it begins with `WITHIN`."""

    row: int
    low: int
    high: int


def find_borders(logits: NDArray[np.floating]) -> tuple[Border, ...]:
    """The first row of every organ but the first; an organ that is there lasts at least `LEAST_SHARE` of N.

    Args:
        logits: (N, R) of each frame and organ, in anatomical order; NaN in rows that do not decode.

    Returns:
        R - 1 borders, ascending. 0 means that the recording begins later than this border, N that it ends before it.
    """
    values = np.nan_to_num(np.asarray(logits, np.float64))
    values -= np.logaddexp.reduce(values, axis=1, keepdims=True)
    sums = np.vstack([np.zeros(values.shape[1]), np.cumsum(EVIDENCE * np.maximum(values, FLOOR), axis=0)])
    least = max(1, round(len(values) * LEAST_SHARE))
    rows = best_path(sums, least)
    chances = border_chances(sums, least)
    edges = (1 - WITHIN) / 2, (1 + WITHIN) / 2
    ranges = [np.searchsorted(np.cumsum(chance), edges) for chance in chances]
    last = len(values)
    return tuple(
        Border(row, min(int(low), row), min(max(int(high), row), last))
        for row, (low, high) in zip(rows, ranges, strict=True)
    )


def best_path(sums: Doubles, least: int) -> list[int]:
    """The borders (R - 1) of the most likely path; Viterbi over (N + 1, R) cumulated log likelihoods."""
    count, organs = sums.shape
    best = np.full(count, -np.inf)
    best[0] = 0.0
    starts = []  # for each organ and stop its start; the stop itself where the organ is absent
    for organ in range(organs):
        before = best - sums[:, organ]
        start = _latest_best(before)
        arrived, origin = np.full(count, -np.inf), np.arange(count)
        arrived[least:] = before[start[: count - least]] + sums[least:, organ]
        is_there = arrived > best
        origin[is_there] = start[np.flatnonzero(is_there) - least]
        best = np.where(is_there, arrived, best)
        starts.append(origin)
    borders, stop = [], count - 1
    for organ in range(organs - 1, 0, -1):
        stop = int(starts[organ][stop])
        borders.append(stop)
    return borders[::-1]


def border_chances(sums: Doubles, least: int) -> Doubles:
    """(R - 1, N + 1) probability that each border lies at each row, over all paths; rows add up to 1."""
    organs = sums.shape[1]
    ahead = _all_paths(sums, least)
    back = _all_paths((sums[-1] - sums[::-1])[:, ::-1], least)
    logs = np.stack([ahead[organ] + back[organs - 2 - organ][::-1] for organ in range(organs - 1)])
    return np.asarray(np.exp(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)))


def _all_paths(sums: Doubles, least: int) -> list[Doubles]:
    """For each organ (N + 1,): log of the sum over paths through it and those before, that end at each row."""
    total = np.full(len(sums), -np.inf)
    total[0] = 0.0
    result = []
    for organ in range(sums.shape[1]):
        arrived = np.full(len(sums), -np.inf)
        arrived[least:] = np.logaddexp.accumulate(total - sums[:, organ])[: len(sums) - least] + sums[least:, organ]
        total = np.logaddexp(total, arrived)
        result.append(total)
    return result


def _latest_best(values: Doubles) -> NDArray[np.int64]:
    """(N,) for each row the first row up to it that has the highest value."""
    highest = np.maximum.accumulate(values)
    is_new = np.concatenate([[True], highest[1:] > highest[:-1]])
    return np.asarray(np.maximum.accumulate(np.where(is_new, np.arange(len(values)), 0)))


def fit_head(embeddings: NDArray[np.floating], organs: NDArray[np.int64]) -> LinearClassifier:
    """A linear head from embeddings (M, D), finite, and their organs (M,) as numbers of `ORGANS`."""
    empty = LinearClassifier(np.zeros((len(ORGANS), embeddings.shape[1])), np.zeros(len(ORGANS)))
    return fit_classifier(empty, embeddings, organs, penalty=PENALTY)


@dataclass(frozen=True, slots=True)
class Learned:
    """A study whose organs are known: its embedding file, recording, and organ of each frame or -1."""

    path: Path
    recording: str
    organs: NDArray[np.int64]


def learn_head(studies: Sequence[Learned], check: Callable[[], None] = lambda: None) -> LinearClassifier:
    """A head from about `FRAMES_PER_STUDY` frames of each study; `check` raises when this shall stop."""
    embeddings, organs = [], []
    for study in studies:
        check()
        with EmbeddingFile.open(study.path, study.recording) as file:
            rows = np.flatnonzero(file.frame_index < len(study.organs))
            rows = rows[study.organs[file.frame_index[rows]] >= 0]
            rows = rows[:: max(1, len(rows) // FRAMES_PER_STUDY)]
            vectors = np.asarray(file.embeddings[rows], np.float32)
            is_there = np.isfinite(vectors).all(axis=1)
            embeddings.append(vectors[is_there])
            organs.append(study.organs[file.frame_index[rows]][is_there])
    return fit_head(np.concatenate(embeddings), np.concatenate(organs))


def borders_in(
    file: EmbeddingFile, head: LinearClassifier, check: Callable[[], None] = lambda: None
) -> tuple[Border, ...]:
    """`find_borders` of the rows of a file; `check` raises when this shall stop."""
    parts = []
    for first in range(0, len(file), CHUNK):
        check()
        parts.append(organ_logits(head, file.embeddings[first : first + CHUNK]))
    return find_borders(np.concatenate(parts))


def organ_logits(head: LinearClassifier, embeddings: NDArray[np.floating]) -> Doubles:
    """(N, D) -> (N, R), NaN for frames that do not decode."""
    return np.asarray(np.asarray(embeddings, np.float64) @ head.weight.T + head.bias)


def read_head(path: Path) -> LinearClassifier:
    """A head that was stored by `np.savez`; raises `NpzError` where it is damaged."""
    columns = {"weight": Column("<f2", (len(ORGANS), "D")), "bias": Column("<f8", (len(ORGANS),))}
    stored = read_npz(path, columns, "organ head")
    return LinearClassifier(stored["weight"].astype(np.float64), stored["bias"])
