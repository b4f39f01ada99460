"""The wall's relief, region by region: rugae of the stomach, circular folds of the bowel, haustra of the colon.

Smooth random fields on the unrolled tube that go on without a seam from piece to piece and around the tube.
"""

import zlib
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.patient import Patient

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


@dataclass(frozen=True)
class Grid:
    """A piece of unrolled tube: `depth` (rows, 1) in units, `angle` (1, columns) in radians."""

    depth: Field
    angle: Field


def relief(region: int, number: int, grid: Grid, noise: NoiseField, patient: Patient) -> Field:
    """Height of the wall above the tube's radius, (rows, columns) float32, as a share of the radius, in [-0.1, 0.5]."""
    shape = (_stomach, _small_bowel, _colon)[region]
    lumps = 0.055 * noise.piece("lumps", number, 5, 8) + 0.014 * noise.piece("small lumps", number, 20, 32)
    folds = shape(number, grid, noise, patient)
    if patient.places:  # high here, flat there
        folds = folds * np.clip(1 + 1.2 * noise.piece("tall", number, 2, 2), 0.1, 2)
    lumps += 0.13 * patient.sag * noise.piece("sag", number, 4, 8) + 0.16 * patient.sag * noise.piece(
        "oval", number, 2, 2
    )
    return np.clip(folds + lumps, -0.1, 0.5).astype(np.float32)


def _ridge(phase: Field, sharpness: float) -> Field:
    """Rounded ridges in [0, 1], one for each whole number of `phase`."""
    wave = 0.5 + 0.5 * np.cos(2 * np.pi * phase)
    return np.asarray(wave**sharpness, dtype=np.float32)


def _pillows(phase: Field, plumpness: float) -> Field:
    """Folds in [0, 1]: thin ridges (plumpness 0) to round pillows with creases between (1)."""
    pillow = np.sqrt(np.cos(np.pi * phase) ** 2 + 0.09) - 0.3  # rounded at the bottom of the creases too
    return np.asarray((1 - plumpness) * _ridge(phase, 2.2) + plumpness * pillow, dtype=np.float32)


def _unevenness(number: int, noise: NoiseField, patient: Patient) -> Field | float:
    """What to add to the phase of folds so that their distances differ from place to place."""
    return 2.2 * noise.piece("spacing", number, 1, 2) if patient.places else 0.0


def _soft_step(values: Field) -> Field:
    clipped = np.clip(values + 0.5, 0, 1)
    return np.asarray(clipped * clipped * (3 - 2 * clipped), dtype=np.float32)


def _stomach(number: int, grid: Grid, noise: NoiseField, patient: Patient) -> Field:
    """Thick folds that run along the tube and wind."""
    warp = 0.9 * noise.piece("rugae bend", number, 4, 4) + 0.25 * noise.piece("rugae wind", number, 8, 8)
    ridges = _ridge(grid.angle * 7 / (2 * np.pi) + warp, 1.6)
    there = _soft_step(noise.piece("rugae there", number, 2, 2) * 1.6 + 0.3)
    return np.asarray(0.24 * ridges * there, dtype=np.float32)


def _small_bowel(number: int, grid: Grid, noise: NoiseField, patient: Patient) -> Field:
    """Circular folds that do not close all around, at uneven distances."""
    warp = 0.8 * noise.piece("folds bend", number, 5, 8) + 0.22 * noise.piece("folds wind", number, 10, 16)
    warp += _unevenness(number, noise, patient)
    ridges = _pillows(grid.depth / patient.fold_spacing + warp, patient.plumpness)
    there = _soft_step(noise.piece("folds there", number, 5, 8) * 1.8 + 0.3)
    return np.asarray(patient.fold_height * ridges * (0.1 + 0.9 * there), dtype=np.float32)


def _colon(number: int, grid: Grid, noise: NoiseField, patient: Patient) -> Field:
    """Deep half-moon folds far apart, between three bands along the tube."""
    warp = 0.45 * noise.piece("haustra bend", number, 4, 4) + _unevenness(number, noise, patient)
    around = 0.5 + 0.5 * np.cos(3 * grid.angle + 1.5 * noise.piece("haustra turn", number, 2, 1))
    ridges = _ridge(grid.depth / 1.5 + warp, 5.0)
    return np.asarray(0.36 * ridges * (0.25 + 0.75 * around) + 0.1 * (1 - around), dtype=np.float32)


FOODS = ((148.0, 110.0, 40.0), (170.0, 140.0, 60.0), (122.0, 102.0, 52.0), (146.0, 74.0, 44.0), (196.0, 176.0, 120.0))
"""Colours of what sticks to the wall, RGB 0..255: each patient has eaten one thing."""

SLOPE_ZERO, SLOPE_UNIT = 128, 80.0
"""Slopes are kept as bytes: `(byte - SLOPE_ZERO) / SLOPE_UNIT` is the slope."""
