"""Augmentation that suits capsule frames: a batch at once, on the device, each frame with its own parameters.

A capsule has no upright, so rotations and mirrors are free; colour is diagnostic, so it is only nudged.
"""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

# Rec. 601 weights: grey that the eye takes for equally bright.
LUMA = (0.299, 0.587, 0.114)


@dataclass(frozen=True)
class Augmentation:
    """How far frames are changed; shares are half-widths of uniform distributions around "unchanged"."""

    rotations: Literal["free", "quarter", "none"] = "free"
    """Free angles only where the field of view is round: elsewhere they would tell by their corners."""
    flips: bool = True
    zoom: float = 0.1
    brightness: float = 0.2
    saturation: float = 0.15
    white_balance: float = 0.05

    def __call__(self, frames: Tensor, is_round: Tensor, generator: torch.Generator) -> Tensor:
        """(B, S, S, 3) uint8 RGB -> (B, 3, S, S) float32 in [0, 1], channels last in memory.

        Args:
            frames: prepared frames; what is masked (black) stays black.
            is_round: (B,) bool on the same device.
            generator: on the CPU; the only source of randomness.
        """
        if frames.ndim != 4 or frames.shape[1] != frames.shape[2] or frames.shape[3] != 3:
            raise ValueError(f"frames must be (B, S, S, 3), not {tuple(frames.shape)}")
        coloured = self._colour(frames, self._colour_matrices(len(frames), generator).to(frames.device))
        images = coloured.permute(0, 3, 1, 2)
        turns = self._transforms(len(frames), is_round, generator)
        return _resampled(images, turns).clamp_(0.0, 1.0)

    def _colour_matrices(self, count: int, generator: torch.Generator) -> Tensor:
        """(B, 3, 3) float32 that multiply RGB: brightness x white balance x saturation. No offset, so black stays."""
        gain = _around(count, 1, self.brightness, generator) * _around(count, 3, self.white_balance, generator)
        kept = _around(count, 1, self.saturation, generator).unsqueeze(2)
        grey = torch.tensor(LUMA).expand(3, 3)
        return gain.unsqueeze(2) * (kept * torch.eye(3) + (1.0 - kept) * grey)

    @staticmethod
    def _colour(frames: Tensor, matrices: Tensor) -> Tensor:
        count, size = frames.shape[:2]
        flat = frames.reshape(count, size * size, 3).to(torch.float32)
        return torch.bmm(flat, matrices.transpose(1, 2) / 255.0).view(count, size, size, 3)

    def _transforms(self, count: int, is_round: Tensor, generator: torch.Generator) -> Tensor:
        """(B, 2, 2) float32: where each output pixel is read, as a linear map around the centre."""
        quarters = torch.randint(4, (count,), generator=generator) * (math.pi / 2)
        free = torch.rand(count, generator=generator) * (2 * math.pi)
        angle = torch.where(is_round.cpu(), free, quarters) if self.rotations == "free" else quarters
        if self.rotations == "none":
            angle = torch.zeros(count)
        mirror = (
            torch.where(torch.rand(count, generator=generator) < 0.5, -1.0, 1.0) if self.flips else torch.ones(count)
        )
        scale = 1.0 / _around(count, 1, self.zoom, generator).squeeze(1)
        cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
        return torch.stack([torch.stack([cos * mirror, -sin], 1), torch.stack([sin * mirror, cos], 1)], 1)


def _around(count: int, channels: int, share: float, generator: torch.Generator) -> Tensor:
    """(B, channels) uniform in [1 - share, 1 + share]."""
    return 1.0 + share * (2.0 * torch.rand(count, channels, generator=generator) - 1.0)


def _resampled(images: Tensor, maps: Tensor) -> Tensor:
    """Read (B, 3, S, S) through linear maps (B, 2, 2), bilinear, black outside; quarter turns are exact."""
    theta = torch.nn.functional.pad(maps, (0, 1)).to(images.device, images.dtype)
    grid = torch.nn.functional.affine_grid(theta, list(images.shape), align_corners=False)
    sampled = torch.nn.functional.grid_sample(images, grid, padding_mode="zeros", align_corners=False)
    return sampled.contiguous(memory_format=torch.channels_last)
