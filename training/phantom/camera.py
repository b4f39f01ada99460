"""Following the camera's rays to the wall.

The capsule's wide-angle lens and the shape of its picture.

Where the capsule is and looks at one frame, and how the tube is deformed there.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom import patient, sheet
from training.phantom.motion import Motion, Series
from training.phantom.surface import Field, as_field, as_image


@dataclass(frozen=True)
class Lens:
    """An equidistant fisheye: the angle from the axis grows evenly with the distance from the picture's centre.

    Attributes:
        size_px: width and height of the picture.
        shape: "circle" or "octagon".
        half_view_rad: angle from the axis at the middle of the picture's edge.
    """

    size_px: int
    shape: str
    half_view_rad: float

    def rays(self, cells: int) -> Field:
        """Unit vectors (3, cells * cells): right, down, ahead, in the middles of cells x cells parts."""
        line = (np.arange(cells) + 0.5) / cells * 2 - 1
        x, y = np.meshgrid(line, line)
        distance = np.hypot(x, y)
        angle = distance * self.half_view_rad
        sine = np.sin(angle) / np.maximum(distance, 1e-9)
        return np.stack([x * sine, y * sine, np.cos(angle)]).reshape(3, -1).astype(np.float32)

    def mask(self) -> NDArray[np.uint8]:
        """(size_px, size_px, 3) uint8: 255 inside the field of view, 0 outside, a soft pixel between."""
        large = 4 * self.size_px
        mask = np.zeros((large, large), np.uint8)
        half = large / 2
        if self.shape == "circle":
            cv2.circle(mask, (round(half), round(half)), round(half * 0.985), 255, -1)
        else:
            cut, edge = half * 0.56, half * 0.99
            corners = [(-edge + cut, -edge), (edge - cut, -edge), (edge, -edge + cut), (edge, edge - cut)]
            corners += [(-x, -y) for x, y in corners]
            cv2.fillPoly(mask, [np.round(np.array(corners) + half).astype(np.int32)], (255,))
        small = cv2.resize(mask, (self.size_px, self.size_px), interpolation=cv2.INTER_AREA)
        return as_image(cv2.merge([small, small, small]))

    def vignette(self, cells: int) -> Field:
        """(cells, cells) float32 brightness: 1 in the middle, darker to the edge."""
        line = (np.arange(cells) + 0.5) / cells * 2 - 1
        squared = line[:, None] ** 2 + line[None, :] ** 2
        return np.clip(1.03 - 0.34 * squared**1.5, 0.2, 1.0).astype(np.float32)


BEHIND, AHEAD = 2.4, 7.5
"""How much of the tube a frame looks at, in units."""


@dataclass(frozen=True)
class Pose:
    """One frame's geometry; x to the right and y down across the tube, z along it from the capsule on, in units."""

    depth: float
    x: float
    y: float
    turn: Field  # (3, 3) float32, camera to tube
    bend_x: float
    bend_y: float


def pose_at(motion: Motion, anatomy: patient.Anatomy, frame: int) -> Pose:
    """The pose at a frame."""
    depth = float(motion.depth[frame])
    radius = float(anatomy.radius(np.array([depth]))[0])
    yaw, pitch, roll = (float(values[frame]) for values in (motion.yaw, motion.pitch, motion.roll))
    return Pose(
        depth=depth,
        x=float(motion.offset_x[frame]) * radius,
        y=float(motion.offset_y[frame]) * radius,
        turn=_turn(yaw, pitch, roll),
        bend_x=float(motion.bend_x[frame]),
        bend_y=float(motion.bend_y[frame]),
    )


def _turn(yaw: float, pitch: float, roll: float) -> Field:
    """Rotation matrix: first roll about the axis of view, then pitch, then yaw."""
    cy, sy, cp, sp, cr, sr = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch), np.cos(roll), np.sin(roll)
    rolled = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
    pitched = np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
    yawed = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    return np.asarray(yawed @ pitched @ rolled, dtype=np.float32)


def opened(z: Series, collapse: float) -> Series:
    """How wide the tube is held open, as a share: wide around the capsule (z = 0), fallen together elsewhere."""
    return 1 - collapse * (1 - np.exp(-((z / 1.7) ** 2)))


def wall_radius(
    motion: Motion, anatomy: patient.Anatomy, frame: int, window: sheet.Piece, rows_per_unit: int, collapse: float
) -> tuple[Field, float]:
    """Radius (rows, columns + 2) of the deformed wall around the capsule, and z of its row 0.

    The tube is open around the capsule and falls together elsewhere (`collapse`), breathes in small
    waves and is squeezed shut some way ahead, where it forms a star.
    """
    depth = float(motion.depth[frame])
    first = int((depth - BEHIND - window.start) * rows_per_unit)
    height = window.height[first : first + int((BEHIND + AHEAD) * rows_per_unit)]
    z = (np.arange(height.shape[0]) + 0.5) / rows_per_unit + (first / rows_per_unit + window.start - depth)
    phase = float(motion.flutter[frame])
    radius = anatomy.radius(z + depth) * opened(z, collapse) * (1 + 0.05 * np.sin(2.1 * (z + depth) - phase))
    ahead = max(0.9, float(motion.squeeze_ahead[frame]))
    squeeze = float(motion.squeeze[frame]) * np.exp(-(((z - ahead) / 0.75) ** 2)) * np.clip(z / 0.6, 0, 1)
    angle = np.arange(height.shape[1]) * (2 * np.pi / (height.shape[1] - 2))
    star = 0.5 + 0.5 * np.cos(5 * angle + 1.3 * np.sin(2 * angle + phase * 0.1) + phase * 0.05)
    even = (radius * (1 - squeeze)).astype(np.float32)[:, None]
    starred = (radius * squeeze * 0.3).astype(np.float32)[:, None] * star.astype(np.float32)[None, :]
    return np.maximum((even + starred) * (1 - height), 0.03), float(z[0] - 0.5 / rows_per_unit)


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
