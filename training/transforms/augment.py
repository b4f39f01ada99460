"""Augmentation that suits capsule frames: a batch at once, on the device, each frame with its own parameters.

A capsule has no upright, so rotations and mirrors are free; colour is diagnostic, so it is only nudged.

Close-ups: where boxes say what a label means, it is shown large; ours, not in the papers.

A lesion of a few per cent of a frame vanishes in the average over all positions, and a network with random weights
finds nothing to begin with: on phantom studies both losses stay at chance for hundreds of steps. Shown large it is
learned at once, and what was learned carries over to whole frames. Frames without a box get close-ups too, of a random
place and of the sizes of the others, so that closeness itself says nothing.

Augmentation of clips: all parameters are drawn once a clip and hold for all of its frames.

Xiang et al. 2023, section IV-C: random cropping, horizontal flip, Gaussian blur and colour jitter; their strengths are
not stated, so the defaults are ours. Turns are ours too: a capsule has no upright.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import avg_pool2d, conv2d, grid_sample, pad

from training.compute.round_mask import round_mask
from training.transforms.colour import LUMA, Colours, around, coloured, draw_colours

Rotations = Literal["free", "quarter", "none"]
SIDES = (1.2, 4.0)
"""A close-up is so many times as wide as the box."""
CLOSEST, WIDEST = 0.2, 1.0
"""Bounds of its side, as a share of the frame's."""
WANDER = 0.7
"""How far the box may be from the middle, as a share of the room there is."""
REACH = 0.75
"""How far from the middle of the frame, in half sides, the random places of other frames lie at most."""


def close_ups(maps: Tensor, boxes: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Turn a share of affine maps (B, 2, 3), from output to input coordinates in [-1, 1], into close-ups of boxes.

    Boxes (B, 3) are centre x, y in [-1, 1], and side as a share of the frame's; NaN where there is none.
    """
    has_box = torch.isfinite(boxes).all(1)
    count = len(maps)
    if not has_box.any():
        return maps
    place = torch.rand(count, 4, generator=generator)
    known = boxes[has_box]
    borrowed = known[torch.randint(len(known), (count,), generator=generator), 2]
    angle, radius = place[:, 0] * 2 * math.pi, REACH * place[:, 1].sqrt()
    anywhere = torch.stack([radius * angle.cos(), radius * angle.sin(), borrowed], 1)
    target = torch.where(has_box.unsqueeze(1), boxes, anywhere)  # (B, 3)
    times = SIDES[0] + (SIDES[1] - SIDES[0]) * torch.rand(count, generator=generator)
    side = (target[:, 2] * times).clamp(CLOSEST, WIDEST)
    room = (side - target[:, 2]).clamp_min(0.0).unsqueeze(1)
    centre = target[:, :2] + WANDER * room * (2.0 * place[:, 2:] - 1.0)
    close = torch.cat([maps[:, :, :2] * side.view(-1, 1, 1), centre.unsqueeze(2)], 2)
    chosen = torch.rand(count, generator=generator) < share
    return torch.where(chosen.view(-1, 1, 1), close, maps)


__all__ = ["LUMA", "Augmentation"]

CHUNK_ELEMENTS = 2**20
"""Numbers that a CPU works on at once: what stays in its cache is several times as fast. Other devices take all."""


@dataclass(frozen=True)
class Augmentation:
    """How far frames are changed; shares are half-widths of uniform distributions around "unchanged"."""

    rotations: Rotations = "free"
    """Free angles only where the field of view is round: elsewhere black corners would turn with them."""
    flips: bool = True
    zoom: float = 0.1
    brightness: float = 0.2
    saturation: float = 0.15
    white_balance: float = 0.05
    close_up_share: float = 0.0
    """Share of the frames that are shown as a close-up, where boxes are known; see `close_ups`."""
    contrast: float = 0.0
    """Around the mean of each frame's field of view."""
    hue: float = 0.0
    """In turns of the colour circle; at most half a turn."""
    grey: float = 0.0
    """Share of the frames that are shown without colour."""
    round_mask: bool = False
    """Black outside the largest circle, so that every frame may turn freely; see `round_mask`."""

    def __call__(
        self,
        frames: Tensor,
        is_round: Tensor,
        generator: torch.Generator,
        *,
        size: int | None = None,
        boxes: Tensor | None = None,
    ) -> Tensor:
        """(B, H, H, 3) uint8 RGB -> (B, 3, S, S) float32 in [0, 1], channels last in memory; what is black stays black.

        Args:
            generator: on the CPU; the only source of randomness.
            size: S, the side of the result; H, or half of it, so that close-ups find detail.
            boxes: (B, 3) float on the CPU: centre x, y in [-1, 1] and side as a share of the frame's; NaN: none.
        """
        if frames.ndim != 4 or frames.shape[1] != frames.shape[2] or frames.shape[3] != 3:
            raise ValueError(f"frames must be (B, S, S, 3), not {tuple(frames.shape)}")
        count, device = len(frames), frames.device
        colours, turns = self.drawn(count, is_round.cpu(), generator)
        maps = torch.nn.functional.pad(turns, (0, 1))  # (B, 2, 3)
        if boxes is not None and self.close_up_share:
            maps = close_ups(maps, boxes, self.close_up_share, generator)
        colours, maps = colours.to(device), maps.to(device)
        side = size or frames.shape[1]
        images = torch.empty((count, 3, side, side), device=device, memory_format=torch.channels_last)
        for part in parts_of(frames):
            planes, grid = coloured(frames[part], colours[part]), reading_grid(maps[part], side)
            # Bilinear, black outside; quarter turns are exact.
            read = torch.nn.functional.grid_sample(planes, grid, padding_mode="zeros", align_corners=False)
            images[part] = read.clamp_(0.0, 1.0)
            if self.round_mask:
                images[part] *= round_mask(side, device)
        return images

    def drawn(self, count: int, is_round: Tensor, generator: torch.Generator) -> tuple[Colours, Tensor]:
        """Colours and turns of `count` views: for callers that read other places than whole frames.

        Turns are (N, 2, 2) linear maps around each view's middle, free where a view is round; close-ups and the round
        mask are not among them.
        """
        strengths = self.brightness, self.white_balance, self.saturation, self.contrast, self.hue, self.grey
        colours = draw_colours(count, *strengths, generator)
        may_turn = torch.ones_like(is_round) if self.round_mask else is_round
        turns = random_turns(may_turn, self.rotations, generator, flips=self.flips)
        return colours, turns * (1.0 / around(count, 1, self.zoom, generator)).unsqueeze(2)


def random_turns(may_turn: Tensor, rotations: Rotations, generator: torch.Generator, *, flips: bool) -> Tensor:
    """(B, 2, 2) float32: where each pixel is read, as a linear map around the centre; half of them mirrored.

    Those of `may_turn` (B,) bool turn by any angle where `rotations` is "free", the others by quarters.
    """
    count = len(may_turn)
    quarters = torch.randint(4, (count,), generator=generator) * (math.pi / 2)
    free = torch.rand(count, generator=generator) * (2 * math.pi)
    angle = torch.where(may_turn, free, quarters) if rotations == "free" else quarters
    angle = torch.zeros(count) if rotations == "none" else angle
    mirror = torch.where(torch.rand(count, generator=generator) < 0.5, -1.0, 1.0)
    mirror = mirror if flips else torch.ones(count)
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([cos * mirror, -sin], 1), torch.stack([sin * mirror, cos], 1)], 1)


def parts_of(frames: Tensor) -> Iterator[slice]:
    """All frames at once on an accelerator; on a CPU as many as its cache holds, which is several times as fast."""
    count, size = len(frames), frames.shape[1]
    step = max(1, CHUNK_ELEMENTS // (3 * size * size)) if frames.device.type == "cpu" else max(1, count)
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))


def reading_grid(maps: Tensor, size: int) -> Tensor:
    """(B, S, S, 2) places to read at, what `affine_grid` gives; sums of a row and a column are quicker to make."""
    centres = (2.0 * torch.arange(size, device=maps.device, dtype=maps.dtype) + 1.0) / size - 1.0
    across = maps[:, :, 0].unsqueeze(2) * centres  # (B, 2, S)
    down = maps[:, :, 1].unsqueeze(2) * centres + maps[:, :, 2:]
    return across.transpose(1, 2).unsqueeze(1) + down.transpose(1, 2).unsqueeze(2)


SIGMAS = (0.1, 2.0)
"""Range of a blur's standard deviation in px of a frame of `SIGMA_SIDE` px (MoCo v2's)."""
SIGMA_SIDE = 224


@dataclass(frozen=True)
class ClipAugmentation:
    """How far clips are changed; shares are half-widths of uniform distributions around "unchanged"."""

    size: int
    """S: side of the crops in px."""
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
        """(B, T, R, R, 3) uint8 RGB -> (B, T, 3, S, S) float32 in [0, 1]; what is masked (black) stays black."""
        count, times, side = clips.shape[:3]
        fine = 1 if side <= self.size else 2  # reads of a pixel along each side, whose mean it is
        maps = self._maps(count, is_round.cpu(), generator).to(clips.device)
        colours = draw_colours(
            count, self.brightness, 0.0, self.saturation, self.contrast, self.hue, self.grey, generator
        ).to(clips.device)
        kernels = self._kernels(count, self.size, generator)
        of_frames = torch.arange(count, device=clips.device).repeat_interleave(times)
        frames = coloured(clips.flatten(0, 1), colours[of_frames]).clamp_(0.0, 1.0)
        planes = frames.reshape(count, times * 3, side, side)  # one map for all frames of a clip
        planes = grid_sample(planes, reading_grid(maps, fine * self.size), padding_mode="zeros", align_corners=False)
        planes = avg_pool2d(planes, fine) if fine > 1 else planes
        if self.blur:
            planes = _blurred(planes, kernels.to(planes))
        return planes.view(count, times, 3, self.size, self.size)

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


def _blurred(planes: Tensor, kernels: Tensor) -> Tensor:
    """(B, C, S, S) with each clip's own kernel (B, K), along rows, then along columns; the border is repeated."""
    count, radius = len(planes), kernels.shape[1] // 2
    stacked = pad(planes.transpose(0, 1), (radius, radius, radius, radius), mode="replicate")  # (C, B, ...)
    stacked = conv2d(stacked, kernels.view(count, 1, 1, -1), groups=count)
    return conv2d(stacked, kernels.view(count, 1, -1, 1), groups=count).transpose(0, 1)
