"""The within-instance negative: the frame without its prior view (Vats et al. 2022, WINCon)."""

import torch
from torch import Tensor


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
