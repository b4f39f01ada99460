"""Where the reddest pixel is looked for: inside the field of view, away from its rim."""

from functools import lru_cache

import torch
from torch import Tensor

from training.transforms.round_mask import round_mask

RIM_SHARE = 0.02
"""Width of the rim as a share of the frame's side."""
DARK = 8
"""Where no field of view is known, pixels none of whose channels reaches this lie outside it; a power of two."""
DIRECTIONS = tuple((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0))


def search_area(frames: Tensor, field_of_view: Tensor, rim_px: int) -> Tensor:
    """Pixels of the field of view that are at least `rim_px` from its edge.

    Compression and the capsule's own rim leave a coloured fringe there, which is redder than most tissue. A pixel
    counts when the pixels `rim_px` away in eight directions are inside too: for the circle, the octagon and the square
    of capsules that is the same as to erode them, and costs eight comparisons. Ours; the paper says nothing of rims.

    Args:
        frames: (B, S, S, 3) uint8, black outside the field of view.
        field_of_view: (B, S, S) bool, the field of view itself; or (B,) bool, whether it is round: then the circle that
            touches the sides, elsewhere (octagon, whole frame, none found) what is not dark.
        rim_px: width of the rim; 0: none.

    Returns:
        (B, S, S) bool; (1, S, S) where it is the same for all frames.
    """
    size = frames.shape[1]
    if field_of_view.ndim == 3:
        return without_rim(field_of_view, rim_px)
    circle = _round_area(size, rim_px, frames.device)
    if field_of_view.all():
        return circle
    # Channels are joined bit by bit: the greatest power of two in any of them stays.
    lit = (frames[..., 0] | frames[..., 1] | frames[..., 2]) >= DARK
    return torch.where(field_of_view.view(-1, 1, 1), circle, without_rim(lit, rim_px))


def without_rim(inside: Tensor, rim_px: int) -> Tensor:
    """(B, S, S) bool, less a rim; what lies beyond the frame is outside."""
    if rim_px < 1:
        return inside
    padded = torch.nn.functional.pad(inside, (rim_px,) * 4)
    height, width = inside.shape[1:]
    area = inside.clone()
    for y, x in DIRECTIONS:
        # Diagonal neighbours at the same distance as the straight ones.
        step = rim_px if 0 in (y, x) else round(rim_px * 0.7071)
        top, left = rim_px + y * step, rim_px + x * step
        area &= padded[:, top : top + height, left : left + width]
    return area


@lru_cache(maxsize=16)
def _round_area(size: int, rim_px: int, device: torch.device) -> Tensor:
    """(1, S, S) bool: not to be written to."""
    return without_rim((round_mask(size, device) > 0).unsqueeze(0), rim_px)
