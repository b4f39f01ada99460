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
    lumps = 0.05 * noise.piece("lumps", number, 8, 8) + 0.012 * noise.piece("small lumps", number, 40, 32)
    return np.clip(shape(number, grid, noise, patient) + lumps, -0.1, 0.5).astype(np.float32)


def _ridge(phase: Field, sharpness: float) -> Field:
    """Rounded ridges in [0, 1], one for each whole number of `phase`."""
    wave = 0.5 + 0.5 * np.cos(2 * np.pi * phase)
    return np.asarray(wave**sharpness, dtype=np.float32)


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
    warp = 0.8 * noise.piece("folds bend", number, 5, 4) + 0.16 * noise.piece("folds wind", number, 16, 8)
    ridges = _ridge(grid.depth / patient.fold_spacing + warp, 2.6)
    there = _soft_step(noise.piece("folds there", number, 8, 4) * 1.8 + 0.35)
    swell = 0.12 * noise.piece("swell", number, 2, 2)
    return np.asarray(patient.fold_height * ridges * (0.15 + 0.85 * there) + swell, dtype=np.float32)


def _colon(number: int, grid: Grid, noise: NoiseField, patient: Patient) -> Field:
    """Deep half-moon folds far apart, between three bands along the tube."""
    warp = 0.45 * noise.piece("haustra bend", number, 4, 4)
    around = 0.5 + 0.5 * np.cos(3 * grid.angle + 1.5 * noise.piece("haustra turn", number, 2, 1))
    ridges = _ridge(grid.depth / 1.5 + warp, 5.0)
    return np.asarray(0.36 * ridges * (0.25 + 0.75 * around) + 0.1 * (1 - around), dtype=np.float32)
