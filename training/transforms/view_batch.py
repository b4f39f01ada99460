"""The views of a batch, and making them in parts that a CPU keeps in its cache.

One view is nine tiles of the frame in random order (Vats et al. 2022, distorted view; Misra and van der Maaten 2020,
PIRL).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from training.errors import UserError
from training.transforms.augment import CHUNK_ELEMENTS

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
            "Frames of {size} px are too small for nine tiles and a prior view.",
            "Set the side of the frames to {across} px or more; 128 and more are sensible.",
            size,
            ACROSS * LEAST_TILE_PX,
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


@dataclass(frozen=True)
class PgconViews:
    """Views of B frames; pictures are float32 in [0, 1], not normalised."""

    prior: Tensor
    """(B, 3, P, P): the prior view; of PIRL the random one."""
    tiles: Tensor
    """(B, 9, 3, t, t): the tiles of the distorted view, in the order shown."""
    order: Tensor
    """(B, 9) int64: which tile of the frame (row by row) each place shows."""
    win: Tensor
    """(B, 3, W, W): the WIN view; (0, 3, W, W) where it was not asked for."""
    boxes: Tensor
    """(B, 4) int64: the square of `prior` in px of the frame: x_min, y_min, x_max, y_max, half-open."""
    shared: Tensor
    """(B, 9) bool: which tiles, in the order shown, overlap that square."""
    found: Tensor
    """(B,) bool: False where nothing was red, and the square is in the middle; of PIRL always False."""


def empty_views(frames: Tensor, view_size: int, tile_size: int, win_size: int, has_win: bool) -> PgconViews:
    """Room for the views of frames (B, S, S, 3): memory is asked for once, and every part writes into it."""
    count = check_frames(frames)

    def room(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        return torch.empty(shape, dtype=dtype, device=frames.device)

    return PgconViews(
        prior=room(count, 3, view_size, view_size),
        tiles=room(count, TILES, 3, tile_size, tile_size),
        order=room(count, TILES, dtype=torch.int64),
        win=room(count if has_win else 0, 3, win_size, win_size),
        boxes=room(count, 4, dtype=torch.int64),
        shared=room(count, TILES, dtype=torch.bool),
        found=torch.zeros(count, dtype=torch.bool, device=frames.device),
    )


def parts_of(frames: Tensor) -> Iterator[slice]:
    """All frames at once on an accelerator; on a CPU as many as its cache holds, which is several times as fast."""
    count, size = len(frames), frames.shape[1]
    step = max(1, CHUNK_ELEMENTS // (3 * size * size)) if frames.device.type == "cpu" else count
    for start in range(0, count, step):
        yield slice(start, min(start + step, count))
