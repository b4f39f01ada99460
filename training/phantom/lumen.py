"""Bile and water that stand in the tube: clear or murky, with a level that gravity sets.

Pictures of one bubble or one crumb, to be drawn at any size.

Bubbles and floating crumbs: small things that hang at the wall and show the lights.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.camera import Hits, Lens, Pose, opened
from training.phantom.motion import Motion
from training.phantom.patient import Anatomy, Patient, PhantomConfig, pass_random
from training.phantom.surface import FOODS, Field, Image, as_field, as_image

_SPRITE_PX = 64

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Sprite:
    """`keep` (n, n, 3) uint8: how much of the wall stays; `light` (n, n, 3) uint8: what is added."""

    keep: Image
    light: Image


def _disc() -> tuple[Numbers, Numbers, Numbers]:
    line = (np.arange(_SPRITE_PX) + 0.5) / _SPRITE_PX * 2 - 1
    x, y = np.meshgrid(line, line)
    return x, y, np.hypot(x, y)


def draw_bubble(rng: np.random.Generator) -> Sprite:
    """A dark ring, a bright thin rim that is brighter on one side, and the reflections of the lights."""
    x, y, away = _disc()
    inside = np.clip((0.98 - away) / 0.06, 0, 1)
    ring = np.exp(-(((away - 0.82) / 0.13) ** 2)) * rng.uniform(0.15, 0.4)
    keep = 1 - inside * (ring + rng.uniform(0.0, 0.3))
    side = 0.65 + 0.35 * np.cos(np.arctan2(y, x) - rng.uniform(0, 2 * np.pi))
    light = np.exp(-(((away - 0.9) / 0.055) ** 2)) * side * rng.uniform(0.8, 1.2)
    turn = rng.uniform(0, 2 * np.pi)
    for number in range(int(rng.integers(2, 5))):
        place = turn + number * 2 * np.pi / 4
        far = rng.uniform(0.15, 0.4)
        light += 1.3 * np.exp(-(((x - far * np.cos(place)) ** 2 + (y - far * np.sin(place)) ** 2) / 0.012))
    return _sprite(keep, light * inside, (255.0, 232.0, 170.0))


def draw_crumb(rng: np.random.Generator) -> Sprite:
    """A lump of food: brown, yellow, green or red."""
    x, y, away = _disc()
    direction = np.arctan2(y, x)
    outline = 0.6 + sum(rng.normal(0, 0.09) * np.cos(waves * direction + rng.uniform(0, 6.3)) for waves in (1, 2, 3))
    cover = np.clip((outline - away) / 0.4, 0, 1)
    colour = FOODS[int(rng.integers(len(FOODS)))]
    shading = np.clip(0.75 - 0.35 * x * rng.choice([-1, 1]) - 0.3 * y, 0, 1.2)
    return _sprite(1 - 0.85 * cover, 0.85 * cover * shading, colour)


def _sprite(keep: Numbers, light: Numbers, colour: tuple[float, float, float]) -> Sprite:
    kept = np.repeat((np.clip(keep, 0, 1) * 255)[:, :, None], 3, axis=2)
    added = np.clip(light, 0, 1.2)[:, :, None] * np.array(colour)
    return Sprite(kept.astype(np.uint8), np.clip(added, 0, 255).astype(np.uint8))


_SPRITES = 4
_SEEN_BEHIND, _SEEN_AHEAD = 0.6, 3.0
_MOST_A_FRAME = 110


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


@dataclass(frozen=True)
class Murk:
    """What fluid does to a picture, at the resolution of the rays.

    Attributes:
        through: (cells, cells) float32, share of the wall's light that comes through, in [0, 1].
        glow: (cells, cells) uint8, brightness of the fluid itself.
    """

    through: Field
    glow: Image


def murk(hits: Hits, pose: Pose, motion: Motion, frame: int, radius: float, patient: Patient) -> Murk | None:
    """The fluid of a frame, or None where there is none.

    Light is weakened exponentially over the part of its way that lies below the level (Beer-Lambert).
    """
    amount = float(motion.fluid[frame])
    if amount < 0.02:
        return None
    down_x, down_y = np.cos(motion.gravity[frame]), np.sin(motion.gravity[frame])
    level = radius * (0.95 - 1.3 * amount)
    camera = pose.x * down_x + pose.y * down_y
    fall = (hits.directions[0] * np.float32(down_x) + hits.directions[1] * np.float32(down_y)).reshape(
        hits.distance.shape
    )
    end = fall * hits.distance + np.float32(camera)
    below_end, below_camera = end - np.float32(level), np.float32(camera - level)
    if below_camera > 0:
        share = np.where(below_end > 0, 1.0, below_camera / np.maximum(below_camera - below_end, 1e-3))
    else:
        share = np.clip(below_end / np.maximum(below_end - below_camera, 1e-3), 0, 1)
    way = (share * hits.distance).astype(np.float32)
    through = 0.35 + 0.65 * np.exp(-(0.25 + 1.1 * patient.murkiness**2) * way)
    entered = hits.distance - way
    glow = as_image(cv2.convertScaleAbs(255 * np.minimum((1 - through) * 0.55 / (0.45 + entered / radius), 1.0)))
    return Murk(through.astype(np.float32), glow)


def flood(image: Image, fluid: Murk, patient: Patient) -> Image:
    """The picture (size, size, 3) uint8 seen through the fluid."""
    size = (image.shape[1], image.shape[0])
    through = cv2.resize(fluid.through, size, interpolation=cv2.INTER_LINEAR)
    glow = cv2.resize(fluid.glow, size, interpolation=cv2.INTER_LINEAR)
    colour = cv2.multiply(cv2.merge([glow, glow, glow]), np.array((*patient.fluid, 0.0)), scale=1 / 255.0)
    return as_image(cv2.blendLinear(image, colour, through, 1 - as_field(through)))
