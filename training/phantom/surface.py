"""The skin of the wall: colour, fine relief, vessels, red patches, pale dots, and food that sticks to it.

The wall's relief, region by region: rugae of the stomach, circular folds of the bowel, haustra of the colon.

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


@dataclass(frozen=True)
class Grid:
    """A piece of unrolled tube: `depth` (rows, 1) in units, `angle` (1, columns) in radians."""

    depth: Field
    angle: Field


def relief(region: int, number: int, grid: Grid, noise: NoiseField, patient: Patient) -> Field:
    """Height of the wall above the tube's radius, (rows, columns) float32, as a share of the radius, in [-0.1, 0.5]."""
    shape = (_stomach, _small_bowel, _colon)[region]
    lumps = 0.055 * noise.piece("lumps", number, 5, 8) + 0.014 * noise.piece("small lumps", number, 20, 32)
    lumps += 0.13 * patient.sag * noise.piece("sag", number, 4, 8) + 0.16 * patient.sag * noise.piece(
        "oval", number, 2, 2
    )
    return np.clip(shape(number, grid, noise, patient) + lumps, -0.1, 0.5).astype(np.float32)


def _ridge(phase: Field, sharpness: float) -> Field:
    """Rounded ridges in [0, 1], one for each whole number of `phase`."""
    wave = 0.5 + 0.5 * np.cos(2 * np.pi * phase)
    return np.asarray(wave**sharpness, dtype=np.float32)


def _pillows(phase: Field, plumpness: float) -> Field:
    """Folds in [0, 1]: thin ridges (plumpness 0) to round pillows with creases between (1)."""
    pillow = np.sqrt(np.cos(np.pi * phase) ** 2 + 0.09) - 0.3  # rounded at the bottom of the creases too
    return np.asarray((1 - plumpness) * _ridge(phase, 2.2) + plumpness * pillow, dtype=np.float32)


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
    ridges = _pillows(grid.depth / patient.fold_spacing + warp, patient.plumpness)
    there = _soft_step(noise.piece("folds there", number, 5, 8) * 1.8 + 0.3)
    return np.asarray(patient.fold_height * ridges * (0.1 + 0.9 * there), dtype=np.float32)


def _colon(number: int, grid: Grid, noise: NoiseField, patient: Patient) -> Field:
    """Deep half-moon folds far apart, between three bands along the tube."""
    warp = 0.45 * noise.piece("haustra bend", number, 4, 4)
    around = 0.5 + 0.5 * np.cos(3 * grid.angle + 1.5 * noise.piece("haustra turn", number, 2, 1))
    ridges = _ridge(grid.depth / 1.5 + warp, 5.0)
    return np.asarray(0.36 * ridges * (0.25 + 0.75 * around) + 0.1 * (1 - around), dtype=np.float32)


_VILLI = (0.35, 1.0, 0.22)  # how rough the regions are
_VESSELS = (0.15, 0.3, 1.0)  # how well vessels show through
_DEBRIS = (0.5, 0.35, 1.0)


FOODS = ((148.0, 110.0, 40.0), (170.0, 140.0, 60.0), (122.0, 102.0, 52.0), (146.0, 74.0, 44.0), (196.0, 176.0, 120.0))
"""Colours of what sticks to the wall, RGB 0..255: each patient has eaten one thing."""

SLOPE_ZERO, SLOPE_UNIT = 128, 80.0
"""Slopes are kept as bytes: `(byte - SLOPE_ZERO) / SLOPE_UNIT` is the slope."""


class Mucosa:
    """Colours and fine slopes of pieces of wall; what is fine repeats from piece to piece, what is coarse does not.

    Args:
        patient: looks.
        noise: coarse noise for a patient's pieces.
        seed: decides the fine noise.
        shape: rows and columns of a piece in fine texels.
    """

    def __init__(self, patient: Patient, noise: NoiseField, seed: int, shape: tuple[int, int]) -> None:
        self._patient = patient
        self._noise = noise
        rng = np.random.default_rng(seed)
        rows, columns = shape
        scale = columns / 960
        self._food = FOODS[int(rng.integers(len(FOODS)))]
        grains = tile(rng, rows, columns, max(0.7, 1.7 * scale))
        self._grains = grains
        self._slopes = np.dstack([_difference(grains, 1), _difference(grains, 0)]).astype(np.float32)
        self._vessels = _vessels(rng, rows, columns, scale)
        self._spots = np.clip(tile(rng, rows, columns, max(0.8, 3.0 * scale)) - 2.6, 0, 0.5).astype(np.float32) * 2

    def skin(self, number: int, shares: dict[int, Field], height: Field) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Colour (rows, columns, 3) and slopes (rows, columns, 2), both uint8, of piece `number`.

        `shares` are the regions' shares (coarse rows,), `height` (coarse rows, columns) the relief.
        """
        coarse = self._coarse_colour(number, shares, height)
        size = (self._grains.shape[1], self._grains.shape[0])
        colour = as_field(cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR))
        villi = _along(shares, _VILLI, size[1]) * self._patient.villi
        colour *= as_field(1 + (0.075 * villi) * self._grains)[:, :, None]
        self._vein(colour, shares, number)
        if self._patient.white_spots:
            colour += (self._spots * (self._patient.white_spots * 45))[:, :, None]
        slopes = self._slopes * (villi * (0.35 * SLOPE_UNIT))[:, :, None] + SLOPE_ZERO
        return _bytes(colour), _bytes(slopes)

    def _coarse_colour(self, number: int, shares: dict[int, Field], height: Field) -> Field:
        patient, piece = self._patient, self._noise.piece
        base = sum(
            share[:, None, None] * np.array(patient.mucosa[region], np.float32) for region, share in shares.items()
        )
        mottle = piece("mottle", number, 5, 8) + 0.6 * piece("mottle 2", number, 20, 32)
        hue = piece("hue", number, 4, 4)
        red = np.clip(piece("redness", number, 5, 8) - 0.35, 0, 1) * patient.redness
        hollow = np.clip(0.12 - height, 0, 0.3)  # light does not come out of the furrows as it went in
        colour = np.asarray(base) * (1 + patient.mottling * mottle)[:, :, None]
        tint = np.dstack([1 + 0.02 * hue + 0.05 * red, 1 - 0.07 * hue - 0.4 * red, 1 - 0.12 * hue - 0.38 * red])
        colour = colour * tint * (1 - hollow[:, :, None] * np.array([0.7, 1.3, 1.4], np.float32))
        self._dirty(colour, shares, number)
        return np.asarray(colour, dtype=np.float32)

    def _dirty(self, colour: Field, shares: dict[int, Field], number: int) -> None:
        """Bile stains and food, from yellow-green film to brown crumbs."""
        piece = self._noise.piece
        amount = _along(shares, _DEBRIS, colour.shape[0]) * self._patient.debris
        film = np.clip(piece("film", number, 5, 8) * 1.3 - 0.9 + 0.5 * amount, 0, 0.6)
        crumbs = piece("crumbs", number, 40, 64) + 0.6 * piece("crumbs there", number, 5, 8)
        dirt = np.clip((crumbs - 1.3 + 0.3 * amount) * 3, 0, 0.75)
        for cover, shade in ((film, self._patient.fluid), (dirt, self._food)):
            colour += cover[:, :, None] * (np.array(shade, np.float32) - colour)

    def _vein(self, colour: Field, shares: dict[int, Field], number: int) -> None:
        there = np.clip(self._noise.piece("vessels there", number, 4, 4) + 0.2, 0, 1)
        there = cv2.resize(there, (colour.shape[1], colour.shape[0]))
        strength = _along(shares, _VESSELS, colour.shape[0]) * (self._patient.vessels * 0.5) * there * self._vessels
        colour *= 1 - strength[:, :, None] * np.array([0.35, 0.75, 0.7], np.float32)


def _bytes(values: Field) -> NDArray[np.uint8]:
    """Rounded down and clipped to 0..255."""
    return np.clip(values, 0, 255).astype(np.uint8)


def _along(shares: dict[int, Field], values: tuple[float, float, float], rows: int) -> Field:
    """A region's value for each of `rows` rows, (rows, 1), blended where regions meet."""
    blended = sum(share * np.float32(values[region]) for region, share in shares.items())
    grown = cv2.resize(as_field(blended)[:, None], (1, rows), interpolation=cv2.INTER_LINEAR)
    return as_field(grown).reshape(rows, 1)


def _difference(values: Field, axis: int) -> Field:
    """Periodic central difference."""
    return np.asarray((np.roll(values, -1, axis) - np.roll(values, 1, axis)) / 2, dtype=np.float32)


def _vessels(rng: np.random.Generator, rows: int, columns: int, scale: float) -> Field:
    """Branching lines in [0, 1]: the zero lines of two noises, the finer one only near the coarser."""
    coarse = tile(rng, rows, columns, max(2.0, 26 * scale))
    fine = tile(rng, rows, columns, max(1.2, 11 * scale))
    thick = np.clip(1 - np.abs(coarse) * 16, 0, 1)
    thin = np.clip(1 - np.abs(fine) * 11, 0, 1) * np.clip(1.2 - np.abs(coarse) * 1.5, 0, 1)
    return as_field(np.maximum(thick, 0.7 * thin))
