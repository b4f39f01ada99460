"""Squares of frames, read and recoloured: what the prior view, the tiles and the WIN view have in common."""

import torch
from torch import Tensor

from training.transforms.augment import reading_grid
from training.transforms.colour import Colours, coloured_planes


def planes_of(frames: Tensor) -> Tensor:
    """(B, S, S, 3) uint8 -> (B, 3, S, S) float32 in [0, 255], contiguous."""
    return frames.permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)


def square_maps(boxes: Tensor, maps: Tensor, size: int) -> Tensor:
    """Affine maps that read squares of a frame.

    Args:
        boxes: (N, 4) float or int: x_min, y_min, x_max, y_max in px, half-open.
        maps: (N, 2, 2) float32: how each square is turned, mirrored and zoomed around its own middle.
        size: side of the frames (S).

    Returns:
        (N, 2, 3) float32 from coordinates of the result to those of the frame, both in [-1, 1].
    """
    places = boxes.to(torch.float32) * (2.0 / size) - 1.0
    half = (places[:, 2:] - places[:, :2]) / 2.0
    return torch.cat([half.unsqueeze(2) * maps, (places[:, :2] + half).unsqueeze(2)], 2)


def read_views(planes: Tensor, maps: Tensor, colours: Colours, side: int) -> Tensor:
    """Read V squares of each frame in one pass, then change their colours.

    Args:
        planes: (B, 3, S, S) float32 in [0, 255].
        maps: (B * V, 2, 3) float32, the squares of a frame one after the other.
        colours: of the B * V views.
        side: side of the views (T).

    Returns:
        (B * V, 3, T, T) float32 in [0, 1]; black where a view reaches beyond the frame.
    """
    count = len(planes)
    grid = reading_grid(maps, side).reshape(count, -1, side, 2)  # the views of a frame below one another
    read = torch.nn.functional.grid_sample(planes, grid, padding_mode="zeros", align_corners=False)
    views = read.view(count, 3, -1, side, side).transpose(1, 2).reshape(-1, 3, side, side)
    return coloured_planes(views, colours).clamp_(0.0, 1.0)


def shrunk(planes: Tensor, maps: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Average frames over whole blocks before they are read at less than half their size: no detail is skipped.

    Args:
        planes: (B, 3, S, S) float32.
        maps: (B, 2, 3) float32 that read them.
        side: of the result (T).

    Returns:
        (B, 3, S // k, S // k) with k the whole part of S / T, and the maps that read the same places there.
    """
    size = planes.shape[3]
    step = size // side
    if step < 2:
        return planes, maps
    # Blocks that are not full, at the right and lower edges, are not used: so much of the side is left.
    kept = (size // step) * step / size
    maps = torch.cat([maps[..., :2], maps[..., 2:] + (1.0 - kept)], 2) / kept
    return torch.nn.functional.avg_pool2d(planes, step), maps
