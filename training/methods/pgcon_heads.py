"""The network of prior guided contrast: one trunk with two heads, and a memory bank.

Vats et al. 2022 ("Training details"): f is the trunk to its global average pooling and one dense layer of 128, h gives
each of nine tiles 128 values and takes one more dense layer for all of them. Ours: f and h, two networks in the paper's
formulas, share the trunk; the tiles share one dense layer of their own, which is not that of f. The projection head of
a single layer is f: its ReLU changes nothing, as what a ResNet pools is not negative.

Convolutions over maps so small that their kernel is laid once: on tiles of 32 px, all of a ResNet's last stage. There
3 x 3 taps see one pixel, or four, and else only padding: the map times its part of the kernel is the same sum, as one
matrix product. Ours; `tests.benchmarks.bench_single_window` says what it saves.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils import skip_init

from training.losses.memory_bank import MemoryBank
from training.models import backbones, projection_head

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


class PriorPretrainer(projection_head.Pretrainer):
    """A `Pretrainer` (trunk, `head` for z_p and z_win) with a jigsaw head for z_d and, once frames are known, a bank.

    Kept weights have no bank.
    """

    def __init__(self, backbone: str, widths: Sequence[int] = (WIDTH,)) -> None:
        super().__init__(backbone, widths)
        use_single_windows(self.trunk)  # tiles are small
        self.jigsaw = JigsawHead(backbones.find_backbone(backbone).embedding_size, widths[-1])
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


class SingleWindowConv2d(nn.Conv2d):
    """A `Conv2d` with zero padding that leaves out the taps which see only padding, where the kernel is laid once."""

    @classmethod
    def like(cls, conv: nn.Conv2d) -> Self:
        """The same convolution, with the very weights of `conv`."""
        settings = {"stride": conv.stride, "padding": conv.padding, "bias": conv.bias is not None}
        result: Self = skip_init(cls, conv.in_channels, conv.out_channels, conv.kernel_size, **settings)  # type: ignore[no-untyped-call]
        result.weight, result.bias = conv.weight, conv.bias
        return result

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - its parent's word
        """(B, C, H, W) -> (B, D, H', W')"""
        height, width = input.shape[-2:]
        if not (self.is_laid_once(0, height) and self.is_laid_once(1, width)):
            return super().forward(input)
        top, left = int(self.padding[0]), int(self.padding[1])
        reached = self.weight[:, :, top : top + height, left : left + width]
        return linear(input.flatten(1), reached.flatten(1), self.bias)[:, :, None, None]

    def is_laid_once(self, axis: int, side: int) -> bool:
        """Whether a map of this side makes one pixel along an axis, and lies within the kernel."""
        kernel, padding = self.kernel_size[axis], int(self.padding[axis])
        return side + 2 * padding < kernel + self.stride[axis] and side + padding <= kernel <= side + 2 * padding


def use_single_windows(network: nn.Module) -> None:
    """Put a `SingleWindowConv2d` in the place of each 3 x 3 convolution; names and weights stay."""
    for parent in list(network.modules()):
        for name, child in parent.named_children():
            if isinstance(child, nn.Conv2d) and child.kernel_size == (3, 3) and child.padding == (1, 1):
                setattr(parent, name, SingleWindowConv2d.like(child))
