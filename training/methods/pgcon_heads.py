"""The network of prior guided contrast: one trunk with two heads, and a memory bank.

Vats et al. 2022 ("Training details"): f is the trunk to its global average pooling and one dense layer of 128, h gives
each of nine tiles 128 values and takes one more dense layer for all of them. Ours: f and h, two networks in the paper's
formulas, share the trunk; the tiles share one dense layer of their own, which is not that of f. The projection head of
a single layer is f: its ReLU changes nothing, as what a ResNet pools is not negative.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from training.losses.memory_bank import MemoryBank
from training.models.backbones import find_backbone
from training.models.projection_head import Pretrainer
from training.models.single_window import use_single_windows

TILES = 9
WIDTH = 128


class JigsawHead(nn.Module):
    """Nine pooled tiles to one vector: one dense layer for each tile alike, concatenation, a dense layer."""

    def __init__(self, inputs: int, width: int = WIDTH, tiles: int = TILES) -> None:
        super().__init__()
        self.tile = nn.Linear(inputs, width)
        self.puzzle = nn.Linear(tiles * width, width)

    def forward(self, pooled: Tensor) -> Tensor:
        """(B, T, F) -> (B, D)"""
        together: Tensor = self.puzzle(self.tile(pooled).flatten(1))
        return together


class PriorPretrainer(Pretrainer):
    """A `Pretrainer` (trunk, `head` for z_p and z_win) with a jigsaw head for z_d and, once frames are known, a bank.

    Kept weights have no bank.
    """

    def __init__(self, backbone: str, widths: Sequence[int] = (WIDTH,)) -> None:
        super().__init__(backbone, widths)
        use_single_windows(self.trunk)  # tiles are small
        self.jigsaw = JigsawHead(find_backbone(backbone).embedding_size, widths[-1])
        self.bank: MemoryBank | None = None

    def project(self, images: Tensor) -> Tensor:
        """(B, 3, S, S) normalised -> z (B, D) float32: of a prior view, of a WIN view, of a whole frame."""
        projection: Tensor = self(images).projection
        return projection

    def puzzle(self, tiles: Tensor) -> Tensor:
        """(B, T, 3, t, t) normalised tiles in the order of the puzzle -> z_d (B, D) float32.

        Tiles do not change the running statistics, which are used later for views and whole frames only.
        """
        count, pieces = tiles.shape[:2]
        with running_statistics_kept(self.trunk):
            pooled = self.embed(tiles.flatten(0, 1)).view(count, pieces, -1)
        with torch.autocast(tiles.device.type, enabled=False):
            vector: Tensor = self.jigsaw(pooled)
        return vector


@contextmanager
def running_statistics_kept(network: nn.Module) -> Iterator[None]:
    """A context in which training mode does not update the running statistics."""
    norms = [(part, part.momentum) for part in network.modules() if isinstance(part, nn.BatchNorm2d)]
    for norm, _ in norms:
        norm.momentum = 0.0
    try:
        yield
    finally:
        for norm, momentum in norms:
            norm.momentum = momentum
