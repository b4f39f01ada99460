"""The views of a batch, and making them in parts that a CPU keeps in its cache."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from training.transforms.augment import CHUNK_ELEMENTS


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


def in_parts(frames: Tensor, some: Callable[[slice], PgconViews]) -> PgconViews:
    """All views at once on an accelerator; on a CPU a few frames at a time, which is several times as fast.

    Args:
        frames: (B, S, S, 3) uint8, B at least 1.
        some: makes the views of a part of them.
    """
    count, size = len(frames), frames.shape[1]
    step = max(1, CHUNK_ELEMENTS // (3 * size * size)) if frames.device.type == "cpu" else count
    parts = [some(slice(start, start + step)) for start in range(0, count, step)]
    if len(parts) == 1:
        return parts[0]
    columns = [[vars(part)[name] for part in parts] for name in vars(parts[0])]
    return PgconViews(*(torch.cat(column) for column in columns))
