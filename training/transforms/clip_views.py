"""Augmentation of clips: all parameters are drawn once a clip and hold for all of its frames.

Xiang et al. 2023, section IV-C: random cropping, horizontal flip, Gaussian blur and colour jitter; their strengths are
not stated, so the defaults are ours. Turns are ours too: a capsule has no upright.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import conv2d, grid_sample, pad

from training.transforms.augment import Rotations, random_turns, reading_grid
from training.transforms.colour import Colours, coloured, draw_colours

SIGMAS = (0.1, 2.0)
"""Range of a blur's standard deviation in px of a frame of `SIGMA_SIDE` px (MoCo v2's)."""
SIGMA_SIDE = 224


@dataclass(frozen=True)
class ClipAugmentation:
    """How far clips are changed; shares are half-widths of uniform distributions around "unchanged"."""

    least_area: float = 0.5
    """Smallest share of a frame in a crop, which is square."""
    flips: bool = True
    """Half of the clips are mirrored."""
    rotations: Rotations = "none"
    """Free angles only where the field of view is round."""
    brightness: float = 0.0
    contrast: float = 0.0
    """Around the mean of each frame's field of view."""
    saturation: float = 0.0
    hue: float = 0.0
    grey: float = 0.0
    """Share of the clips that are shown without colour."""
    blur: float = 0.0
    """Share of the clips that are blurred."""

    def __call__(self, clips: Tensor, is_round: Tensor, generator: torch.Generator) -> Tensor:
        """(B, T, S, S, 3) uint8 RGB -> (B, T, 3, S, S) float32 in [0, 1].

        Args:
            clips: prepared frames; what is masked (black) stays black.
            is_round: (B,) bool.
            generator: on the CPU; the only source of randomness.
        """
        count, times, side = clips.shape[:3]
        maps = self._maps(count, is_round.cpu(), generator).to(clips.device)
        colours = draw_colours(
            count, self.brightness, 0.0, self.saturation, self.contrast, self.hue, self.grey, generator
        ).to(clips.device)
        kernels = self._kernels(count, side, generator)
        frames = coloured(clips.flatten(0, 1), _repeated(colours, times)).clamp_(0.0, 1.0)
        planes = frames.reshape(count, times * 3, side, side)  # one map for all frames of a clip
        planes = grid_sample(planes, reading_grid(maps, side), padding_mode="zeros", align_corners=False)
        if self.blur:
            planes = _blurred(planes, kernels.to(planes))
        return planes.view(count, times, 3, side, side)

    def _maps(self, count: int, is_round: Tensor, generator: torch.Generator) -> Tensor:
        """(B, 2, 3) float32: where a clip is read, in [-1, 1] from its frames' middle."""
        area = self.least_area + (1 - self.least_area) * torch.rand(count, generator=generator)
        side = area.sqrt()
        centre = (1 - side).unsqueeze(1) * (2 * torch.rand(count, 2, generator=generator) - 1)
        turn = random_turns(is_round, self.rotations, generator, flips=self.flips) * side.view(-1, 1, 1)
        return torch.cat([turn, centre.unsqueeze(2)], 2)

    def _kernels(self, count: int, side: int, generator: torch.Generator) -> Tensor:
        """(B, K) float32 with sum 1; 1 in the middle of a clip that is not blurred."""
        low, high = (sigma * side / SIGMA_SIDE for sigma in SIGMAS)
        sigma = low + (high - low) * torch.rand(count, 1, generator=generator)
        is_blurred = torch.rand(count, 1, generator=generator) < self.blur
        radius = max(1, math.ceil(3 * high))
        places = torch.arange(-radius, radius + 1, dtype=torch.float32)
        gauss = torch.exp(-0.5 * (places / sigma) ** 2)
        return torch.where(is_blurred, gauss / gauss.sum(1, keepdim=True), (places == 0).float())


def _repeated(colours: Colours, times: int) -> Colours:
    """Each clip's colours for each of its frames."""
    contrasts = None if colours.contrasts is None else colours.contrasts.repeat_interleave(times)
    return Colours(colours.matrices.repeat_interleave(times, 0), contrasts)


def _blurred(planes: Tensor, kernels: Tensor) -> Tensor:
    """(B, C, S, S) with each clip's own kernel (B, K), along rows, then along columns; the border is repeated."""
    count, radius = len(planes), kernels.shape[1] // 2
    stacked = pad(planes.transpose(0, 1), (radius, radius, radius, radius), mode="replicate")  # (C, B, ...)
    stacked = conv2d(stacked, kernels.view(count, 1, 1, -1), groups=count)
    return conv2d(stacked, kernels.view(count, 1, -1, 1), groups=count).transpose(0, 1)
