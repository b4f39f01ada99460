"""Draws of labelled frames, as a reader leaves them: some frames of some patients."""

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.experiments.few_labels.config import ALL


def draw_labels(
    frames: LabelledFrames, rows: NDArray[np.int64], count: int, most_of_group: int, seed: int
) -> NDArray[np.int64]:
    """Some rows, with the classes in equal numbers as far as they reach (ours).

    Of each class groups are taken in a random order, and of each group at most `most_of_group` random frames, until
    the class has its part of `count`. A class with fewer such frames gives all of them, so a draw can be smaller.

    Args:
        frames: M labelled frames.
        rows: (m,) to choose from.
        count: number of frames; `ALL` returns `rows`.
        most_of_group: of a class and group.
        seed: of the draw.

    Returns:
        Rows, ascending.
    """
    if count == ALL:
        return rows
    rng = np.random.default_rng([seed, 41])
    parts = [
        count // len(frames.classes) + (place < count % len(frames.classes)) for place in range(len(frames.classes))
    ]
    drawn = []
    for label, part in enumerate(parts):
        mine = rows[frames.label[rows] == label]
        drawn.append(_of_class(mine, frames.patients[mine], part, most_of_group, rng))
    return np.sort(np.concatenate(drawn))


def _of_class(
    rows: NDArray[np.int64], groups: NDArray[np.str_], wanted: int, most_of_group: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    taken: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    for group in rng.permutation(np.unique(groups)).tolist():
        left = wanted - sum(map(len, taken))
        taken.append(rng.permutation(rows[groups == group])[: min(most_of_group, left)])
    return np.concatenate(taken)
