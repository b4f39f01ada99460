"""Successive rows of an embedding file, and the shapes that they all share."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

TINY = np.finfo(np.float32).tiny
FLOAT16_MAX = float(np.finfo(np.float16).max)
Storage = Literal["float16", "int8", "int8-pca"]
"""How embeddings are stored: halves, or int8 with a scale for each row (`row_codes`), of all numbers or of principal
components (`training.embeddings.reduced`)."""
NO_SHARE = 255
"""In a track: the frame has none."""


@dataclass(frozen=True)
class EmbeddingLayout:
    """The shapes of a file's datasets."""

    frames: int
    """N: rows."""
    embedding_size: int
    """D"""
    classes: int = 0
    """C; 0 where the model has no classifier: no `scores`."""
    cam_size: int = 0
    """h = w; 0 where the classifier is not linear over average pooling: no `cams`."""
    tracks: int = 0
    """T; 0 in files of older versions: no `tracks`."""
    has_colors: bool = True
    """Whether there is `mean_color`; imported embeddings may have none."""

    def datasets(self, storage: Storage) -> dict[str, tuple[tuple[int, ...], str]]:
        """Shape and dtype of every dataset of an unfinished file, by name: components need all rows first."""
        tables: dict[str, tuple[tuple[int, ...], str]] = {
            "frame_index": ((self.frames,), "<i8"),
            "video_seconds": ((self.frames,), "<f8"),
            "embeddings": ((self.frames, self.embedding_size), "|i1" if storage == "int8" else "<f2"),
        }
        if storage == "int8":
            tables["scales"] = ((self.frames, 2), "<f4")
        if self.has_colors:
            tables["mean_color"] = ((self.frames, 3), "|u1")
        if self.classes:
            tables["scores"] = ((self.frames, self.classes), "<f4")
        if self.classes and self.cam_size:
            tables["cams"] = ((self.frames, self.classes, self.cam_size, self.cam_size), "<f2")
        if self.tracks:
            tables["tracks"] = ((self.frames, self.tracks), "|u1")
        return tables


@dataclass(frozen=True)
class EmbeddingChunk:
    """K successive frames.

    The row of a frame that does not decode is NaN throughout, its colour 0, its tracks `NO_SHARE` (`with_missing`).
    """

    embeddings: NDArray[np.floating]
    """(K, D)"""
    mean_color: NDArray[np.uint8] | None = None
    """(K, 3) RGB: mean over the field of view."""
    scores: NDArray[np.floating] | None = None
    """(K, C) in [0, 1]"""
    cams: NDArray[np.floating] | None = None
    """(K, C, h, w): raw; their mean over positions is the logit less the bias."""
    tracks: NDArray[np.uint8] | None = None
    """(K, T): shares as `share_codes` writes them."""

    def __len__(self) -> int:
        return len(self.embeddings)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What there is, by dataset."""
        return {name: array for name, array in vars(self).items() if array is not None}

    def with_missing(self, missing: NDArray[np.bool_]) -> "EmbeddingChunk":
        """The same with the rows of missing frames ((K,) bool) blotted out."""
        if not missing.any():
            return self
        result = {name: array.copy() for name, array in self.arrays().items()}
        for name, array in result.items():
            array[missing] = {"mean_color": 0, "tracks": NO_SHARE}.get(name, np.nan)
        return EmbeddingChunk(**result)


def joined(chunks: Iterable[EmbeddingChunk]) -> EmbeddingChunk:
    """Successive chunks as one."""
    arrays = [chunk.arrays() for chunk in chunks]
    return EmbeddingChunk(**{name: np.concatenate([each[name] for each in arrays]) for name in arrays[0]})


def share_codes(shares: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Shares in [0, 1] as 0 to 254, NaN as `NO_SHARE`."""
    codes = np.rint(np.clip(shares, 0, 1) * (NO_SHARE - 1))
    return np.where(np.isnan(codes), NO_SHARE, codes).astype(np.uint8)


def shares_of(codes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The inverse of `share_codes`."""
    return np.where(codes == NO_SHARE, np.float32(np.nan), codes / np.float32(NO_SHARE - 1))


def row_codes(rows: NDArray[np.floating]) -> dict[str, NDArray[Any]]:
    """Rows (K, D) as int8 `embeddings` (K, D) times the first of `scales` (K, 2) float32 plus the second; or NaN.

    The codes of a row go from -127, its least number, to 127, its largest: embeddings after a ReLU have no negative
    ones, and would leave half of the codes unused.
    """
    rows = np.asarray(rows, np.float32)
    least, largest = rows.min(axis=1), rows.max(axis=1)
    scales = np.stack((np.maximum((largest - least) / 254, TINY), (largest + least) / 2), axis=1)
    scales[~np.isfinite(scales).all(axis=1)] = np.nan
    codes = np.rint(np.nan_to_num((rows - scales[:, 1:]) / scales[:, :1]))
    return {"embeddings": codes.astype(np.int8), "scales": scales}


def as_stored(array: NDArray[np.generic], dtype: str) -> NDArray[np.generic]:
    """Converted to the file's dtype; what float16 cannot hold becomes its largest value, not infinity."""
    if dtype == "<f2" and array.dtype != np.float16:
        array = np.clip(array, -FLOAT16_MAX, FLOAT16_MAX)  # NaN stays NaN
    return np.ascontiguousarray(array, dtype=dtype)
