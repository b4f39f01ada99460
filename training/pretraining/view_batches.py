"""Batches of methods with a memory bank: views made, packed, normalised; a function of the seed and the step alone."""

from collections.abc import Callable

import torch
from torch import Tensor

from training.datasets.sequence_feed import SequenceBatch
from training.methods.bank_method import with_negatives
from training.methods.packed_views import PackedViews
from training.models.projection_head import Pretrainer
from training.pretraining.config import PretrainConfig
from training.pretraining.frame_rows import FrameRows
from training.pretraining.prior_tally import PriorTally
from training.pretraining.view_making import make_views, view_layout


class ViewBatches:
    """Step -> packed views (B, P) float32, normalised, and (B, 1 + 2K) int64: rows of the frames and of negatives."""

    def __init__(
        self,
        feed: Callable[[int], SequenceBatch],
        config: PretrainConfig,
        network: Pretrainer,
        rows: FrameRows,
        seed: int,
    ) -> None:
        self._feed, self._config, self._network, self._rows, self._seed = feed, config, network, rows, seed
        self._make, self._layout = make_views(config), view_layout(config)
        self.tally: PriorTally | None = None
        """Counts the frames of steps that had no prior; not those of `of`."""

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """The batch of one step (0-based)."""
        packed, drawn, found = self._made(self._feed(step), step)
        if self.tally is not None and found is not None:
            self.tally.add(found)
        return packed, drawn

    def of(self, read: SequenceBatch, step: int) -> tuple[Tensor, Tensor]:
        """What the step makes of frames that were read."""
        return self._made(read, step)[:2]

    def _made(self, read: SequenceBatch, step: int) -> tuple[Tensor, Tensor, Tensor | None]:
        config = self._config
        generator = torch.Generator().manual_seed((self._seed << 32) + step)
        made = self._make(read, generator)
        packed = pack_views(made.pictures, self._layout, self._network)
        rows = self._rows(read.labels)
        drawn = with_negatives(rows, self._rows.count, config.negatives, generator, shared=config.shared_negatives)
        return packed, drawn.to(packed.device), made.found


def pack_views(views: tuple[Tensor, ...], layout: PackedViews, network: Pretrainer) -> Tensor:
    """Views in [0, 1] -> (B, P), normalised."""
    return layout.pack([(view - network.mean) / network.std for view in views])
