"""Augmentation that suits capsule frames: a batch at once, on the device, each frame with its own parameters.

A capsule has no upright, so rotations and mirrors are free; colour is diagnostic, so it is only nudged.
"""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from training.transforms.close_up import close_ups

# Rec. 601 weights: grey that the eye takes for equally bright.
LUMA = (0.299, 0.587, 0.114)


@dataclass(frozen=True)
class Augmentation:
    """How far frames are changed; shares are half-widths of uniform distributions around "unchanged"."""

    rotations: Literal["free", "quarter", "none"] = "free"
    """Free angles only where the field of view is round: elsewhere black corners would turn with them."""
    flips: bool = True
    zoom: float = 0.1
    brightness: float = 0.2
    saturation: float = 0.15
    white_balance: float = 0.05
    close_up_share: float = 0.0
    """Share of the frames that are shown as a close-up, where boxes are known; see `close_ups`."""

    def __call__(
        self,
        frames: Tensor,
        is_round: Tensor,
        generator: torch.Generator,
        *,
        size: int | None = None,
        boxes: Tensor | None = None,
    ) -> Tensor:
        """(B, H, H, 3) uint8 RGB -> (B, 3, S, S) float32 in [0, 1], channels last in memory.

        Args:
            frames: prepared frames; what is masked (black) stays black.
            is_round: (B,) bool.
            generator: on the CPU; the only source of randomness.
            size: S, the side of the result; H, or half of it, so that close-ups find detail.
            boxes: (B, 3) float on the CPU: centre x, y in [-1, 1] and side as a share of the frame's; NaN: none.
        """
        if frames.ndim != 4 or frames.shape[1] != frames.shape[2] or frames.shape[3] != 3:
            raise ValueError(f"frames must be (B, S, S, 3), not {tuple(frames.shape)}")
        count = len(frames)
        colours = self._colour_matrices(count, generator).to(frames.device)
        maps = torch.nn.functional.pad(self._transforms(count, is_round.cpu(), generator), (0, 1))  # (B, 2, 3)
        if boxes is not None and self.close_up_share:
            maps = close_ups(maps, boxes, self.close_up_share, generator)
        images = _resampled(frames.permute(0, 3, 1, 2).to(torch.float32), maps, size or frames.shape[1])
        return _coloured(images, colours).clamp_(0.0, 1.0)

    def _colour_matrices(self, count: int, generator: torch.Generator) -> Tensor:
        """(B, 3, 3) float32 that multiply RGB: brightness x white balance x saturation. No offset, so black stays."""
        gain = _around(count, 1, self.brightness, generator) * _around(count, 3, self.white_balance, generator)
        kept = _around(count, 1, self.saturation, generator).unsqueeze(2)
        grey = torch.tensor(LUMA).expand(3, 3)
        return gain.unsqueeze(2) * (kept * torch.eye(3) + (1.0 - kept) * grey)

    def _transforms(self, count: int, is_round: Tensor, generator: torch.Generator) -> Tensor:
        """(B, 2, 2) float32: where each output pixel is read, as a linear map around the centre."""
        quarters = torch.randint(4, (count,), generator=generator) * (math.pi / 2)
        free = torch.rand(count, generator=generator) * (2 * math.pi)
        angle = torch.where(is_round, free, quarters) if self.rotations == "free" else quarters
        if self.rotations == "none":
            angle = torch.zeros(count)
        mirror = torch.where(torch.rand(count, generator=generator) < 0.5, -1.0, 1.0)
        if not self.flips:
            mirror = torch.ones(count)
        scale = 1.0 / _around(count, 1, self.zoom, generator).squeeze(1)
        cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
        return torch.stack([torch.stack([cos * mirror, -sin], 1), torch.stack([sin * mirror, cos], 1)], 1)


def _around(count: int, channels: int, share: float, generator: torch.Generator) -> Tensor:
    """(B, channels) uniform in [1 - share, 1 + share]."""
    return 1.0 + share * (2.0 * torch.rand(count, channels, generator=generator) - 1.0)


def _resampled(images: Tensor, maps: Tensor, size: int) -> Tensor:
    """Read (B, 3, H, H) through affine maps (B, 2, 3), bilinear, black outside; quarter turns are exact."""
    theta = maps.to(images.device, images.dtype)
    grid = torch.nn.functional.affine_grid(theta, [len(images), 3, size, size], align_corners=False)
    return torch.nn.functional.grid_sample(images, grid, padding_mode="zeros", align_corners=False)


def _coloured(images: Tensor, matrices: Tensor) -> Tensor:
    """Multiply the colours of (B, 3, S, S) in [0, 255] by (B, 3, 3); in [0, 1], channels last, not clamped."""
    count, _, size, _ = images.shape
    flat = images.permute(0, 2, 3, 1).reshape(count, size * size, 3)
    coloured = torch.bmm(flat, matrices.transpose(1, 2) / 255.0)
    return coloured.view(count, size, size, 3).permute(0, 3, 1, 2)
