"""A memory of every frame of a data set: one moving average of its embedding each (Wu et al. 2018; Misra, PIRL 2020).

Vats et al. 2022 name the memory and its moving average; its factor, its start, its precision and the length of one are
ours. A row that no batch held yet is zero, alike to nothing, and takes the first embedding whole; `start="random"`
begins with random directions instead, as the first memory banks did. Half precision: a direction's 128 numbers need no
more digits than its noise.
"""

import copy
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from training.errors import UserError, writing
from training.texts import Text

BankStart = Literal["first", "random"]
BLOCK = 8192
"""Rows that are filled at once."""


class MemoryBank(nn.Module):
    """N directions (N, D) float16: in the network's state where checkpoints find it, on its device or on disk."""

    vectors: Tensor
    is_memory = True
    """Only the first process of a training has it, see `training.optimisation.ranks`."""

    def __init__(
        self,
        frames: int,
        width: int = 128,
        *,
        momentum: float = 0.5,
        start: BankStart = "first",
        seed: int = 0,
        folder: Path | None = None,
        copies: int = 0,
    ) -> None:
        """See `PretrainConfig`.

        Args:
            frames: N.
            width: D.
            momentum: share of a row that stays when its frame is seen again, in [0, 1).
            start: "first": rows are zero until their frame is seen; "random": random directions.
            seed: of random directions.
            folder: the bank lies in a mapped file there instead of in memory, whatever the network's device is. The
                file has no name once it is mapped, and ends with the bank; on Windows, which forbids that, who gives
                the folder removes `bank-*.tmp` in the end.
            copies: of the bank that will lie on that disk too, in checkpoints: there must be room for all.

        Raises:
            UserError: the disk has no room for the file and its copies.
        """
        super().__init__()
        self.momentum, self._folder = momentum, folder
        self.register_buffer("vectors", _zeros((frames, width), folder, copies))
        if start == "random":
            generator = torch.Generator().manual_seed(seed)
            for part in torch.split(self.vectors, BLOCK):
                part.copy_(normalize(torch.randn(part.shape, generator=generator), dim=1))

    @staticmethod
    def nbytes(frames: int, width: int = 128) -> int:
        """Bytes of a bank, in memory or on disk."""
        return frames * width * 2

    def __len__(self) -> int:
        return len(self.vectors)

    def of(self, rows: Tensor) -> Tensor:
        """Rows (...) int64 -> their vectors (..., D) float32 on the device of `rows`; zero where never seen."""
        # Row by row; indexing would copy number by number.
        result = self.vectors.index_select(0, rows.reshape(-1).to(self.vectors.device)).to(rows.device).float()
        return result.view(*rows.shape, -1)

    @torch.no_grad()
    def update_(self, rows: Tensor, embeddings: Tensor) -> None:
        """`R_i <- m R_i + (1 - m) z_i`, both of length one and the result too, for the rows of a batch, each once."""
        before, now = self.of(rows), normalize(embeddings.detach().float(), dim=1)
        share = self.momentum * (before != 0).any(1, keepdim=True)
        after = normalize(share * before + (1 - share) * now, dim=1)
        self.vectors[rows.to(self.vectors.device)] = after.to(self.vectors)

    def _apply(self, fn: Any, recurse: bool = True) -> "MemoryBank":
        """A bank on disk stays there when its network moves to a device."""
        return self if self._folder is not None else super()._apply(fn, recurse)  # type: ignore[no-untyped-call]

    def __deepcopy__(self, memo: dict[int, Any]) -> "MemoryBank":
        """A copy of a bank on disk lies on disk too: a trial must not fill the memory."""
        result = self.__class__.__new__(self.__class__)
        nn.Module.__init__(result)
        result.momentum, result._folder = self.momentum, self._folder
        vectors = (
            copy.deepcopy(self.vectors, memo)
            if self._folder is None
            else _zeros((len(self), self.vectors.shape[1]), self._folder, 0)
        )
        result.register_buffer("vectors", vectors if self._folder is None else vectors.copy_(self.vectors))
        return result


def draw_negatives(rows: Tensor, frames: int, count: int, generator: torch.Generator) -> Tensor:
    """Other rows of the bank for each row of a batch: (B,) -> (B, K) int64 on the CPU, K = min(count, frames - 1).

    Drawn independently, never the row itself (Vats et al. 2022, eq. 1 and 2: j != i), evenly and with replacement
    (ours); where the data hold no more than `count` others, all of them, each once (ours).
    """
    own = rows.cpu().unsqueeze(1)
    if frames - 1 <= count:
        drawn = torch.arange(frames - 1).expand(len(rows), -1)
    else:
        drawn = torch.randint(frames - 1, (len(rows), count), generator=generator)
    return drawn + (drawn >= own).long()


def _zeros(shape: tuple[int, int], folder: Path | None, copies: int) -> Tensor:
    """float16 zeros in memory, or in a new file that takes its room at once."""
    if folder is None:
        return torch.zeros(shape, dtype=torch.float16)
    nbytes = MemoryBank.nbytes(*shape)
    wanted, free = nbytes * (1 + copies), shutil.disk_usage(folder).free
    if wanted > free:
        with_copies = Text(", {wanted:,.1f} GB with its copies in {copies} checkpoints,", wanted / 1e9, copies)
        raise UserError(
            "The memory bank of {frames:,} frames takes {size:,.1f} GB{with_copies} in {folder}, where {free:,.1f} GB "
            "are free.",
            "Free some disk space, choose another folder for the run, or use fewer frames.",
            shape[0],
            nbytes / 1e9,
            with_copies if copies else "",
            folder,
            free / 1e9,
        )
    return _mapped(shape, folder)


def _mapped(shape: tuple[int, int], folder: Path) -> Tensor:
    """Zeros in a file whose room is taken at once: a mapped file that finds the disk full later ends the process."""
    nbytes = MemoryBank.nbytes(*shape)
    handle, name = tempfile.mkstemp(".tmp", "bank-", folder)
    try:
        with writing(Path(name)):
            with os.fdopen(handle, "wb") as file:
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, nbytes)
                else:
                    file.truncate(nbytes)
            return torch.from_file(name, shared=True, size=shape[0] * shape[1], dtype=torch.float16).view(shape)
    finally:
        with suppress(PermissionError):  # Windows: still mapped
            Path(name).unlink()  # a process that is killed leaves nothing either
