"""Fine texture of the wall: grain, vessels and pale dots, the same on each piece or of each place's own."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.surface import Field, NoiseField, as_field, as_image

Branch = tuple[NDArray[np.float64], float]
"""Points (n, 2) along and around the tube in piece lengths, from the piece's start; and the width in piece lengths."""


@dataclass(frozen=True)
class Texture:
    """Of one piece; all but `slopes` are (rows, columns).

    Attributes:
        grains: noise of about unit variance.
        slopes: (rows, columns, 2), around and along the tube.
        vessels: in [0, 1].
        spots: in [0, 1].
    """

    grains: Field
    slopes: Field
    vessels: Field
    spots: Field


def tile(rng: np.random.Generator, rows: int, columns: int, blur_px: float) -> Field:
    """White noise (rows, columns) blurred by `blur_px`, zero mean and unit variance, periodic both ways."""
    pad = int(4 * blur_px) + 1
    white = rng.standard_normal((rows, columns), dtype=np.float32)
    padded = cv2.copyMakeBorder(white, pad, pad, pad, pad, cv2.BORDER_WRAP)
    blurred = cv2.GaussianBlur(padded, (0, 0), blur_px)[pad:-pad, pad:-pad]
    return np.ascontiguousarray((blurred - blurred.mean()) / blurred.std(), dtype=np.float32)


def repeated_texture(rng: np.random.Generator, rows: int, columns: int) -> Texture:
    """The texture that all pieces share; periodic both ways."""
    scale = columns / 960
    grains = tile(rng, rows, columns, max(0.7, 1.7 * scale))
    vessels = _lines(rng, rows, columns, scale)
    spots = np.clip(tile(rng, rows, columns, max(0.8, 3.0 * scale)) - 2.6, 0, 0.5).astype(np.float32) * 2
    return Texture(grains, _slopes(grains, joins_itself=True), vessels, spots)


def _slopes(grains: Field, *, joins_itself: bool) -> Field:
    """Central differences around and along the tube, (rows, columns, 2); whether the last row is beside the first."""
    around, along = ((np.roll(grains, -1, axis) - np.roll(grains, 1, axis)) / 2 for axis in (1, 0))
    return np.dstack([around, along if joins_itself else np.gradient(grains, axis=0)]).astype(np.float32)


def _lines(rng: np.random.Generator, rows: int, columns: int, scale: float) -> Field:
    """Branching lines in [0, 1]: the zero lines of two noises, the finer one only near the coarser."""
    coarse = tile(rng, rows, columns, max(2.0, 26 * scale))
    fine = tile(rng, rows, columns, max(1.2, 11 * scale))
    thick = np.clip(1 - np.abs(coarse) * 16, 0, 1)
    thin = np.clip(1 - np.abs(fine) * 11, 0, 1) * np.clip(1.2 - np.abs(coarse) * 1.5, 0, 1)
    return as_field(np.maximum(thick, 0.7 * thin))


_CELLS = ((60, 96), (20, 32))
"""Cells of the finer and the coarser grain on a piece, along and around."""
_WIDEST, _NARROWER, _ORDERS = 0.016, 0.68, 3  # of a trunk in piece lengths; of branch to parent; branchings of a tree
_STEP = 0.025  # piece lengths; a tree of 3 branchings of at most 9 steps stays within a piece length of its root
_MOST_TREES = 14


class PlaceTextures:
    """Textures that differ from place to place, and go on without a seam.

    Args:
        seed: decides them.
        rows, columns: of a piece in fine texels; see `NoiseField`.
    """

    def __init__(self, seed: int, rows: int, columns: int) -> None:
        self._seed, self._shape = seed, (rows, columns)
        self._noise = NoiseField(seed, rows, columns)

    def texture(self, number: int) -> Texture:
        """The texture of piece `number`: coarse and fine grain by turns, and the vessels that reach into it."""
        fine, coarse = (self._noise.piece(f"grain {along}", number, along, around) for along, around in _CELLS)
        share = np.clip(0.5 + self._noise.piece("coarse grain", number, 2, 4), 0, 1)
        grains = as_field(2 * (fine + share * (coarse - fine)))
        dots = np.clip(
            3 * self._noise.piece("dots", number, 20, 32) + self._noise.piece("dots there", number, 2, 4) - 2, 0, 1
        )
        return Texture(grains, _slopes(grains, joins_itself=False), self.vessels(number), as_field(dots))

    def vessels(self, number: int) -> Field:
        """Trees of vessels in [0, 1] on piece `number`, (rows, columns)."""
        rows, columns = self._shape
        canvas = np.zeros((rows, 3 * columns), np.uint8)
        for offset in (-1, 0, 1):
            for points, width in vessel_branches(self._seed, number + offset):
                places = (points + np.array([offset, 0])) * np.array([rows, columns / WAY_AROUND])
                if places[:, 0].max() < -width * rows or places[:, 0].min() > (1 + width) * rows:
                    continue
                at = np.round((places[:, ::-1] + np.array([columns, 0])) * 16).astype(np.int32)
                cv2.polylines(canvas, [at], False, (255,), max(1, round(width * rows)), cv2.LINE_AA, 4)
        parts = [canvas[:, start : start + columns] for start in (0, columns, 2 * columns)]
        closed = as_image(cv2.max(cv2.max(parts[0], parts[1]), parts[2]))
        return as_field(closed) / np.float32(255)


WAY_AROUND = np.pi / 2
"""Circumference of the small bowel, in piece lengths of 4 radii."""


@lru_cache(maxsize=32)
def vessel_branches(seed: int, number: int) -> tuple[Branch, ...]:
    """The branches of all trees that are rooted on a piece; at some places many, at others few."""
    rng = np.random.default_rng([seed, 7, number % 2**32])
    trees = int(rng.integers(2, _MOST_TREES + 1))
    return tuple(branch for _ in range(trees) for branch in _tree(rng))


def _tree(rng: np.random.Generator) -> list[Branch]:
    """A trunk that winds and branches in two, again and again."""
    root = rng.uniform(0, 1), rng.uniform(0, WAY_AROUND)
    tips, branches = [(np.array(root), float(rng.uniform(0, 2 * np.pi)), 0)], []
    while tips:
        start, heading, order = tips.pop()
        headings = heading + np.cumsum(rng.normal(0, 0.3, int(rng.integers(4, 10))))
        steps = _STEP * np.stack([np.cos(headings), np.sin(headings)], axis=1)
        points = np.concatenate([start[None], start + np.cumsum(steps, axis=0)])
        branches.append((points, _WIDEST * _NARROWER**order))
        if order < _ORDERS:
            turns = rng.uniform(0.3, 1.0, 2) * (1, -1)
            tips += [(points[-1], float(headings[-1] + turn), order + 1) for turn in turns]
    return branches
