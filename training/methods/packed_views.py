"""Views of different sizes as one tensor, a row for each frame: so the loop, chunks and ranks see an ordinary batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import torch
from torch import Tensor


@dataclass(frozen=True)
class PackedViews:
    """The shapes of a frame's views and how they lie in a row of (B, P)."""

    shapes: tuple[tuple[int, ...], ...]
    """Of each view without the batch: (3, S, S), or (9, 3, T, T) for tiles."""

    def pack(self, views: Sequence[Tensor]) -> Tensor:
        """Views (B, *shape) each -> (B, P) float."""
        found = tuple(tuple(view.shape[1:]) for view in views)
        if found != self.shapes:
            raise ValueError(f"the views have the shapes {found}, not {self.shapes}")
        return torch.cat([view.flatten(1) for view in views], 1)

    def unpack(self, packed: Tensor) -> tuple[Tensor, ...]:
        """(B, P) -> the views, looking at the same memory."""
        parts = torch.split(packed, [prod(shape) for shape in self.shapes], 1)
        return tuple(part.view(len(packed), *shape) for part, shape in zip(parts, self.shapes, strict=True))
