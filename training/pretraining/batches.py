"""Batches of a pretraining: frames read, and what the method makes of them; a function of the seed and the step."""

from collections.abc import Callable

import torch
from torch import Tensor

from training.datasets.sequence_feed import SequenceBatch
from training.methods.pretrain_method import PretrainBatch, PretrainMethod
from training.pretraining.prior_tally import PriorTally


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
