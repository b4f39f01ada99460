"""The within-instance negative: the frame without its prior view (Vats et al. 2022, WINCon)."""

import torch
from torch import Tensor

from training.transforms.view_draws import Draw
from training.transforms.view_reading import planes_of, read_views


def without_boxes(frames: Tensor, boxes: Tensor) -> Tensor:
    """The same frames with the pixels of each one's box set to zero, exactly.

    Args:
        frames: (B, S, S, 3) uint8; not changed.
        boxes: (B, 4) int64: x_min, y_min, x_max, y_max, half-open.
    """
    count, size = frames.shape[:2]
    place = torch.arange(size, device=frames.device)
    outside = (place < boxes[:, :2].unsqueeze(2)) | (place >= boxes[:, 2:].unsqueeze(2))  # (B, 2, S): along x, along y
    # All bits or none, and rows of bytes instead of pixels of three: whole registers are joined at once.
    bits = outside.to(torch.uint8) * 255
    kept = bits[:, 0].repeat_interleave(3, 1).unsqueeze(1) | bits[:, 1].unsqueeze(2)
    return (frames.reshape(count, size, 3 * size) & kept).view_as(frames)


def win_views(frames: Tensor, boxes: Tensor, win: Draw, out: Tensor) -> None:
    """Hide the boxes of frames (B, S, S, 3) uint8, then change them into `out` (B, 3, W, W) float32 in [0, 1]."""
    planes = planes_of(without_boxes(frames, boxes), out.shape[3])
    read_views(planes, torch.nn.functional.pad(win.turns, (0, 1)), win.colours, out)
