"""The a* of CIELAB, by which tissue counts as red: exact for every colour of 8 bits, a batch at once."""

from functools import lru_cache

import torch
from torch import Tensor

# sRGB (IEC 61966-2-1, D65) to X and Y, X divided by that of the white point.
TO_X = (0.412453 / 0.950456, 0.357580 / 0.950456, 0.180423 / 0.950456)
TO_Y = (0.212671, 0.715160, 0.072169)
BEND, SLOPE = 216 / 24389, 24389 / 27 / 116
"""CIE 1976: the cube root above the bend, a straight line of this slope below it."""
SCALE = 500.0


def a_star(frames: Tensor) -> Tensor:
    """How red (positive) or green (negative) pixels are: 500 (f(X / Xn) - f(Y / Yn)), CIE 1976.

    Args:
        frames: (B, H, W, 3) uint8 sRGB.

    Returns:
        (B, H, W) float32; 0 for greys within 0.1, about 80 for pure red. Equal colours give equal values.
    """
    count, height, width, _ = frames.shape
    linear = _linear(frames.device).index_select(0, frames.reshape(-1).int()).view(count, height * width, 3)
    mixed = torch.bmm(_mixing(frames.device).expand(count, 2, 3), linear.transpose(1, 2))
    # The line continues where the cube root stops; what both lack there is the same for X and Y and cancels. Everything
    # is 500 times as large from the start, light 500 ** 3 times: a pass over the pixels less.
    bent = mixed.clamp_min(SCALE**3 * BEND).log2_().mul_(1 / 3).exp2_()
    bent.add_(mixed.clamp_(max=SCALE**3 * BEND), alpha=SLOPE / SCALE**2)
    return (bent[:, 0] - bent[:, 1]).view(count, height, width)


@lru_cache(maxsize=8)
def _linear(device: torch.device) -> Tensor:
    """(256,) float32: linear light of each value of a channel."""
    value = torch.arange(256, dtype=torch.float64) / 255.0
    light = torch.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return light.float().to(device)


@lru_cache(maxsize=8)
def _mixing(device: torch.device) -> Tensor:
    return torch.tensor((TO_X, TO_Y), device=device) * SCALE**3
