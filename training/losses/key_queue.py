"""The queue of keys of momentum contrast (Xiang et al. 2023, section IV-C; He et al. 2020): first in, first out."""

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize


class KeyQueue(nn.Module):
    """K keys (K, D) float32 of length one in the network's state, where checkpoints find them.

    It starts with random directions, as MoCo's.
    """

    keys: Tensor
    place: Tensor
    """() int64: the oldest key, which is replaced next."""

    def __init__(self, count: int, width: int, seed: int = 0) -> None:
        super().__init__()
        drawn = torch.randn(count, width, generator=torch.Generator().manual_seed(seed))
        self.register_buffer("keys", normalize(drawn, dim=1))
        self.register_buffer("place", torch.zeros((), dtype=torch.int64))

    def __len__(self) -> int:
        return len(self.keys)

    @torch.no_grad()
    def push_(self, keys: Tensor) -> None:
        """Replace the oldest keys by these (B, D), in their order; of more than K the last K stay."""
        newest, skipped = keys[-len(self) :], max(len(keys) - len(self), 0)
        first = int(self.place) + skipped
        rows = (first + torch.arange(len(newest), device=self.keys.device)) % len(self)
        self.keys[rows] = newest.to(self.keys)
        self.place.fill_((int(self.place) + len(keys)) % len(self))
