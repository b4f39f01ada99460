"""The skin of the wall: colour, fine relief, vessels, red patches, pale dots, and food that sticks to it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.patient import Patient
from training.phantom.surface import FOODS, SLOPE_UNIT, SLOPE_ZERO, Field, NoiseField, as_field
from training.phantom.texture import PlaceTextures, repeated_texture

_VILLI = (0.35, 1.0, 0.22)  # how rough the regions are
_VESSELS = (0.15, 0.3, 1.0)  # how well vessels show through
_DEBRIS = (0.5, 0.35, 1.0)


class Mucosa:
    """Colours and fine slopes of pieces of wall.

    What is fine repeats from piece to piece and what is coarse does not; where the patient's `places` differ, neither.

    Args:
        patient: looks.
        noise: coarse noise for a patient's pieces.
        seed: decides the fine noise.
        shape: rows and columns of a piece in fine texels.
    """

    def __init__(self, patient: Patient, noise: NoiseField, seed: int, shape: tuple[int, int]) -> None:
        self._patient = patient
        self._noise = noise
        self._shape = shape
        rng = np.random.default_rng(seed)
        self._food = FOODS[int(rng.integers(len(FOODS)))]
        self._repeated = None if patient.places else repeated_texture(rng, *shape)
        self._own = PlaceTextures(seed, *shape)

    def skin(self, number: int, shares: dict[int, Field], height: Field) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Colour (rows, columns, 3) and slopes (rows, columns, 2), both uint8, of piece `number`.

        `shares` are the regions' shares (coarse rows,), `height` (coarse rows, columns) the relief.
        """
        coarse = self._coarse_colour(number, shares, height)
        size = (self._shape[1], self._shape[0])
        texture = self._repeated or self._own.texture(number)
        colour = as_field(cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR))
        villi = _along(shares, _VILLI, size[1]) * self._patient.villi
        colour *= as_field(1 + (0.075 * villi) * texture.grains)[:, :, None]
        self._vein(colour, shares, number, texture.vessels)
        if self._patient.white_spots:
            colour += (texture.spots * (self._patient.white_spots * 45))[:, :, None]
        slopes = texture.slopes * (villi * (0.35 * SLOPE_UNIT))[:, :, None] + SLOPE_ZERO
        return _bytes(colour), _bytes(slopes)

    def _coarse_colour(self, number: int, shares: dict[int, Field], height: Field) -> Field:
        patient, piece = self._patient, self._noise.piece
        base = sum(
            share[:, None, None] * np.array(patient.mucosa[region], np.float32) for region, share in shares.items()
        )
        rough = np.clip(0.8 + 1.6 * piece("rough", number, 2, 4), 0, 2) if patient.places else 0.6
        mottle = piece("mottle", number, 5, 8) + rough * piece("mottle 2", number, 20, 32)
        hue = piece("hue", number, 4, 4) * (0.25 if patient.places else 1)
        red = np.clip(piece("redness", number, 5, 8) - 0.35, 0, 1) * patient.redness
        hollow = np.clip(0.12 - height, 0, 0.3)  # light does not come out of the furrows as it went in
        colour = np.asarray(base) * (1 + patient.mottling * mottle)[:, :, None]
        tint = np.dstack([1 + 0.02 * hue + 0.05 * red, 1 - 0.07 * hue - 0.4 * red, 1 - 0.12 * hue - 0.38 * red])
        colour = colour * tint * (1 - hollow[:, :, None] * np.array([0.7, 1.3, 1.4], np.float32))
        self._dirty(colour, shares, number)
        return np.asarray(colour, dtype=np.float32)

    def _dirty(self, colour: Field, shares: dict[int, Field], number: int) -> None:
        """Bile stains and food, from yellow-green film to brown crumbs."""
        piece, stains = self._noise.piece, self._patient.stains
        amount = _along(shares, _DEBRIS, colour.shape[0]) * self._patient.debris
        film = np.clip(piece(f"film{stains}", number, 5, 8) * 1.3 - 0.9 + 0.5 * amount, 0, 0.6)
        crumbs = piece(f"crumbs{stains}", number, 40, 64) + 0.6 * piece(f"crumbs there{stains}", number, 5, 8)
        dirt = np.clip((crumbs - 1.3 + 0.3 * amount) * 3, 0, 0.75)
        for cover, shade in ((film, self._patient.fluid), (dirt, self._food)):
            colour += cover[:, :, None] * (np.array(shade, np.float32) - colour)

    def _vein(self, colour: Field, shares: dict[int, Field], number: int, vessels: Field) -> None:
        there = np.clip(self._noise.piece("vessels there", number, 4, 4) + 0.2, 0, 1)
        there = cv2.resize(there, (colour.shape[1], colour.shape[0]))
        region = 0.5 if self._patient.places else _along(shares, _VESSELS, colour.shape[0])
        strength = np.minimum(region * (self._patient.vessels * 0.5) * there * vessels, 1)
        colour *= 1 - strength[:, :, None] * np.array([0.35, 0.75, 0.7], np.float32)


def _bytes(values: Field) -> NDArray[np.uint8]:
    """Rounded down and clipped to 0..255."""
    return np.clip(values, 0, 255).astype(np.uint8)


def _along(shares: dict[int, Field], values: tuple[float, float, float], rows: int) -> Field:
    """A region's value for each of `rows` rows, (rows, 1), blended where regions meet."""
    blended = sum(share * np.float32(values[region]) for region, share in shares.items())
    grown = cv2.resize(as_field(blended)[:, None], (1, rows), interpolation=cv2.INTER_LINEAR)
    return as_field(grown).reshape(rows, 1)
