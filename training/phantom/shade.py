"""From hits on the wall to a lit, wet picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from training.phantom.lens import Lens
from training.phantom.mucosa import SLOPE_UNIT, SLOPE_ZERO
from training.phantom.noise import Field, Image, as_field, as_image
from training.phantom.patient import Patient
from training.phantom.pose import Pose
from training.phantom.sheet import FINE, Piece
from training.phantom.trace import Hits


@dataclass(frozen=True)
class Lit:
    """A picture of the bare wall.

    Attributes:
        image: (size, size, 3) uint8 RGB.
        distance: (size, size) float32, in units.
        points: (3, size * size) float32, where each pixel's ray ends, relative to the capsule, in the tube's frame.
    """

    image: Image
    distance: Field
    points: Field


class Shader:
    """Lights a patient's wall as seen through one lens; holds only what never changes, so threads may share it."""

    def __init__(self, patient: Patient, lens: Lens, cells: int) -> None:
        self._patient = patient
        self._size = lens.size_px
        self._rays = lens.rays(lens.size_px)
        self._vignette = lens.vignette(cells)
        self._tones = _tone_curves(patient)

    def light(self, hits: Hits, pose: Pose, window: Piece, rows_per_unit: int, radius: float) -> Lit:
        """The picture of the wall; `radius` is the tube's radius at the capsule, which sets the exposure."""
        size = (self._size, self._size)
        coarse = (hits.distance, hits.facing, hits.light_around, hits.light_along, self._exposed(hits, radius))
        grown = (as_field(cv2.resize(part, size, interpolation=cv2.INTER_LINEAR)) for part in coarse)
        distance, facing, light_around, light_along, fall = grown
        points, column, row = self._texels(distance, pose, window, rows_per_unit)
        skin = cv2.remap(window.colour, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        slopes = cv2.remap(window.slopes, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        fine = _fine(as_image(slopes), light_around, light_along)
        glint = self._glint(facing + np.float32(0.55) * fine, fall)
        facing = facing + fine
        facing = np.clip(facing, 0, 1.1)
        shade = fall * (
            np.float32(0.27) + np.float32(0.38) * facing * (3 - facing)
        )  # light comes through what turns away
        tone = as_image(cv2.convertScaleAbs(shade, alpha=255.0))
        lit = cv2.multiply(skin, self._tint(tone), scale=1 / 210.0)
        return Lit(as_image(cv2.add(lit, glint)), distance, points)

    def _exposed(self, hits: Hits, radius: float) -> Field:
        """Brightness by distance, (cells, cells), with the capsule's automatic exposure."""
        fall = self._vignette / (hits.distance / np.float32(radius) * np.float32(1.15) + np.float32(0.3))
        mean = float(np.mean(np.minimum(fall * np.maximum(hits.facing, 0.2), 1.5)))
        gain = self._patient.exposure * 0.86 * (0.62 / max(mean, 0.12)) ** 0.6
        return np.asarray(fall * np.float32(gain), dtype=np.float32)

    def _texels(self, distance: Field, pose: Pose, window: Piece, rows_per_unit: int) -> tuple[Field, Field, Field]:
        """End points of the rays (3, size * size) and the colour sheet's column and row (size, size) there."""
        points = (pose.turn @ self._rays) * distance.ravel()
        squared = np.minimum(points[2] * points[2], np.float32(16.0))
        x = points[0] + (np.float32(pose.x) - np.float32(pose.bend_x) * squared)
        y = points[1] + (np.float32(pose.y) - np.float32(pose.bend_y) * squared)
        angle = cv2.phase(x.reshape(distance.shape), y.reshape(distance.shape))
        columns = window.colour.shape[1] - 2 * FINE
        column = angle * np.float32(columns / (2 * np.pi)) + np.float32(FINE - 0.5)
        row = (points[2] + np.float32(pose.depth - window.start)) * np.float32(rows_per_unit * FINE) - np.float32(0.5)
        return points, column, row.reshape(distance.shape)

    def _tint(self, tone: Image) -> Image:
        return as_image(cv2.LUT(cv2.merge([tone, tone, tone]), self._tones))

    def _glint(self, facing: Field, fall: Field) -> Image:
        """Highlights where the wet wall looks back at the lights."""
        glint = np.clip((facing - np.float32(0.95)) * np.float32(13), 0, 1)
        glint = cv2.convertScaleAbs(glint * glint * np.minimum(fall, 1.2), alpha=130.0 * self._patient.wetness)
        return as_image(cv2.merge([glint, glint, glint]))


def _fine(slopes: Image, light_around: Field, light_along: Field) -> Field:
    """How the fine slopes (size, size, 2) change the cosine between wall and light, (size, size)."""
    slope = cv2.split(slopes)
    around = (slope[0].astype(np.float32) - SLOPE_ZERO) * light_around
    along = (slope[1].astype(np.float32) - SLOPE_ZERO) * light_along
    return np.asarray((around + along) * np.float32(-1 / SLOPE_UNIT))


def _tone_curves(patient: Patient) -> Image:
    """(256, 1, 3) uint8: light to brightness for red, green, blue; deep shadow keeps its red longest."""
    light = np.arange(256) / 255.0
    curves = [light ** (patient.contrast * gamma) for gamma in (0.82, 1.08, 1.22)]
    curves[2] = np.minimum(curves[2] * patient.bluish, 1.0)
    return np.round(np.stack(curves, axis=-1)[:, None, :] * 255).astype(np.uint8)
