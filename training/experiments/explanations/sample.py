"""Which frames are explained the slow way: a seeded draw, from all frames or from each labelled kind in turn."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

SampleBy = Literal["frames", "kinds"]


def draw_sample(
    rows: NDArray[np.int64], labels: NDArray[np.int64], count: int, by: SampleBy, seed: int
) -> NDArray[np.int64]:
    """Rows without replacement, in the order in which they were drawn.

    By frames each frame is as likely as any other, so a kind of low prevalence hardly enters. By kinds every kind gives
    one frame after the other in turn, so that each has the same number as far as there are (ours).

    Args:
        rows: (m,) of the labelled images that may be drawn.
        labels: (M,) of every labelled image, indexed by row.
        count: frames to draw; fewer where there are not as many.
        by: what the draw goes by.
        seed: of the draw; with one kind both draws are the same.
    """
    drawn = np.random.default_rng([seed, 5]).permutation(rows)
    if by == "kinds":
        drawn = drawn[_in_turn(labels[drawn])]
    return np.asarray(drawn[:count], np.int64)


def _in_turn(labels: NDArray[np.int64]) -> NDArray[np.intp]:
    """(m,) places: the first of every label, then the second, and so on; in each round the rarest label first."""
    _, number, counts = np.unique(labels, return_inverse=True, return_counts=True)
    turn = np.zeros(len(labels), np.int64)
    for label in range(len(counts)):
        turn[number == label] = np.arange(counts[label])
    return np.lexsort((number, counts[number], turn))
