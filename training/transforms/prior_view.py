"""The prior of redness: a fixed square around the pixel of highest a* (Vats et al. 2022, prior view).

The pixel is looked for inside the field of view, away from its rim.

The a* of CIELAB, by which tissue counts as red: exact for every colour of 8 bits, a batch at once.
"""

from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from training.compute.round_mask import round_mask

# sRGB (IEC 61966-2-1, D65) to X and Y, X divided by that of the white point.
TO_X = (0.412453 / 0.950456, 0.357580 / 0.950456, 0.180423 / 0.950456)
TO_Y = (0.212671, 0.715160, 0.072169)
BEND, SLOPE = 216 / 24389, 24389 / 27 / 116
"""CIE 1976: the cube root above the bend, a straight line of this slope below it."""
SCALE = 500.0


def a_star(frames: Tensor) -> Tensor:
    """How red (positive) or green (negative) pixels are: 500 (f(X / Xn) - f(Y / Yn)), CIE 1976, of (B, H, W, 3) sRGB.

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


PUBLISHED_SIDES = ((336, 100), (576, 150))
"""The paper's squares: side of the study's frames and of the square, in px."""


@dataclass(frozen=True)
class PriorSquares:
    """Where the prior view of each frame lies."""

    boxes: Tensor
    """(B, 4) int64: x_min, y_min, x_max, y_max in px of the frame, half-open, all inside it."""
    points: Tensor
    """(B, 2) int64: x, y of the pixel of highest a*; the frame's middle where none was found."""
    found: Tensor
    """(B,) bool: False where nothing was red or no field of view was found, and the square is in the middle."""


def prior_share(study_px: int) -> float:
    """Side of the prior square as a share of the frame's, for a study whose frames have `study_px` px.

    The paper has 100 of 336 px and 150 of 576 px; in between the side is interpolated, beyond them the share
    stays (ours).
    """
    (small, short), (large, long) = PUBLISHED_SIDES
    place = min(max(study_px, small), large)
    return (short + (long - short) * (place - small) / (large - small)) / place


def prior_squares(
    frames: Tensor, field_of_view: Tensor, sides_px: Tensor, *, rim_px: int, least_redness: float
) -> PriorSquares:
    """Find the reddest pixel of each frame and put the square around it; at the frame's edges it is moved inwards
    (ours).

    Ties (a saturated stain has many equal pixels): the one nearest to the middle of all that are equal, then the upper,
    then the left one. Rims: see `search_area`. Where the highest a* is below `least_redness`, or the search area is
    empty (all black, no field of view), the square is in the middle of the frame. All three are ours.

    Args:
        sides_px: (B,) int64, side of each frame's square, in [1, S].
        least_redness: a* below which nothing counts as red.
    """
    size = frames.shape[1]
    redness = a_star(frames)
    # Added and not filled in: a sum with what is the same for all frames costs a tenth.
    redness += torch.zeros((), device=frames.device).where(search_area(frames, field_of_view, rim_px), float("-inf"))
    rows = redness.amax(2)
    best = rows.amax(1)
    result = best >= least_redness
    points = _middle_of_ties(redness, rows == best.masked_fill(~result, float("inf")).unsqueeze(1))
    points = torch.where(result.unsqueeze(1), points, size // 2)
    sides = sides_px.unsqueeze(1)
    least = torch.minimum((points - sides // 2).clamp_min(0), size - sides)
    return PriorSquares(torch.cat([least, least + sides], 1), points, result)


def _middle_of_ties(redness: Tensor, is_best: Tensor) -> Tensor:
    """(B, 2) x, y of the best pixel (of B, S, S) nearest to the mean of all best ones; 0, 0 without any."""
    count, size = is_best.shape
    frames, rows = is_best.nonzero(as_tuple=True)
    result = redness[frames, rows]  # few rows: cheaper than to look through all pixels again
    row, x = (result == result.amax(1, keepdim=True)).nonzero(as_tuple=True)
    frame, y = frames[row], rows[row]
    places = torch.stack([x, y], 1)
    # In whole numbers, so that every device sums the same: n (place - mean) = n place - sum.
    number = torch.bincount(frame, minlength=count)
    total = places.new_zeros((count, 2)).index_add_(0, frame, places)
    distance = (places * number[frame].unsqueeze(1) - total[frame]).square().sum(1)
    nearest = torch.full_like(number, torch.iinfo(torch.int64).max).scatter_reduce_(0, frame, distance, "amin")
    flat = torch.where(distance == nearest[frame], y * size + x, size * size)
    first = torch.full_like(number, size * size).scatter_reduce_(0, frame, flat, "amin") % (size * size)
    return torch.stack([first % size, first // size], 1)
