"""Close-ups: where boxes say what a label means, it is shown large; ours, not in the papers.

A lesion of a few per cent of a frame vanishes in the average over all positions, and a network with random weights
finds nothing to begin with: on phantom studies both losses stay at chance for hundreds of steps. Shown large it is
learned at once, and what was learned carries over to whole frames. Frames without a box get close-ups too, of a random
place and of the sizes of the others, so that closeness itself says nothing.
"""

import math

import torch
from torch import Tensor

SIDES = (1.2, 4.0)
"""A close-up is so many times as wide as the box."""
CLOSEST, WIDEST = 0.2, 1.0
"""Bounds of its side, as a share of the frame's."""
WANDER = 0.7
"""How far the box may be from the middle, as a share of the room there is."""
REACH = 0.75
"""How far from the middle of the frame, in half sides, the random places of other frames lie at most."""


def close_ups(maps: Tensor, boxes: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Turn a share of affine maps into close-ups.

    Args:
        maps: (B, 2, 3) float32, output to input coordinates in [-1, 1], without translation.
        boxes: (B, 3) float: centre x, y in [-1, 1], side as a share of the frame's; NaN where there is none.
        share: of frames to be changed, in [0, 1].
        generator: on the CPU.

    Returns:
        (B, 2, 3); unchanged where no frame of the batch has a box.
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
