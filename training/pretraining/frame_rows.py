"""Frames by a number that never changes in a run: their row in the memory bank."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets.sequences import STUDY_STRIDE, SequenceSpan


class FrameRows:
    """Pseudo-label of a frame -> its row, counted over the spans in use: by study, then by time, without gaps."""

    def __init__(self, spans: Sequence[SequenceSpan]) -> None:
        ordered = sorted(spans, key=lambda span: (span.gamma, span.start))
        lengths = np.array([len(span) for span in ordered], dtype=np.int64)
        self._first_labels = torch.tensor([span.gamma * STUDY_STRIDE + span.start for span in ordered])
        self._first_rows = torch.from_numpy(np.cumsum(lengths) - lengths)
        self._spans = ordered
        self.count = int(lengths.sum())

    def __call__(self, labels: Tensor) -> Tensor:
        """(B,) int64 pseudo-labels -> (B,) int64 rows, on the CPU."""
        there = labels.cpu()
        span = torch.searchsorted(self._first_labels, there, right=True) - 1
        rows: Tensor = self._first_rows[span] + there - self._first_labels[span]
        return rows

    def frames(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(N,) rows -> the number of each frame's study and its frame_index, (N,) both."""
        first = self._first_rows.numpy()
        span = np.searchsorted(first, rows, side="right") - 1
        studies = np.array([each.study for each in self._spans], dtype=np.int64)
        starts = np.array([each.start for each in self._spans], dtype=np.int64)
        return studies[span], starts[span] + rows - first[span]
