"""Painting a lesion into a piece of wall: its outline, relief and colour.

Patterns of a polyp's surface that differ in their shapes and not in their colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.lesions import Lesion
from training.phantom.patient import MM_PER_UNIT, Colour
from training.phantom.surface import SLOPE_ZERO, Field, as_field

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


if TYPE_CHECKING:
    from training.phantom.sheet import Piece


@dataclass(frozen=True)
class Spot:
    """Where the texels of a piece lie relative to a lesion's outline.

    Attributes:
        reach: (rows, columns) float32, distance from the centre as a share of the outline's that way: 1 on the outline.
        direction: (rows, columns) float32, radians around the centre.
        grain: (rows, columns) float32 smooth noise of unit variance, finer than the lesion.
        pits: (rows, columns) float32, how much of a pit there is, in [0, 1]; zeros for a lesion without.
        columns: which columns of the piece these are.
        rows: which rows.
    """

    reach: Field
    direction: Field
    grain: Field
    pits: Field
    rows: slice
    columns: NDArray[np.int64]


def paint_lesion(piece: Piece, lesion: Lesion, number: int, radius: float, rows_per_unit: int, mucosa: Colour) -> None:
    """Paint the part of a lesion that lies in this piece; `number` goes into the lesion sheet.

    `radius` is the tube's radius at the lesion, in units; `mucosa` is the colour of the wall there.
    """
    fine = piece.colour.shape[0] // piece.height.shape[0]
    coarse_spot = _locate(lesion, piece.start, piece.height.shape, radius, rows_per_unit)
    if coarse_spot is not None:
        where = np.ix_(np.arange(coarse_spot.rows.start, coarse_spot.rows.stop), coarse_spot.columns)
        piece.height[where] += _relief(coarse_spot, lesion) / np.float32(radius)
        mask = piece.lesion[where]
        mask[coarse_spot.reach < _EDGES[lesion.kind]] = number
        piece.lesion[where] = mask
    fine_shape = (piece.colour.shape[0], piece.colour.shape[1])
    fine_spot = _locate(lesion, piece.start, fine_shape, radius, rows_per_unit * fine)
    if fine_spot is not None:
        where = np.ix_(np.arange(fine_spot.rows.start, fine_spot.rows.stop), fine_spot.columns)
        skin = piece.colour[where].astype(np.float32)
        piece.colour[where] = np.clip(_COLOURS[lesion.kind](skin, fine_spot, lesion, as_field(mucosa)), 0, 255).astype(
            np.uint8
        )
        smooth = np.clip((fine_spot.reach - 0.6) / 0.6, _ROUGHNESS[lesion.kind], 1.0)
        slopes = piece.slopes[where].astype(np.float32) - SLOPE_ZERO
        piece.slopes[where] = (slopes * smooth[:, :, None] + SLOPE_ZERO).astype(np.uint8)


_ROUGHNESS = {"polyp": 0.35, "angiectasia": 0.8, "ulcer": 0.4, "blood": 0.15}


_EDGES = {"polyp": 1.05, "angiectasia": 0.85, "ulcer": 1.1, "blood": 0.95}
"""Reach up to which a lesion counts as such: where its colour still tells it from the wall."""


def _locate(lesion: Lesion, start: float, shape: tuple[int, ...], radius: float, rows_per_unit: int) -> Spot | None:
    """The rectangle around a lesion in a sheet of this shape, or None where it lies outside."""
    rng = np.random.default_rng(lesion.looks_seed)
    half = lesion.size_mm / MM_PER_UNIT / 2
    extent = 2.3 * half
    rows = np.arange(
        int((lesion.depth - extent - start) * rows_per_unit), int((lesion.depth + extent - start) * rows_per_unit) + 1
    )
    rows = rows[(rows >= 0) & (rows < shape[0])]
    if rows.size == 0:
        return None
    per_radian = shape[1] / (2 * np.pi)
    middle = lesion.angle * per_radian
    reach_columns = min(int(extent / radius * per_radian) + 1, shape[1] // 2 - 1)
    columns = np.arange(int(middle) - reach_columns, int(middle) + reach_columns + 1)
    along = np.asarray((start + (rows + 0.5) / rows_per_unit - lesion.depth) / half, dtype=np.float64)
    around = np.asarray((columns + 0.5 - middle) / per_radian * radius / half, dtype=np.float64)
    grain = _grain(rng, along, around)
    turned = _turned(around, along, rng, _SLENDERNESS[lesion.kind])
    direction = np.arctan2(turned[1], turned[0])
    outline = _outline(rng, direction, _RAGGEDNESS[lesion.kind])
    reach = np.hypot(*turned) / outline * (1 + _FUZZ[lesion.kind] * grain)
    return Spot(
        reach.astype(np.float32),
        direction.astype(np.float32),
        grain,
        make_pits(lesion, along, around) if lesion.pits else np.zeros_like(grain),
        slice(int(rows[0]), int(rows[-1]) + 1),
        columns % shape[1],
    )


_SLENDERNESS = {"polyp": 1.25, "angiectasia": 1.3, "ulcer": 1.6, "blood": 2.8}
_RAGGEDNESS = {"polyp": 0.06, "angiectasia": 0.28, "ulcer": 0.2, "blood": 0.2}
_FUZZ = {"polyp": 0.03, "angiectasia": 0.22, "ulcer": 0.16, "blood": 0.26}


def _grain(rng: np.random.Generator, along: NDArray[np.float64], around: NDArray[np.float64]) -> Field:
    """Noise fixed to the lesion: 24 x 24 cells over +-2.4 half sizes, whatever piece or sheet asks for it."""
    lattice = as_field(cv2.GaussianBlur(rng.standard_normal((48, 48), dtype=np.float32), (0, 0), 0.9))
    lattice /= lattice.std()
    columns, rows = np.meshgrid((around + 2.4) * 10, (along + 2.4) * 10)
    return as_field(cv2.remap(lattice, as_field(columns), as_field(rows), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP))


def _turned(
    around: NDArray[np.float64], along: NDArray[np.float64], rng: np.random.Generator, slenderness: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coordinates along the lesion's long and short axis; slender lesions are shortened on the second."""
    turn = rng.uniform(0, np.pi)
    stretch = rng.uniform(1.0, slenderness)
    x, y = np.meshgrid(around, along)
    long_axis = x * np.cos(turn) + y * np.sin(turn)
    short_axis = (-x * np.sin(turn) + y * np.cos(turn)) * stretch
    return long_axis, short_axis


def _outline(rng: np.random.Generator, direction: NDArray[np.float64], raggedness: float) -> NDArray[np.float64]:
    """Distance of the outline from the centre, about 1, wavy with the direction."""
    outline = np.full_like(direction, 0.95)
    for waves in range(2, 8):
        outline += raggedness / waves * 1.6 * rng.normal() * np.cos(waves * direction + rng.uniform(0, 2 * np.pi))
    return np.clip(outline, 0.35, 1.4)


def _relief(spot: Spot, lesion: Lesion) -> Field:
    """Height (rows, columns) above the wall, in units."""
    half = lesion.size_mm / MM_PER_UNIT / 2
    inside = np.clip(1 - spot.reach**2, 0, 1)
    if lesion.kind == "polyp":
        tall = {"sessile": 0.95, "pedunculated": 1.5, "undefined": 0.5}[lesion.morphology]
        sharp = {"sessile": 0.55, "pedunculated": 0.35, "undefined": 0.9}[lesion.morphology]
        knobs = 1 + 0.05 * spot.grain
        return np.asarray(min(tall * half, 0.5) * inside**sharp * knobs, dtype=np.float32)
    if lesion.kind == "ulcer":
        rim = np.exp(-(((spot.reach - 1.05) / 0.22) ** 2))
        return np.asarray(half * (0.16 * rim - 0.16 * np.clip(1.1 - spot.reach, 0, 0.5) * 2), dtype=np.float32)
    if lesion.kind == "blood":
        return np.asarray(0.04 * np.sqrt(inside), dtype=np.float32)
    return np.asarray(0.01 * inside, dtype=np.float32)


def _blend(skin: Field, cover: Field, colour: tuple[float, float, float] | Field) -> Field:
    """Cover the skin (rows, columns, 3) with a colour, cover (rows, columns) in [0, 1]."""
    return np.asarray(
        skin + np.clip(cover, 0, 1)[:, :, None] * (np.asarray(colour, np.float32) - skin), dtype=np.float32
    )


def _looks(lesion: Lesion) -> np.random.Generator:
    return np.random.default_rng([lesion.looks_seed if lesion.colours_seed is None else lesion.colours_seed, 1])


def _polyp(skin: Field, spot: Spot, lesion: Lesion, mucosa: Field) -> Field:
    """The patient's own mucosa without its fine relief, redder or paler, with a vessel pattern; darker at the foot."""
    rng = _looks(lesion)
    own = mucosa * np.array([rng.uniform(0.98, 1.14), rng.uniform(0.74, 1.08), rng.uniform(0.72, 1.1)])
    pattern = 1 + 0.05 * spot.grain - 0.16 * np.clip(np.abs(spot.grain) < 0.16, 0, 1) * rng.uniform(0, 1)
    pattern = pattern * (1 - PIT_DEPTH * spot.pits)
    painted = _blend(skin, np.clip((1.04 - spot.reach) / 0.14, 0, 0.9), own.astype(np.float32) * pattern[:, :, None])
    foot = np.exp(-(((spot.reach - 1.12) / 0.14) ** 2)) * 0.3
    return as_field(painted * (1 - foot[:, :, None] * np.array([0.7, 1.0, 1.0], np.float32)))


def _angiectasia(skin: Field, spot: Spot, lesion: Lesion, mucosa: Field) -> Field:
    """A bright red tuft of vessels that runs out in threads, sometimes in a pale halo."""
    rng = _looks(lesion)
    threads = 0.5 + 0.5 * np.cos(rng.integers(6, 11) * spot.direction + 2.2 * spot.grain + 3 * spot.reach)
    tuft = np.clip((0.75 - spot.reach) / 0.3, 0, 1) * (0.72 + 0.28 * threads)
    running = threads**2 * np.clip((1.25 - spot.reach) / 0.6, 0, 0.75)
    halo = np.exp(-(((spot.reach - 1.35) / 0.25) ** 2)) * rng.uniform(0, 0.25)
    red = (rng.uniform(165, 205), rng.uniform(28, 58), rng.uniform(24, 52))
    return _blend(_blend(skin, halo, (236, 208, 178)), np.maximum(tuft, running) * rng.uniform(0.72, 0.95), red)


def _ulcer(skin: Field, spot: Spot, lesion: Lesion, mucosa: Field) -> Field:
    """A base of pale fibrin, uneven, in a reddened rim."""
    rng = _looks(lesion)
    rim = np.exp(-(((spot.reach - 1.12) / 0.24) ** 2)) * rng.uniform(0.3, 0.75)
    base = np.clip((1.0 - spot.reach) / 0.4, 0, 1) * (rng.uniform(0.6, 0.85) + 0.12 * spot.grain)
    fibrin = np.array([rng.uniform(208, 236), rng.uniform(186, 214), rng.uniform(120, 170)], np.float32)
    uneven = fibrin * (1 + 0.06 * spot.grain)[:, :, None]
    return _blend(_blend(skin, rim, (196, 70, 58)), base, uneven)


def _blood(skin: Field, spot: Spot, lesion: Lesion, mucosa: Field) -> Field:
    """Fresh blood: thin and bright red at the edge, thick and dark within."""
    rng = _looks(lesion)
    thick = np.clip((1.0 - spot.reach) / 0.55, 0, 1)
    cover = np.clip((1.1 - spot.reach) / rng.uniform(0.25, 0.6), 0, 1) * (rng.uniform(0.75, 0.92) + 0.08 * spot.grain)
    bright = np.array([rng.uniform(160, 200), rng.uniform(16, 44), rng.uniform(14, 36)], np.float32)
    return _blend(skin, cover, bright * (1 - rng.uniform(0.35, 0.6) * thick)[:, :, None])


_COLOURS = {"polyp": _polyp, "angiectasia": _angiectasia, "ulcer": _ulcer, "blood": _blood}
