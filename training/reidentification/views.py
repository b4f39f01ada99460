"""What a batch is made of: two views of each tracklet, and one tracklet of each procedure (Intrator et al. 2023).

Tracklets of different procedures always show different findings, so all others of a batch are negatives.

Crops in memory, or in a file that is mapped where memory would not do.
"""

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.texts import Text

LONGER = "Leave out short tracklets."


class PseudoPair(NamedTuple):
    """The first and the last part of one tracklet, H views of each."""

    frames: NDArray[np.int64]
    """(2, H) places in the tracklet, from 0, in order; where `mask` is False the part's last view stands again."""
    mask: NDArray[np.bool_]
    """(2, H) whether there is a view."""


def two_views(frame_count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """(2,) places of two different frames of a tracklet, a positive pair of the single-frame encoder (section 2.1).

    They are drawn uniformly; the paper does not say how.

    Raises:
        UserError: the tracklet has one frame only, or none.
    """
    if frame_count < 2:
        raise UserError(Text("A tracklet of {frame_count} frames has no two views.", frame_count), LONGER)
    return rng.choice(frame_count, 2, replace=False)


def pseudo_pair(frame_count: int, views: int, rng: np.random.Generator) -> PseudoPair:
    """A positive pair of the multi-view encoder: views of a tracklet's first and of its last third (section 2.2).

    The paper cuts a tracklet in three disjoint parts and discards the middle one, without giving their lengths. Ours:
    thirds, the middle one longer by what is left over. Of the views, 8 of a tracklet in the paper (1,024 * 8 images a
    step), half are of each part. They are drawn without repetition; a part of fewer frames gives all of them, since a
    repeated view would only count twice in the attention.

    Raises:
        UserError: the tracklet has fewer than three frames.
    """
    if frame_count < 3:
        raise UserError(Text("A tracklet of {frame_count} frames cannot be cut in three.", frame_count), LONGER)
    length, half = frame_count // 3, views // 2
    taken = min(half, length)
    chosen = np.stack(
        [start + np.sort(rng.choice(length, taken, replace=False)) for start in (0, frame_count - length)]
    )
    frames = np.pad(chosen, ((0, 0), (0, half - taken)), mode="edge").astype(np.int64)
    return PseudoPair(frames, np.broadcast_to(np.arange(half) < taken, (2, half)).copy())


def spread_views(frame_count: int, views: int) -> NDArray[np.int64]:
    """Places in the tracklet, in order, of at most V frames, spread over its length, for its vector after training.

    Ours: the paper does not say which frames, and how many, are taken then.
    """
    return np.linspace(0, frame_count - 1, min(views, frame_count)).round().astype(np.int64)


class ProcedureBatches:
    """Batches of N different procedures, and one tracklet of each (section 2.1); `procedures` (T,) are the tracklets'.

    Ours: each batch is drawn by itself, so a run that goes on needs no batches of before.

    Raises:
        UserError: there is one procedure only (then nothing is a negative), or there are fewer than N.
    """

    def __init__(self, procedures: Sequence[str], batch: int) -> None:
        _, inverse = np.unique(np.asarray(procedures), return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        self._tracklets = np.split(order, np.flatnonzero(np.diff(inverse[order])) + 1) if len(order) else []
        self._batch = batch
        if len(self._tracklets) < 2:
            raise UserError(
                "Re-identification cannot be trained on tracklets of one procedure.",
                "Add procedures of other patients: their tracklets are the negatives.",
            )
        if len(self._tracklets) < batch:
            raise UserError(
                "A batch of {batch} procedures cannot be drawn from {count}.",
                "Ask for batches of at most {count}.",
                batch,
                len(self._tracklets),
            )

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """(N,) numbers of tracklets: procedures and then a tracklet of each are drawn uniformly."""
        chosen = rng.choice(len(self._tracklets), self._batch, replace=False)
        return np.array([rng.choice(self._tracklets[number]) for number in chosen], np.int64)


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
