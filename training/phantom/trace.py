"""Following the camera's rays to the wall."""

from dataclasses import dataclass

import cv2
import numpy as np

from training.phantom.noise import Field, as_field
from training.phantom.pose import Pose

_STEPS = 18
_NEAREST, _FARTHEST = 0.06, 9.0


@dataclass(frozen=True)
class Hits:
    """Where rays meet the wall; all (cells, cells) float32.

    Attributes:
        distance: along the ray, in units.
        column: column of the wall's array that was hit.
        row: row of the wall's array that was hit.
        facing: cosine between the wall's normal and the way back to the camera, in [-1, 1].
        light_around: how strongly a slope around the tube changes `facing`.
        light_along: how strongly a slope along the tube changes `facing`.
        directions: (3, cells * cells) rays in the tube's frame.
    """

    distance: Field
    column: Field
    row: Field
    facing: Field
    light_around: Field
    light_along: Field
    directions: Field


def trace(rays: Field, pose: Pose, wall: Field, wall_start: float, rows_per_unit: int) -> Hits:
    """Walk each ray until it meets the wall, by steps as long as the wall is away (sphere tracing, relaxed).

    Args:
        rays: (3, cells * cells) in the camera's frame.
        pose: where the camera is.
        wall: (rows, columns + 2) radius of the wall, first and last column repeated from the other side.
        wall_start: z of the wall's row 0 relative to the camera.
        rows_per_unit: rows of the wall per unit.
    """
    directions = pose.turn @ rays
    cells = round(np.sqrt(rays.shape[1]))
    per_radian = np.float32((wall.shape[1] - 2) / (2 * np.pi))
    slant = np.hypot(directions[0], directions[1])
    gain = np.float32(0.62) / np.maximum(slant, np.float32(0.4))
    distance = np.full(rays.shape[1], 0.3, np.float32)
    for _ in range(_STEPS):
        away, angle, row = _place(directions, distance, pose, wall_start, rows_per_unit)
        column = angle * per_radian + np.float32(0.5)
        radius = as_field(cv2.remap(wall, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        distance += np.clip((radius - away).ravel() * gain, -0.12, 0.7)
        np.clip(distance, _NEAREST, _FARTHEST, out=distance)
    settled = cv2.medianBlur(distance.reshape(cells, cells), 5)  # rays that slipped past an edge
    distance = as_field(cv2.GaussianBlur(settled, (3, 3), 0.8)).ravel()  # edges without stairs
    away, angle, row = _place(directions, distance, pose, wall_start, rows_per_unit)
    column = angle * per_radian + np.float32(0.5)
    slopes = _slopes(wall, column, row, rows_per_unit, float(per_radian))
    return _hits(directions, distance, away.ravel(), angle.ravel(), column, row, slopes, cells)


def _place(
    directions: Field, distance: Field, pose: Pose, wall_start: float, rows_per_unit: int
) -> tuple[Field, Field, Field]:
    """Distance from the tube's axis, angle around it, and wall row, each (cells, cells), at a distance on the rays."""
    z = directions[2] * distance
    squared = np.minimum(z * z, np.float32(16.0))
    x = directions[0] * distance + (np.float32(pose.x) - np.float32(pose.bend_x) * squared)
    y = directions[1] * distance + (np.float32(pose.y) - np.float32(pose.bend_y) * squared)
    side = round(np.sqrt(distance.size))
    polar = cv2.cartToPolar(x.reshape(side, side), y.reshape(side, side))
    away, angle = as_field(polar[0]), as_field(polar[1])
    row = (z - np.float32(wall_start)) * np.float32(rows_per_unit) - np.float32(0.5)
    return away, angle, row.reshape(side, side)


def _slopes(wall: Field, column: Field, row: Field, rows_per_unit: int, per_radian: float) -> tuple[Field, Field]:
    """How the radius grows around (per radian) and along (per unit) the tube where rays hit, (cells * cells,)."""
    around = cv2.Sobel(wall, cv2.CV_32F, 1, 0, ksize=3, scale=per_radian / 8)
    along = cv2.Sobel(wall, cv2.CV_32F, 0, 1, ksize=3, scale=rows_per_unit / 8)
    both = as_field(
        cv2.remap(cv2.merge([around, along]), column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )
    return both[..., 0].ravel(), both[..., 1].ravel()


def _hits(
    directions: Field,
    distance: Field,
    away: Field,
    angle: Field,
    column: Field,
    row: Field,
    slopes: tuple[Field, Field],
    cells: int,
) -> Hits:
    """Angles between normals and rays, in the frame (outwards, around, along) of each point."""
    cosine, sine = np.cos(angle), np.sin(angle)
    outwards = directions[0] * cosine + directions[1] * sine
    around = directions[1] * cosine - directions[0] * sine
    slope_around = slopes[0] / np.maximum(away, np.float32(0.05))
    slope_along = slopes[1]
    length = 1 / np.sqrt(1 + slope_around**2 + slope_along**2)
    facing = np.maximum(
        (outwards - around * slope_around - directions[2] * slope_along) * length, 0
    )  # what is seen faces us
    side = (cells, cells)
    return Hits(
        distance.reshape(side),
        column,
        row,
        facing.reshape(side),
        (around * length).reshape(side),
        (directions[2] * length).reshape(side),
        directions,
    )
