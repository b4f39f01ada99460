"""Which frames enter a map: evenly over studies and time, but so that rare labels stay."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from training.datasets.labels import LabelRow

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
