"""The prior of redness: a fixed square around the pixel of highest a* (Vats et al. 2022, prior view)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from training.transforms.lab import a_star
from training.transforms.search_area import search_area

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
    """Find the reddest pixel of each frame and put the square around it; at the frame's edges it is moved inwards.

    Ties (a saturated stain has many equal pixels): the one nearest to the middle of all that are equal, then the upper,
    then the left one. Rims: see `search_area`. Where the highest a* is below `least_redness`, or the search area is
    empty (all black, no field of view), the square is in the middle of the frame. All three are ours.

    Args:
        frames: (B, S, S, 3) uint8.
        field_of_view: (B, S, S) bool or (B,) bool, as `search_area` takes it.
        sides_px: (B,) int64, side of each frame's square, in [1, S].
        rim_px: width of the rim that is not searched.
        least_redness: a* below which nothing counts as red.
    """
    size = frames.shape[1]
    redness = a_star(frames)
    # Added and not filled in: a sum with what is the same for all frames costs a tenth.
    redness += torch.zeros((), device=frames.device).where(search_area(frames, field_of_view, rim_px), float("-inf"))
    rows = redness.amax(2)
    best = rows.amax(1)
    found = best >= least_redness
    points = _middle_of_ties(redness, rows == best.masked_fill(~found, float("inf")).unsqueeze(1))
    points = torch.where(found.unsqueeze(1), points, size // 2)
    sides = sides_px.unsqueeze(1)
    least = torch.minimum((points - sides // 2).clamp_min(0), size - sides)
    return PriorSquares(torch.cat([least, least + sides], 1), points, found)


def _middle_of_ties(redness: Tensor, is_best: Tensor) -> Tensor:
    """(B, 2) int64: x, y of the best pixel nearest to the mean of all best ones; 0, 0 without any.

    Args:
        redness: (B, S, S) float32.
        is_best: (B, S) bool: the rows that hold the best pixels.
    """
    count, size = is_best.shape
    frames, rows = is_best.nonzero(as_tuple=True)
    found = redness[frames, rows]  # few rows: cheaper than to look through all pixels again
    row, x = (found == found.amax(1, keepdim=True)).nonzero(as_tuple=True)
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
