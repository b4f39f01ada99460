"""The unrolled wall of the tube, made piece by piece as the capsule comes along, lesions painted in."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.phantom.lesions import Lesion
from training.phantom.mucosa import Mucosa
from training.phantom.paint import paint_lesion
from training.phantom.patient import Anatomy, Patient
from training.phantom.surface import Field, Grid, NoiseField, as_field, relief

AnyArray = NDArray[Any]

PIECE_UNITS = 4
"""Length of a piece along the tube."""

FINE = 3
"""Texels of the colour sheet per texel of the relief sheet, each way."""

_BEHIND = 2.5
_PIECES_SEEN = 4  # 16 units: at least 2.5 behind and 9.5 ahead of any place between two borders of pieces
_PIECES_KEPT, _WINDOWS_KEPT = 8, 3


@dataclass(frozen=True)
class Piece:
    """Some length of unrolled wall, rows along the tube, columns around it.

    Attributes:
        start: depth of row 0, in units.
        height: (rows, columns) float32, share of the radius that the wall stands inwards.
        colour: (FINE * rows, FINE * columns, 3) uint8 RGB of the evenly lit wall.
        slopes: (FINE * rows, FINE * columns, 2) uint8, fine slopes around and along the tube (see `Mucosa`).
        lesion: (rows, columns) uint8, 0 or 1 + number of the lesion.
    """

    start: float
    height: Field
    colour: NDArray[np.uint8]
    slopes: NDArray[np.uint8]
    lesion: NDArray[np.uint8]


class Sheet:
    """The wall of one patient, with lesions; safe to use from several threads.

    Args:
        patient: looks.
        anatomy: where the regions are.
        lesions: up to 255 lesions.
        seed: decides the noise.
        size_px: size of the frames: the texture is about as fine as they are.
    """

    def __init__(self, patient: Patient, anatomy: Anatomy, lesions: Sequence[Lesion], seed: int, size_px: int) -> None:
        self.columns = 32 * max(2, round(1.25 * size_px / 32))
        self.rows_per_unit = 5 * max(2, round(self.columns / (2 * np.pi) / 5))
        self._rows = PIECE_UNITS * self.rows_per_unit
        self._patient = patient
        self._anatomy = anatomy
        self._lesions = lesions
        self._noise = NoiseField(seed, self._rows, self.columns)
        self._mucosa = Mucosa(patient, self._noise, seed, (self._rows * FINE, self.columns * FINE))
        self._pieces: OrderedDict[int, Piece] = OrderedDict()
        self._windows: OrderedDict[int, Piece] = OrderedDict()
        self._lock = threading.Lock()

    def window(self, depth: float) -> Piece:
        """All of the wall that a capsule at `depth` can see, as one piece (whole pieces, so often the same object)."""
        first = int(np.floor((depth - _BEHIND) / PIECE_UNITS))
        with self._lock:
            if first not in self._windows:
                self._windows[first] = _joined([self._piece(first + number) for number in range(_PIECES_SEEN)])
                while len(self._windows) > _WINDOWS_KEPT:
                    self._windows.popitem(last=False)
            self._windows.move_to_end(first)
            return self._windows[first]

    def _piece(self, number: int) -> Piece:
        if number not in self._pieces:
            self._pieces[number] = self._make(number)
            while len(self._pieces) > _PIECES_KEPT:
                self._pieces.popitem(last=False)
        self._pieces.move_to_end(number)
        return self._pieces[number]

    def _make(self, number: int) -> Piece:
        start = float(number * PIECE_UNITS)
        depth = as_field(start + (np.arange(self._rows)[:, None] + 0.5) / self.rows_per_unit)
        angle = (np.arange(self.columns, dtype=np.float32)[None, :] + 0.5) * np.float32(2 * np.pi / self.columns)
        grid = Grid(depth, angle)
        shares = self._region_shares(depth[:, 0])
        height = np.zeros((self._rows, self.columns), np.float32)
        for region, share in shares.items():
            height += share[:, None] * relief(region, number, grid, self._noise, self._patient)
        colour, slopes = self._mucosa.skin(number, shares, height)
        lesion = np.zeros(height.shape, np.uint8)
        piece = Piece(start, height, colour, slopes, lesion)
        radii = self._anatomy.radius(depth[:, 0].astype(np.float64))
        for index, thing in enumerate(self._lesions):
            if abs(thing.depth - start - PIECE_UNITS / 2) < PIECE_UNITS / 2 + 2.5:
                radius = float(np.interp(thing.depth, depth[:, 0], radii))
                region = 1 if thing.colours_seed is not None else self._anatomy.region_at(thing.depth)
                mucosa = self._patient.mucosa[region]
                paint_lesion(piece, thing, index + 1, radius, self.rows_per_unit, mucosa)
        np.clip(height, -0.15, 0.62, out=height)
        return piece

    def _region_shares(self, depth: Field) -> dict[int, Field]:
        """How much (rows,) each region contributes; only those that do."""
        pylorus, valve = self._anatomy.borders[1], self._anatomy.borders[2]
        past_pylorus = np.clip((depth - pylorus) / 0.8 + 0.5, 0, 1)
        past_valve = np.clip((depth - valve) / 0.8 + 0.5, 0, 1)
        shares = {0: 1 - past_pylorus, 1: past_pylorus * (1 - past_valve), 2: past_valve}
        return {region: share.astype(np.float32) for region, share in shares.items() if share.max() > 0}


def _joined(pieces: Sequence[Piece]) -> Piece:
    """Pieces one after the other; a column (FINE columns) is repeated on both sides, for lookups that interpolate."""
    return Piece(
        pieces[0].start,
        _closed([piece.height for piece in pieces], 1),
        _closed([piece.colour for piece in pieces], FINE),
        _closed([piece.slopes for piece in pieces], FINE),
        _closed([piece.lesion for piece in pieces], 1),
    )


def _closed(arrays: Sequence[AnyArray], margin: int) -> AnyArray:
    """Arrays below each other, with `margin` columns of the other side added left and right."""
    rows, columns = arrays[0].shape[:2]
    whole = np.empty((rows * len(arrays), columns + 2 * margin, *arrays[0].shape[2:]), arrays[0].dtype)
    for number, array in enumerate(arrays):
        whole[number * rows : (number + 1) * rows, margin:-margin] = array
    whole[:, :margin] = whole[:, -2 * margin : -margin]
    whole[:, -margin:] = whole[:, margin : 2 * margin]
    return whole
