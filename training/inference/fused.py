"""A ResNet trunk of oneDNN's fused operations for CPUs: convolution, sum and ReLU in one pass over memory.

Measured on two AVX512-BF16 cores, ResNet-50 at 256 x 256: twice as fast as the folded trunk, eight times plain float32.
The operations are those that `torch.compile` emits for CPUs; used directly they need no compiler and start at once.
They are private to torch, so `fused` returns None wherever they are missing or differ from the plain layers.
"""

from typing import Any

import torch
from torch import Tensor, nn


class FusedConv(nn.Module):
    """A convolution with bias, and optionally a ReLU or a sum and a ReLU behind it."""

    def __init__(self, conv: nn.Conv2d, after: str) -> None:
        super().__init__()
        self.after = after
        self.weight, self.bias = conv.weight, conv.bias
        self.geometry: tuple[Any, ...] = (list(conv.padding), list(conv.stride), list(conv.dilation), conv.groups)

    def forward(self, images: Tensor) -> Tensor:
        """(B, C, H, W) -> (B, C', H', W')"""
        operation = torch.ops.mkldnn._convolution_pointwise
        result: Tensor = operation(images, self.weight, self.bias, *self.geometry, self.after, [], None)
        return result

    def add_to(self, other: Tensor, images: Tensor) -> Tensor:
        """relu(other + convolution(images)), written over `other`."""
        operation = torch.ops.mkldnn._convolution_pointwise_.binary
        arguments = (*self.geometry, "add", 1.0, "relu", [], None)
        result: Tensor = operation(other, images, self.weight, self.bias, *arguments)
        return result


class FusedBlock(nn.Module):
    """A residual block (basic or bottleneck) of fused convolutions."""

    def __init__(self, block: nn.Module) -> None:
        super().__init__()
        convs = [child for child in block.children() if isinstance(child, nn.Conv2d)]
        self.body = nn.Sequential(*(FusedConv(conv, "relu") for conv in convs[:-1]))
        self.last = FusedConv(convs[-1], "none")
        shortcut = block.downsample
        first = shortcut[0] if isinstance(shortcut, nn.Sequential) else None
        self.shortcut = FusedConv(first, "none") if isinstance(first, nn.Conv2d) else None

    def forward(self, images: Tensor) -> Tensor:
        """(B, C, H, W) -> (B, C', H', W'); may write over `images`, which nothing needs any more."""
        inner = self.body(images)
        other = self.shortcut(images) if self.shortcut is not None else images
        return self.last.add_to(other, inner)


def fused(trunk: nn.Sequential) -> nn.Sequential | None:
    """The fused form of a folded trunk on the CPU, sharing its weights; None where this torch or CPU cannot do it.

    Args:
        trunk: from `folded`, in its final precision and memory layout.
    """
    if not isinstance(getattr(trunk, "conv1", None), nn.Conv2d):
        return None  # not a ResNet
    try:
        fast = _build(trunk)
        parameter = next(trunk.parameters())
        probe = torch.linspace(-1, 1, 2 * 3 * 32 * 32).reshape(2, 3, 32, 32).to(parameter.dtype)
        probe = probe.to(memory_format=torch.channels_last)
        with torch.inference_mode():
            wanted, found = trunk(probe).float(), fast(probe).float()
    except (AttributeError, RuntimeError, NotImplementedError):
        return None
    tolerance = 0.05 if parameter.dtype != torch.float32 else 1e-3
    agrees = (found - wanted).abs().max() <= tolerance * wanted.abs().max().clamp(min=1e-6)
    return fast if bool(agrees) else None


def _build(trunk: nn.Sequential) -> nn.Sequential:
    children = dict(trunk.named_children())
    stem = children["conv1"]
    assert isinstance(stem, nn.Conv2d)
    blocks = [
        FusedBlock(block) for name in ("layer1", "layer2", "layer3", "layer4") for block in children[name].children()
    ]
    return nn.Sequential(FusedConv(stem, "relu"), children["maxpool"], *blocks)
