"""Which frames a map shows, which settings made it, and how many threads may work on it.

Which frames enter a map: evenly over studies and time, but so that rare labels stay.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import check_ends
from training.datasets.labels import LabelRow, read_labels
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.sources import Rows, Source
from training.texts import Text

UNLABELLED = -1


def sample_frames(labels: NDArray[np.integer], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose `count` of N frames (ours).

    Half of them go to the labels in equal parts (a label with fewer frames than its part keeps them all, the others
    share what it leaves), the rest evenly over whatever is left, so that the map still shows what is common.

    Args:
        labels: (N,) a number for each label, `UNLABELLED` for none; frames in the order of study and time.
        count: 0 or more.
        rng: decides where the even steps begin; nothing else is drawn at random.

    Returns:
        (min(count, N),) ascending positions, none twice.
    """
    if count >= len(labels):
        return np.arange(len(labels))
    chosen = np.zeros(len(labels), bool)
    values, sizes = np.unique(labels[labels != UNLABELLED], return_counts=True)
    left = count // 2
    for rank, place in enumerate(np.argsort(sizes, kind="stable")):
        taken = min(int(sizes[place]), left // (len(values) - rank))
        chosen[spread(np.flatnonzero(labels == values[place]), taken, rng)] = True
        left -= taken
    chosen[spread(np.flatnonzero(~chosen), count - int(chosen.sum()), rng)] = True
    return np.flatnonzero(chosen)


def spread(positions: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """`count` of the positions in even steps from a random begin (systematic sampling)."""
    if count <= 0:
        return positions[:0]
    steps = (np.arange(count) + rng.random()) * (len(positions) / count)
    return positions[np.minimum(steps.astype(np.int64), len(positions) - 1)]


def frame_labels(
    rows: Sequence[LabelRow], frames: Mapping[str, NDArray[np.int64]]
) -> tuple[tuple[str, ...], dict[str, NDArray[np.int32]]]:
    """One label for each frame; where it carries several, the one that is rarest among all frames.

    Args:
        rows: of labels.csv; those of other studies are passed over.
        frames: study -> (N,) ascending frame indices.

    Returns:
        Names in alphabetical order, and study -> (N,) rows of the names, -1 where there is no label.
    """
    names = tuple(sorted({row.label for row in rows if row.study_id in frames}))
    counts = dict.fromkeys(names, 0)
    spans = []
    for row in rows:
        if row.study_id in frames:
            first, last = np.searchsorted(frames[row.study_id], (row.start, row.stop))
            counts[row.label] += int(last - first)
            spans.append((row, slice(first, last)))
    labels = {study_id: np.full(len(index), UNLABELLED, np.int32) for study_id, index in frames.items()}
    for row, span in sorted(spans, key=lambda pair: (-counts[pair[0].label], pair[0].label)):
        labels[row.study_id][span] = names.index(row.label)
    return names, labels


def chosen_rows(sources: tuple[Source, ...], config: ProjectConfig, count: int) -> tuple[Rows, list[str]]:
    """The frames of the map, without those that are no numbers, and what is to be said about that.

    Raises:
        UserError: nothing is left.
    """
    rows = [source.rows() for source in sources]
    frames = {s.study_id: s.frame_index[r] for s, r in zip(sources, rows, strict=True)}
    total = sum(len(each) for each in rows)
    if count and count < total:
        labels = np.full(total, UNLABELLED, np.int32)
        if config.labels is not None:
            given = read_labels(config.labels)
            check_ends(given, {source.study_id: source.frame_count for source in sources})
            by_study = frame_labels(given, frames)[1]
            labels = np.concatenate([by_study[source.study_id] for source in sources])
        taken = sample_frames(labels, count, np.random.default_rng(config.seed))
        ends = np.cumsum([0, *(len(each) for each in rows)])
        rows = [
            each[taken[(taken >= low) & (taken < high)] - low]
            for each, low, high in zip(rows, ends[:-1], ends[1:], strict=True)
        ]
    matrix = Rows(sources, rows)
    matrix.keep()
    finite = matrix.finite()
    notes: list[str] = []
    if not finite.all():
        lost = int((~finite).sum())
        notes.append(Text("{lost:,} frames that cannot be decoded have no embedding and are left out.", lost))
        rows = [each[finite[matrix.study == number]] for number, each in enumerate(rows)]
        matrix = Rows(sources, rows)
        matrix.keep()
    if not matrix.shape[0]:
        raise UserError("There are no frames to show: none of these studies has embeddings.", "Score the studies.")
    return matrix, notes


def parameters(config: ProjectConfig, sources: tuple[Source, ...]) -> dict[str, Any]:
    """The settings that made a map, as JSON values, with its files by study."""
    left_out = {"out", "overwrite", "embeddings", "manifest", "resume", "device", "threads", "onto"}
    fields = config.model_dump(mode="json", exclude=left_out)
    return fields | {"files": {source.study_id: str(source.path.resolve()) for source in sources}}


def threads_of(config: ProjectConfig) -> int:
    """The CPU threads to use."""
    return config.threads or os.cpu_count() or 1
