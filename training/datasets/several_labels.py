"""Batches in which a frame with several labels has one of them only."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames


class Sampler(Protocol):
    """Chooses the frames of each step."""

    def batch(self, step: int) -> NDArray[np.int64]:
        """(B,) indices of the frames of one step; depends on the step only."""

    def epoch_steps(self, epochs: float) -> int:
        """Number of steps in `epochs` epochs."""


class OneLabelABatch:
    """The batches of another sampler, in which a frame has one of its labels only.

    A triplet loss would otherwise push a frame away from itself. Where a batch has a frame with two labels, another
    frame of the second label takes its place; where the batch has all of them, the first label counts twice.
    """

    def __init__(self, sampler: Sampler, frames: LabelledFrames) -> None:
        self._sampler = sampler
        self._label, self._frame = frames.label, frames.frame_number

    def batch(self, step: int) -> NDArray[np.int64]:
        """(B,) indices of the frames of one step; depends on the step only."""
        rows = self._sampler.batch(step).copy()
        rng = np.random.default_rng([step, 19])
        row_of: dict[int, int] = {}
        for place, row in enumerate(rows.tolist()):
            first = row_of.setdefault(int(self._frame[row]), row)
            if self._label[first] != self._label[row]:
                rows[place] = self._other(row, first, rows, rng)
                row_of.setdefault(int(self._frame[rows[place]]), int(rows[place]))
        return rows

    def _other(self, row: int, first: int, rows: NDArray[np.int64], rng: np.random.Generator) -> int:
        """A frame of the label of `row` that is not in the batch; `first` where there is none."""
        is_free = (self._label == self._label[row]) & ~np.isin(self._frame, self._frame[rows])
        free = np.flatnonzero(is_free)
        return int(rng.choice(free)) if len(free) else first

    def epoch_steps(self, epochs: float) -> int:
        """Number of steps in `epochs` epochs."""
        return self._sampler.epoch_steps(epochs)
