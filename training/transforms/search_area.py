"""Where the reddest pixel is looked for: inside the field of view, away from its rim."""

import torch
from torch import Tensor

from training.transforms.round_mask import round_mask

DARK = 8
"""Where no field of view is known, pixels whose brightest channel is no brighter than this lie outside it."""
DIRECTIONS = tuple((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0))


def search_area(frames: Tensor, field_of_view: Tensor, rim_px: int) -> Tensor:
    """(B, S, S) bool: pixels of the field of view that are at least `rim_px` from its edge.

    Compression and the capsule's own rim leave a coloured fringe there, which is redder than most tissue. A pixel
    counts when the pixels `rim_px` away in eight directions are inside too: for the circle, the octagon and the square
    of capsules that is the same as to erode them, and costs eight comparisons. Ours; the paper says nothing of rims.

    Args:
        frames: (B, S, S, 3) uint8, black outside the field of view.
        field_of_view: (B, S, S) bool, the field of view itself; or (B,) bool, whether it is round: then the circle that
            touches the sides, elsewhere (octagon, whole frame, none found) what is not dark.
        rim_px: width of the rim; 0: none.
    """
    inside = field_of_view if field_of_view.ndim == 3 else _guessed(frames, field_of_view)
    if rim_px < 1:
        return inside
    padded = torch.nn.functional.pad(inside, (rim_px,) * 4)
    size, area = frames.shape[1], inside.clone()
    for y, x in DIRECTIONS:
        # Diagonal neighbours at the same distance as the straight ones.
        step = rim_px if 0 in (y, x) else round(rim_px * 0.7071)
        top, left = rim_px + y * step, rim_px + x * step
        area &= padded[:, top : top + size, left : left + size]
    return area


def _guessed(frames: Tensor, is_round: Tensor) -> Tensor:
    """(B, S, S) bool from what is known of the shape."""
    circle = round_mask(frames.shape[1], frames.device) > 0
    return torch.where(is_round.view(-1, 1, 1), circle, (frames > DARK).any(3))
