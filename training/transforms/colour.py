"""Random colour of a batch as one small matrix a frame: brightness, white balance, saturation, hue, grey, contrast.

All are linear, so they cost one product a pixel whatever is asked for. Hue turns the chroma plane of YIQ and so keeps
what the eye takes for brightness (torchvision turns HSV's angle, which does not).
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

# Rec. 601 weights: grey that the eye takes for equally bright.
LUMA = (0.299, 0.587, 0.114)
# RGB to in-phase and quadrature, the chroma plane of YIQ.
CHROMA = ((0.596, -0.274, -0.322), (0.211, -0.523, 0.312))
FADE = 8.0
"""Luma in [0, 255] below which contrast's offset fades towards black."""
MEAN_STEP = 4
"""Every so many rows and columns count for a frame's mean."""


@dataclass(frozen=True)
class Colours:
    """What is done to the colours of B frames."""

    matrices: Tensor
    """(B, 3, 3) float32 that multiply RGB."""
    contrasts: Tensor | None
    """(B,) float32 factors around each frame's own mean; None: none."""

    def __getitem__(self, part: slice | Tensor) -> "Colours":
        return Colours(self.matrices[part], None if self.contrasts is None else self.contrasts[part])

    def to(self, device: torch.device) -> "Colours":
        """The same on another device."""
        return Colours(self.matrices.to(device), None if self.contrasts is None else self.contrasts.to(device))


def draw_colours(
    count: int,
    brightness: float,
    white_balance: float,
    saturation: float,
    contrast: float,
    hue: float,
    grey: float,
    generator: torch.Generator,
) -> Colours:
    """Each frame's own colours; shares are half-widths of uniform distributions around "unchanged".

    Gain, gain of each channel, distance from grey, distance from the frame's mean luma, and angle in turns of the
    colour circle; `grey` is the share of frames that are shown without colour. What is not asked for draws nothing.
    """
    gain = around(count, 1, brightness, generator)
    balance = around(count, 3, white_balance, generator)
    kept = around(count, 1, saturation, generator)
    contrasts = around(count, 1, contrast, generator).squeeze(1) if contrast else None
    turns = hue * (2.0 * torch.rand(count, generator=generator) - 1.0) if hue else None
    if grey:
        is_grey = (torch.rand(count, generator=generator) < grey).unsqueeze(1)
        kept, balance = kept.masked_fill(is_grey, 0.0), balance.masked_fill(is_grey, 1.0)
    pure = torch.eye(3) if turns is None else hue_matrices(turns)
    luma = torch.tensor(LUMA).expand(3, 3)
    mixed = kept.unsqueeze(2) * pure + (1.0 - kept.unsqueeze(2)) * luma
    return Colours((gain * balance).unsqueeze(2) * mixed, contrasts)


def hue_matrices(turns: Tensor) -> Tensor:
    """(B,) turns of the colour circle -> (B, 3, 3) that turn the chroma plane and leave luma as it is."""
    into = torch.tensor((LUMA, *CHROMA), dtype=torch.float64)
    angle = turns.double() * (2 * math.pi)
    turn = torch.eye(3, dtype=torch.float64).repeat(len(turns), 1, 1)
    turn[:, 1, 1] = turn[:, 2, 2] = torch.cos(angle)
    turn[:, 2, 1] = torch.sin(angle)
    turn[:, 1, 2] = -turn[:, 2, 1]
    matrices: Tensor = torch.linalg.inv(into) @ turn @ into
    return matrices.float()


def coloured(pixels: Tensor, colours: Colours) -> Tensor:
    """(B, 3, H, H) float32 of frames (B, H, H, 3) uint8 in other colours; 255 has become 1, nothing is clamped.

    Black stays black: contrast is taken around the mean of what is not black; its offset fades out below a luma of 8.
    """
    planes = pixels.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)
    return coloured_planes(planes, colours)


def coloured_planes(planes: Tensor, colours: Colours) -> Tensor:
    """What `coloured` does, for pixels that are float32 planes (B, 3, H, H) in [0, 255] already."""
    count, size = len(planes), planes.shape[2]
    matrices = colours.matrices / 255.0
    flat = planes.reshape(count, 3, size * size)
    if colours.contrasts is None:
        return torch.bmm(matrices, flat).view(count, 3, size, size)
    luma = torch.tensor(LUMA, device=planes.device)
    # The mean luma of what is not black, from every fourth row and column.
    sampled = (planes[:, :, ::MEAN_STEP, ::MEAN_STEP] * luma.view(3, 1, 1)).sum(1)
    means = sampled.sum((1, 2)) / (sampled > 0).sum((1, 2)).clamp_min(1) * (matrices @ matrices.new_ones(3)).mean(1)
    factors = colours.contrasts.view(-1, 1, 1)
    fade = (luma / FADE).expand(count, 1, 3)
    mixed = torch.bmm(torch.cat([factors * matrices, fade], 1), flat)
    offset = (1.0 - colours.contrasts) * means
    # In place: a new tensor of this size costs more than the sum. Its rows of a fourth channel stay behind.
    changed = mixed[:, :3].addcmul_(mixed[:, 3:].clamp_(max=1.0), offset.view(-1, 1, 1))
    return changed.view(count, 3, size, size)


def around(count: int, channels: int, share: float, generator: torch.Generator) -> Tensor:
    """(B, channels) uniform in [1 - share, 1 + share]."""
    return 1.0 + share * (2.0 * torch.rand(count, channels, generator=generator) - 1.0)
