"""Nine tiles of a frame in random order (Vats et al. 2022, distorted view; Misra and van der Maaten 2020, PIRL)."""

import torch
from torch import Tensor

from training.errors import UserError

TILES = 9
ACROSS = 3
LEAST_TILE_PX = 8
"""Below this a tile says nothing, and the frame is refused."""


def check_frames(frames: Tensor) -> int:
    """How many frames there are: (B, S, S, 3) uint8, else `ValueError`; too small for nine tiles: `UserError`."""
    if frames.ndim != 4 or frames.shape[1] != frames.shape[2] or frames.shape[3] != 3 or frames.dtype != torch.uint8:
        raise ValueError(f"frames must be (B, S, S, 3) uint8, not {tuple(frames.shape)} {frames.dtype}")
    if not len(frames):
        raise ValueError("at least one frame is needed")
    size = frames.shape[1]
    if size < ACROSS * LEAST_TILE_PX:
        raise UserError(
            f"Frames of {size} px are too small for nine tiles and a prior view.",
            f"Set the side of the frames to {ACROSS * LEAST_TILE_PX} px or more; 128 and more are sensible.",
        )
    return len(frames)


def tile_boxes(size: int, device: torch.device) -> Tensor:
    """(9, 4) int64: x_min, y_min, x_max, y_max of the tiles, row by row; half-open, together the whole frame."""
    edges = torch.arange(ACROSS + 1, device=device) * size // ACROSS
    number = torch.arange(TILES, device=device)
    column, row = number % ACROSS, number // ACROSS
    return torch.stack([edges[column], edges[row], edges[column + 1], edges[row + 1]], 1)


def random_order(count: int, generator: torch.Generator) -> Tensor:
    """(B, 9) int64 on the CPU: which tile is shown at each place, every order equally likely."""
    return torch.rand(count, TILES, generator=generator, dtype=torch.float64).argsort(1)


def overlapping(tiles: Tensor, boxes: Tensor) -> Tensor:
    """(B, 9) bool: which tiles share at least a pixel with each frame's box.

    Args:
        tiles: (9, 4) int64, as `tile_boxes` gives them.
        boxes: (B, 4) int64, half-open.
    """
    starts, stops = tiles[None, :, :2], tiles[None, :, 2:]
    return ((starts < boxes[:, None, 2:]) & (boxes[:, None, :2] < stops)).all(2)
