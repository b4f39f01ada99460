"""The tube: how long its regions are and how wide it is where."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.phantom.config import REGIONS, PhantomConfig, patient_random

MM_PER_UNIT = 12.0
"""One unit of length is the radius of the small bowel, about 12 mm."""

_RADII = (2.0, 1.0, 1.55)
_MINIMUM_LENGTHS = (6.0, 14.0, 10.0)
_FRAME_SHARES = (0.12, 0.66, 0.22)
_UNITS_PER_STEP = 0.035


@dataclass(frozen=True)
class Anatomy:
    """Depths are measured along the tube from its beginning in the stomach, in units of `MM_PER_UNIT`."""

    borders: tuple[float, float, float, float]
    """Where stomach, small bowel and colon begin, and where the colon ends."""
    frame_shares: tuple[float, float, float]
    """Share of the frames that each region takes."""

    def region_at(self, depth: float) -> int:
        """Index into `REGIONS` for a depth; depths outside belong to the nearest region."""
        return int(np.clip(np.searchsorted(self.borders[1:3], depth, side="right"), 0, 2))

    def radius(self, depth: NDArray[np.float64]) -> NDArray[np.float64]:
        """Radius (N,) at depths (N,): wide stomach, narrow bowel, colon; tight at pylorus and ileocaecal valve."""
        pylorus, valve = self.borders[1], self.borders[2]
        step = _RADII[0] + (_RADII[1] - _RADII[0]) * _smooth(depth - pylorus, 1.2)
        step = step + (_RADII[2] - _RADII[1]) * _smooth(depth - valve, 1.2)
        for border in (pylorus, valve):
            step = step * (1 - 0.45 * np.exp(-(((depth - border) / 0.45) ** 2)))
        return step


def make_anatomy(config: PhantomConfig) -> Anatomy:
    """Draw the patient's anatomy; long studies have long tubes, so that a capsule moves about as fast as real ones."""
    rng = patient_random(config, "anatomy")
    shares = np.array(_FRAME_SHARES) * rng.uniform(0.8, 1.2, len(REGIONS))
    shares /= shares.sum()
    shortest = np.array(_MINIMUM_LENGTHS) * min(1.0, config.speed)
    lengths = np.maximum(shortest, shares * config.steps * _UNITS_PER_STEP)
    borders = np.concatenate([[0.0], np.cumsum(lengths)])
    return Anatomy(
        (float(borders[0]), float(borders[1]), float(borders[2]), float(borders[3])),
        (float(shares[0]), float(shares[1]), float(shares[2])),
    )


def _smooth(distance: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    return 0.5 + 0.5 * np.tanh(distance / width * 2)
