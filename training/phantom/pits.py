"""Patterns of a polyp's surface that differ in their shapes and not in their colours."""

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.lesions import Lesion
from training.phantom.noise import Field, as_field

PIT_DEPTH = 0.45
"""How much darker a pit is than the surface between pits, as a share."""
_DARK_SHARE = 0.35
"""Share of the surface that is pits, the same for all lesions: colours do not tell patterns apart."""
_CELLS_PER_HALF = 40
_REACH = 2.4  # half sizes, as far as a lesion is painted
_WAVES = (0.22, 0.6)  # shortest and longest distance of pits, half sizes
_STRETCH = 2.2  # longest pits, times their width


def make_pits(lesion: Lesion, along: NDArray[np.float64], around: NDArray[np.float64]) -> Field:
    """How much of a pit there is at each place, (rows, columns) in [0, 1].

    Args:
        lesion: its `pits` and seed decide arrangement, distance, direction and length of the pits.
        along: (rows,) places along the tube from the lesion's centre, in half sizes.
        around: (columns,) places around it.
    """
    rng = np.random.default_rng([lesion.looks_seed, 2])
    wave = float(np.exp(rng.uniform(*np.log(_WAVES)))) * _CELLS_PER_HALF
    long, turn = wave * float(rng.uniform(1.0, _STRETCH)), float(rng.uniform(0, np.pi))
    side = int(2 * _REACH * _CELLS_PER_HALF * 1.5)  # room for turning
    white = rng.standard_normal((side, side), dtype=np.float32)
    waves = as_field(cv2.GaussianBlur(white, (0, 0), sigmaX=long / 5, sigmaY=wave / 5))
    waves -= as_field(cv2.GaussianBlur(white, (0, 0), sigmaX=long / 2.5, sigmaY=wave / 2.5))
    height = -np.abs(waves) if lesion.pits == "tubular" else waves
    edge, soft = np.quantile(height, 1 - _DARK_SHARE), 0.25 * float(height.std())
    lattice = as_field(np.clip((height - edge) / soft + 0.5, 0, 1))
    x, y = np.meshgrid(around, along)
    cells = [
        _CELLS_PER_HALF * each + side / 2
        for each in (x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn))
    ]
    return as_field(cv2.remap(lattice, as_field(cells[0]), as_field(cells[1]), cv2.INTER_LINEAR))
