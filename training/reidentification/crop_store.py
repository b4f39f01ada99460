"""Crops in memory, or in a file that is mapped where memory would not do."""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Crops = NDArray[np.uint8]
"""(n, S, S, 3) RGB: the crops of a tracklet's frames in order."""


class CropSource(Protocol):
    """Crops that are read when they are asked for: those of a tracklet, or of several that show one finding."""

    def __len__(self) -> int:
        """n."""

    def __getitem__(self, places: NDArray[np.int64], /) -> Any:
        """The crops (k, S, S, 3) at k places."""


class JoinedCrops:
    """The crops of several tracklets, one after the other, without a copy of them."""

    def __init__(self, parts: Sequence[Crops]) -> None:
        self._parts = parts
        self._stops = np.cumsum([len(part) for part in parts])

    def __len__(self) -> int:
        """n: of all together."""
        return int(self._stops[-1])

    def __getitem__(self, places: NDArray[np.int64], /) -> Crops:
        """The crops (k, S, S, 3) at k places, counted through."""
        part = np.searchsorted(self._stops, places, side="right")
        before = self._stops - [len(each) for each in self._parts]
        chosen = zip(part.tolist(), (places - before[part]).tolist(), strict=True)
        return np.stack([self._parts[number][place] for number, place in chosen])


class CropStore:
    """Takes the crops of tracklets by number, one tracklet after the other, and gives them back."""

    def __init__(self, path: Path | None, side_px: int) -> None:
        """`path`: the file that they are written to and mapped from, which the caller removes; None: memory."""
        self._path, self._side_px = path, side_px
        self._file = path.open("wb") if path is not None else None
        self._crops: dict[int, Crops] = {}
        self._places: dict[int, slice] = {}
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, number: int, crops: Crops) -> None:
        """Keep the crops (n, S, S, 3) of a tracklet."""
        if self._file is None:
            self._crops[number] = crops
            return
        self._places[number] = slice(self._count, self._count + len(crops))
        self._count += len(crops)
        self._file.write(np.ascontiguousarray(crops).tobytes())

    def all(self) -> dict[int, Crops]:
        """The crops of each tracklet; with a file nothing can be added afterwards."""
        if self._file is None or self._path is None or not self._count:
            return self._crops
        self._file.close()
        shape = self._count, self._side_px, self._side_px, 3
        mapped = np.memmap(self._path, np.uint8, "r", shape=shape)
        return {number: mapped[place] for number, place in self._places.items()}
