"""Batches in which classes stand in proportion to their frames; batch k depends on the seed and k only."""

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.errors import UserError


class ProportionalSampler:
    """Every frame once before any comes again, in an order in which each class is spread evenly (Pascual et al. 2022).

    Any stretch of B frames within a round holds B times the class's share, give or take one frame; within a class
    the studies are spread in the same way. A class rarer than one frame in B is missing from some batches, as
    proportion asks for.
    """

    def __init__(self, frames: LabelledFrames, batch_size: int, seed: int) -> None:
        if not (frames.label > 0).any() or not (frames.label == 0).any():
            raise UserError("The training frames lack normal frames or any other class.", "Label both.")
        self.batch_size = batch_size
        self._label, self._study, self._seed = frames.label, frames.study, seed
        self._round = -1
        self._order = np.zeros(0, dtype=np.int64)

    def batch(self, step: int) -> NDArray[np.int64]:
        """(batch_size,) indices of the frames of one step."""
        first = step * self.batch_size
        return np.array([self._frame(first + k) for k in range(self.batch_size)], dtype=np.int64)

    def epoch_steps(self, epochs: float) -> int:
        """Steps until every frame was seen `epochs` times."""
        return max(1, round(epochs * len(self._label) / self.batch_size))

    def _frame(self, position: int) -> int:
        around, place = divmod(position, len(self._label))
        if around != self._round:
            self._round, self._order = around, self._shuffled(around)
        return int(self._order[place])

    def _shuffled(self, around: int) -> NDArray[np.int64]:
        rng = np.random.default_rng([self._seed, 7, around])
        by_study = _spread(rng.permutation(len(self._label)), self._study, rng)
        return _spread(by_study, self._label, rng)


def _spread(order: NDArray[np.int64], group: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """The same indices, each group at even distances; within a group their order stays.

    Args:
        order: (M,) indices.
        group: (M,) group of each index (not of each place).
        rng: decides where each group begins.
    """
    places = np.empty(len(order))
    for number in np.unique(group):
        mine = np.flatnonzero(group[order] == number)
        places[mine] = (np.arange(len(mine)) + rng.random()) / len(mine)
    return order[np.argsort(places, kind="stable")]
