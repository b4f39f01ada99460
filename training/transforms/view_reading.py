"""Squares of frames, read and recoloured: what the prior view, the tiles and the WIN view have in common."""

import torch
from torch import Tensor

from training.transforms.augment import reading_grid
from training.transforms.colour import Colours, coloured_planes


def planes_of(frames: Tensor, side: int | None = None) -> Tensor:
    """(B, S, S, 3) uint8 -> (B, 3, S, S) float32 in [0, 255], channels last in memory; smaller where `side` is below S.

    What is made smaller is averaged on the way (antialiased), so that no detail is skipped when whole frames are shown
    at less than their size; Apple's devices only interpolate.
    """
    planes = frames.permute(0, 3, 1, 2)
    if side is None or side >= frames.shape[1]:
        return planes.float()
    # On a CPU bytes are averaged several times as fast as floats; they are rounded to whole steps of 255.
    planes = planes if frames.device.type == "cpu" else planes.float()
    antialias = frames.device.type != "mps"
    return torch.nn.functional.interpolate(planes, size=(side, side), mode="bilinear", antialias=antialias).float()


def square_maps(boxes: Tensor, turns: Tensor, size: int) -> Tensor:
    """Affine maps that read squares of a frame.

    Args:
        boxes: (N, 4) float or int: x_min, y_min, x_max, y_max in px, half-open.
        turns: (N, 2, 2) float32: how each square is turned, mirrored and zoomed around its own middle.
        size: side of the frames (S).

    Returns:
        (N, 2, 3) float32 from coordinates of the result to those of the frame, both in [-1, 1].
    """
    places = boxes.to(torch.float32) * (2.0 / size) - 1.0
    half = (places[:, 2:] - places[:, :2]) / 2.0
    return torch.cat([half.unsqueeze(2) * turns, (places[:, :2] + half).unsqueeze(2)], 2)


def read_views(planes: Tensor, maps: Tensor, colours: Colours, out: Tensor) -> None:
    """Read V squares of each frame in one pass, then change their colours.

    Args:
        planes: (B, 3, S, S) float32 in [0, 255].
        maps: (B * V, 2, 3) float32, the squares of a frame one after the other.
        colours: of the B * V views.
        out: (B * V, 3, T, T) float32: filled, in [0, 1]; black where a view reaches beyond the frame.
    """
    count, side = len(planes), out.shape[3]
    grid = reading_grid(maps, side).reshape(count, -1, side, 2)  # the views of a frame below one another
    read = torch.nn.functional.grid_sample(planes, grid, padding_mode="zeros", align_corners=False)
    views = read.view(count, 3, -1, side, side).transpose(1, 2).reshape(-1, 3, side, side)
    torch.clamp(coloured_planes(views, colours), 0.0, 1.0, out=out)
