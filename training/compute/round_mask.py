"""The round field of view of a square frame."""

from functools import lru_cache

import torch
from torch import Tensor


@lru_cache(maxsize=16)
def round_mask(size: int, device: torch.device) -> Tensor:
    """(S, S) float32: 1 where a pixel's centre lies within S / 2 of the middle, else 0. Not to be written to.

    The mask on every frame in Pascual et al. 2022, section 4.2: a radius of 128 px at 256 x 256.
    """
    places = torch.arange(size, device=device, dtype=torch.float32) - (size - 1) / 2
    squares = places.square()
    return ((squares.unsqueeze(1) + squares) <= (size / 2) ** 2).to(torch.float32)
