"""The wall's relief, region by region: rugae of the stomach, circular folds of the bowel, haustra of the colon."""

from dataclasses import dataclass

import numpy as np

from training.phantom.noise import Field, NoiseField
from training.phantom.patient import Patient


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
