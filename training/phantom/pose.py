"""Where the capsule is and looks at one frame, and how the tube is deformed there."""

from dataclasses import dataclass

import numpy as np

from training.phantom.anatomy import Anatomy
from training.phantom.motion import Motion, Series
from training.phantom.noise import Field
from training.phantom.sheet import Piece

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


def pose_at(motion: Motion, anatomy: Anatomy, frame: int) -> Pose:
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
    motion: Motion, anatomy: Anatomy, frame: int, window: Piece, rows_per_unit: int, collapse: float
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
