"""Smooth random fields on the unrolled tube that go on without a seam from piece to piece and around the tube."""

import zlib
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]
Image = NDArray[np.uint8]

_MARGIN = 2  # lattice cells beside the piece that cubic interpolation looks at


def as_field(values: Any) -> Field:
    """The values as float32, without a copy where they are (cv2 does not tell what it returns)."""
    return np.asarray(values, dtype=np.float32)


def as_image(values: Any) -> Image:
    """The values as uint8, without a copy where they are."""
    return np.asarray(values, dtype=np.uint8)


class NoiseField:
    """Cubic noise over pieces of a tube, of shape (rows, columns), values about in [-1, 1].

    Args:
        seed: any non-negative number; decides the noise.
        rows: height of a piece; `4 * rows` must be a multiple of every `along` asked for.
        columns: circumference; `4 * columns` must be a multiple of every `around` asked for.
    """

    def __init__(self, seed: int, rows: int, columns: int) -> None:
        self._seed = seed
        self._rows = rows
        self._columns = columns

    def piece(self, name: str, number: int, along: int, around: int) -> Field:
        """The noise called `name` on piece `number`, with `along` x `around` lattice cells."""
        lattice_rows = np.arange(number * along - _MARGIN, (number + 1) * along + _MARGIN)
        lattice_columns = np.arange(-_MARGIN, around + _MARGIN) % around
        lattice = _hashed(self._seed ^ zlib.crc32(name.encode()), lattice_rows, lattice_columns)
        tall, wide = self._rows / along, self._columns / around
        size = (round((around + 2 * _MARGIN) * wide), round((along + 2 * _MARGIN) * tall))
        grown = cv2.resize(lattice, size, interpolation=cv2.INTER_CUBIC)
        top, left = round(_MARGIN * tall), round(_MARGIN * wide)
        return np.ascontiguousarray(grown[top : top + self._rows, left : left + self._columns])


def tile(rng: np.random.Generator, rows: int, columns: int, blur_px: float) -> Field:
    """White noise (rows, columns) blurred by `blur_px`, zero mean and unit variance, periodic both ways."""
    pad = int(4 * blur_px) + 1
    white = rng.standard_normal((rows, columns), dtype=np.float32)
    padded = cv2.copyMakeBorder(white, pad, pad, pad, pad, cv2.BORDER_WRAP)
    blurred = cv2.GaussianBlur(padded, (0, 0), blur_px)[pad:-pad, pad:-pad]
    return np.ascontiguousarray((blurred - blurred.mean()) / blurred.std(), dtype=np.float32)


def _hashed(seed: int, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Field:
    """One value in [-1, 1) for each lattice point, from an integer hash: each can be had without its neighbours."""
    mixed = (rows[:, None] * 0x9E3779B1 + columns[None, :] * 0x85EBCA77 + (seed * 0xC2B2AE3D & 0xFFFFFFFF)).astype(
        np.uint64
    )
    mixed &= np.uint64(0xFFFFFFFF)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        mixed ^= mixed >> np.uint64(shift)
        mixed = (mixed * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
    mixed ^= mixed >> np.uint64(16)
    return (mixed.astype(np.float64) / 2**31 - 1.0).astype(np.float32)
