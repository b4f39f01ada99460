"""Convolutions over maps so small that their kernel is laid once: on tiles of 32 px, all of a ResNet's last stage.

There 3 x 3 taps see one pixel, or four, and else only padding: the map times its part of the kernel is the same sum,
as one matrix product. Ours; `tests.benchmarks.bench_single_window` says what it saves.
"""

from typing import Self

import torch.nn.functional as functional
from torch import Tensor, nn
from torch.nn.utils import skip_init


class SingleWindowConv2d(nn.Conv2d):
    """A `Conv2d` with zero padding that leaves out the taps which see only padding, where the kernel is laid once."""

    @classmethod
    def like(cls, conv: nn.Conv2d) -> Self:
        """The same convolution, with the very weights of `conv`."""
        settings = {"stride": conv.stride, "padding": conv.padding, "bias": conv.bias is not None}
        made: Self = skip_init(cls, conv.in_channels, conv.out_channels, conv.kernel_size, **settings)  # type: ignore[no-untyped-call]
        made.weight, made.bias = conv.weight, conv.bias
        return made

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - its parent's word
        """(B, C, H, W) -> (B, D, H', W')"""
        height, width = input.shape[-2:]
        if not (self.is_laid_once(0, height) and self.is_laid_once(1, width)):
            return super().forward(input)
        top, left = int(self.padding[0]), int(self.padding[1])
        reached = self.weight[:, :, top : top + height, left : left + width]
        return functional.linear(input.flatten(1), reached.flatten(1), self.bias)[:, :, None, None]

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
