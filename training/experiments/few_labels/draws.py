"""Draws of labelled frames: some frames of many patients."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.experiments.few_labels.config import ALL


def draw_labels(
    frames: LabelledFrames, rows: NDArray[np.int64], count: int, most_of_group: int, seed: int
) -> NDArray[np.int64]:
    """Some rows, with the classes in equal numbers as far as they reach (ours).

    Frames of a class are taken in a random order, and of a group at most `most_of_group`, until the class has its part
    of `count`. A class with fewer such frames gives all of them, so a draw can be smaller.

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
    taken: list[int] = []
    of_group: Counter[str] = Counter()
    for place in rng.permutation(len(rows)).tolist():
        group = str(groups[place])
        if len(taken) < wanted and of_group[group] < most_of_group:
            of_group[group] += 1
            taken.append(int(rows[place]))
    return np.array(taken, dtype=np.int64)
