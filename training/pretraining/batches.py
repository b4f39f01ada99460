"""Batches of a pretraining: what the method makes of the frames that were read; a function of the seed and the step.

Beside them the row of each frame in a memory bank, and how many frames had no prior (nothing red in them, all black, or
no field of view).
"""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets.sequence_feed import SequenceBatch
from training.datasets.sequences import STUDY_STRIDE, SequenceSpan
from training.methods.pretrain_method import PretrainBatch, PretrainMethod

REPORTED_SHARE = 0.01
"""Share of the frames above which this is reported (ours): a few black ones are in every study."""
LOOK_EVERY = 20
"""Batches between two looks: each waits for the device."""


class PretrainBatches:
    """Step -> images and labels of the method, normalised, on the device."""

    def __init__(
        self,
        feed: Callable[[int], SequenceBatch],
        method: PretrainMethod,
        seed: int,
        rows: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        """`rows`: pseudo-labels of frames -> their rows in the memory bank, for a method that has one."""
        self._feed, self._method, self._seed, self._rows = feed, method, seed, rows
        self.tally: PriorTally | None = None
        """Counts the frames of steps that had no prior; not those of `of`."""

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """The batch of one step (0-based)."""
        made = self.of(self._feed(step), step)
        if self.tally is not None and made.found is not None:
            self.tally.add(made.found)
        return made.images, made.labels

    def of(self, read: SequenceBatch, step: int) -> PretrainBatch:
        """What the step makes of frames that were read."""
        if self._rows is not None:
            read = read._replace(labels=self._rows(read.labels))
        return self._method.batch(read, torch.Generator().manual_seed((self._seed << 32) + step))


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


class PriorTally:
    """Counts along the steps of this process; a run that was taken up again counts from there, and says so."""

    def __init__(self, log: Callable[[str], None], first_step: int = 0) -> None:
        """`log` hears one sentence, once; `first_step`: steps done before."""
        self._log, self._first_step = log, first_step
        self._missed = torch.zeros((), dtype=torch.int64)
        self._frames, self._batches, self._was_reported = 0, 0, False

    def add(self, found: Tensor) -> None:
        """Count one batch: (B,) bool on any device, see `PriorSquares`; nothing waits for it but every `LOOK_EVERY`."""
        if self._batches % LOOK_EVERY == 0:
            self.look()  # before this batch: those that came earlier are done
        self._missed = self._missed.to(found.device) + (~found).sum()
        self._frames += len(found)
        self._batches += 1

    def look(self) -> str:
        """The sentence on what was counted so far, "" where that is too little; it is logged the first time."""
        missed = int(self._missed)
        if missed <= REPORTED_SHARE * self._frames:
            return ""
        since = f" since step {self._first_step}" if self._first_step else ""
        sentence = (
            f"In {missed:,} of {self._frames:,} frames{since} nothing red was found (they are black, without red, or "
            "without a field of view): their prior view is the middle of the frame."
        )
        if not self._was_reported:
            self._log(f"{sentence} Lower least_redness, or leave such frames out.")
            self._was_reported = True
        return sentence

    def counts(self) -> dict[str, dict[str, int]]:
        """For the card: JSON values; empty where nothing was counted."""
        if not self._frames:
            return {}
        counted = {"frames": self._frames, "in_the_middle": int(self._missed), "since_step": self._first_step}
        return {"prior_views": counted}
