"""Pictures of one bubble or one crumb, to be drawn at any size."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.phantom.mucosa import FOODS
from training.phantom.noise import Image

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
