"""Bubbles and floating crumbs: small things that hang at the wall and show the lights."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.anatomy import Anatomy
from training.phantom.config import PhantomConfig, pass_random
from training.phantom.lens import Lens
from training.phantom.noise import Field, Image, as_image
from training.phantom.patient import Patient
from training.phantom.pose import Pose, opened
from training.phantom.sprites import Sprite, draw_bubble, draw_crumb

_SPRITES = 4
_SEEN_BEHIND, _SEEN_AHEAD = 0.6, 3.0
_MOST_A_FRAME = 110

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Things:
    """All bubbles and crumbs of one pass, sorted by depth; arrays (M,)."""

    depth: Numbers
    angle: Numbers
    reach: Numbers  # distance from the axis, share of the tube's radius
    radius: Numbers  # units
    sprite: NDArray[np.int64]  # _SPRITES and above: crumbs


def make_things(config: PhantomConfig, patient: Patient, anatomy: Anatomy) -> Things:
    """Scatter clusters along the tube; another pass finds other ones."""
    rng = pass_random(config, "bubbles")
    length = anatomy.borders[3]
    count = rng.poisson(patient.bubbles_per_unit * length)
    clusters = [_cluster(rng, rng.uniform(0, length), anatomy) for _ in range(count)]
    table = np.concatenate([np.zeros((5, 0)), *clusters], axis=1)
    table = table[:, np.argsort(table[0], kind="stable")]
    return Things(table[0], table[1], table[2], table[3], table[4].astype(np.int64))


def _cluster(rng: np.random.Generator, depth: float, anatomy: Anatomy) -> Numbers:
    """(5, count): depth, angle, reach, radius, sprite of a handful of things that lie together."""
    is_food = rng.uniform() < 0.15
    count = int(rng.integers(3, 16) if rng.uniform() < 0.6 else rng.integers(30, 110))
    spread = rng.uniform(0.1, 0.45)
    wide = float(anatomy.radius(np.array([depth]))[0])
    size = np.exp(rng.normal(np.log(rng.uniform(0.025, 0.1)), 0.55, count))
    depths = depth + rng.normal(0, spread * rng.uniform(0.6, 1.8), count)
    angles = rng.uniform(0, 2 * np.pi) + rng.normal(0, spread / wide, count)
    sprite = np.full(count, rng.integers(_SPRITES, 2 * _SPRITES)) if is_food else rng.integers(0, _SPRITES, count)
    return np.stack([depths, angles, rng.uniform(0.7, 0.86, count), np.clip(size, 0.012, 0.26), sprite])


class ThingPainter:
    """Draws the bubbles and crumbs of a pass into frames; safe to share between threads."""

    def __init__(self, config: PhantomConfig, patient: Patient, anatomy: Anatomy, lens: Lens) -> None:
        self._things = make_things(config, patient, anatomy)
        self._anatomy = anatomy
        self._lens = lens
        self._collapse = patient.collapse
        self._ready: dict[tuple[int, int], Sprite] = {}
        rng = pass_random(config, "sprites")
        self._sprites = [draw_bubble(rng) for _ in range(_SPRITES)] + [draw_crumb(rng) for _ in range(_SPRITES)]

    def paint(self, image: Image, pose: Pose, distance: Field, squeeze: float) -> None:
        """Draw into the image (size, size, 3) what is nearer than the wall, whose distance (size, size) is given."""
        things = self._things
        first, last = np.searchsorted(things.depth, [pose.depth - _SEEN_BEHIND, pose.depth + _SEEN_AHEAD])
        if last <= first:
            return
        chosen = slice(int(first), min(int(last), int(first) + _MOST_A_FRAME))
        x, y, radius, away = self._project(chosen, pose, squeeze)
        for index in np.argsort(-away, kind="stable"):
            if 1.0 < radius[index] < 0.22 * image.shape[0]:
                sprite = self._sized(int(things.sprite[chosen][index]), 2 * round(float(radius[index])) + 1)
                _stamp(image, sprite, float(x[index]), float(y[index]), float(away[index]), distance)

    def _sized(self, kind: int, side: int) -> Sprite:
        """A sprite of `side` x `side` pixels, resized once (twice at worst, where two threads meet)."""
        if (kind, side) not in self._ready:
            whole = self._sprites[kind]
            keep, light = (
                cv2.resize(part, (side, side), interpolation=cv2.INTER_AREA) for part in (whole.keep, whole.light)
            )
            self._ready[kind, side] = Sprite(as_image(keep), as_image(light))
        return self._ready[kind, side]

    def _project(self, chosen: slice, pose: Pose, squeeze: float) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Pixel position, pixel radius and distance of things."""
        things = self._things
        z = things.depth[chosen] - pose.depth
        reach = (
            self._anatomy.radius(things.depth[chosen])
            * opened(z, self._collapse)
            * things.reach[chosen]
            * (1 - 0.5 * squeeze * np.clip(z, 0, 1))
        )
        bend = np.minimum(z * z, 16.0)
        x = reach * np.cos(things.angle[chosen]) - pose.x + pose.bend_x * bend
        y = reach * np.sin(things.angle[chosen]) - pose.y + pose.bend_y * bend
        seen = pose.turn.T.astype(np.float64) @ np.stack([x, y, z])
        away = np.maximum(np.sqrt((seen**2).sum(axis=0)), 1e-3)
        half = self._lens.size_px / 2
        per_radian = half / self._lens.half_view_rad
        from_axis = (
            np.arccos(np.clip(seen[2] / away, -1, 1)) * per_radian / np.maximum(np.hypot(seen[0], seen[1]), 1e-6)
        )
        return half + seen[0] * from_axis, half + seen[1] * from_axis, things.radius[chosen] / away * per_radian, away


def _stamp(image: Image, sprite: Sprite, x: float, y: float, away: float, distance: Field) -> None:
    """Draw one sprite unless the wall hides it."""
    size = image.shape[0]
    side = sprite.keep.shape[0]
    left, top = round(x) - side // 2, round(y) - side // 2
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + side, size), min(top + side, size)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    if distance[min(max(round(y), 0), size - 1), min(max(round(x), 0), size - 1)] < away - 0.25:
        return
    cut = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    part = cv2.multiply(image[y0:y1, x0:x1], np.ascontiguousarray(sprite.keep[cut]), scale=1 / 255.0)
    image[y0:y1, x0:x1] = cv2.scaleAdd(np.ascontiguousarray(sprite.light[cut]), min(0.75 / (0.35 + away), 1.2), part)
