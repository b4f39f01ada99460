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

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """The batch of one step (0-based)."""
        return self.of(self._feed(step), step)

    def of(self, read: SequenceBatch, step: int) -> tuple[Tensor, Tensor]:
        """What the step makes of frames that were read."""
        config = self._config
        generator = torch.Generator().manual_seed((self._seed << 32) + step)
        packed = pack_views(self._make(read, generator), self._layout, self._network)
        rows = self._rows(read.labels)
        drawn = with_negatives(rows, self._rows.count, config.negatives, generator, shared=config.shared_negatives)
        return packed, drawn.to(packed.device)


def pack_views(views: tuple[Tensor, ...], layout: PackedViews, network: Pretrainer) -> Tensor:
    """Views in [0, 1] -> (B, P), normalised."""
    return layout.pack([(view - network.mean) / network.std for view in views])
