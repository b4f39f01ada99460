"""The views of a batch, and making them in parts that a CPU keeps in its cache."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from training.transforms.augment import CHUNK_ELEMENTS
from training.transforms.jigsaw import TILES, check_frames


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
