"""The within-instance negative: the frame without its prior view (Vats et al. 2022, WINCon)."""

import torch
from torch import Tensor

from training.transforms.view_draws import Draw
from training.transforms.view_reading import read_views, shrunk


def without_boxes(planes: Tensor, boxes: Tensor) -> Tensor:
    """(B, 3, S, S) float -> the same with the pixels of each frame's box set to zero, exactly.

    Args:
        planes: (B, 3, S, S) float.
        boxes: (B, 4) int64: x_min, y_min, x_max, y_max, half-open.
    """
    place = torch.arange(planes.shape[3], device=planes.device)
    inside = (place >= boxes[:, :2].unsqueeze(2)) & (place < boxes[:, 2:].unsqueeze(2))  # (B, 2, S): along x, along y
    hidden = inside[:, 0].unsqueeze(1) & inside[:, 1].unsqueeze(2)
    return planes.masked_fill(hidden.unsqueeze(1), 0.0)


def win_views(planes: Tensor, boxes: Tensor, win: Draw, side: int) -> Tensor:
    """(B, 3, S, S) float32 in [0, 255] -> (B, 3, W, W) float32 in [0, 1]; of no frames, no views."""
    if not len(planes):
        return planes.new_empty((0, 3, side, side))
    maps = torch.nn.functional.pad(win.turns, (0, 1))
    return read_views(*shrunk(without_boxes(planes, boxes), maps, side), win.colours, side)
