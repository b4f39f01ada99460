"""What is really to be seen in each frame."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.lesions import Lesion


@dataclass(frozen=True)
class Sighting:
    """One lesion in one frame.

    Attributes:
        lesion_id: which lesion.
        kind: its kind.
        box: (x_min, y_min, x_max, y_max) in pixels, half-open, of what is visible.
        area_share: visible part of the field of view, in [0, 1].
        is_clear: large and bright enough for a reader to see; frames with sightings that are not clear carry no label.
    """

    lesion_id: str
    kind: str
    box: tuple[int, int, int, int]
    area_share: float
    is_clear: bool


@dataclass(frozen=True)
class FrameTruth:
    """Ground truth of one frame."""

    frame_index: int
    region: str
    depth_mm: float
    sightings: tuple[Sighting, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Kinds seen clearly; ("normal",) where there is nothing; () where a lesion is there but hard to see."""
        clear = tuple(sorted({sighting.kind for sighting in self.sightings if sighting.is_clear}))
        return clear if self.sightings else ("normal",)

    def to_json(self) -> dict[str, Any]:
        """For the truth file beside the video."""
        return {
            "frame_index": self.frame_index,
            "region": self.region,
            "depth_mm": round(self.depth_mm, 1),
            "labels": list(self.labels),
            "sightings": [
                {
                    "lesion_id": sighting.lesion_id,
                    "kind": sighting.kind,
                    "box": list(sighting.box),
                    "area_share": round(sighting.area_share, 5),
                    "is_clear": sighting.is_clear,
                }
                for sighting in self.sightings
            ],
        }


def _without_crumbs(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask (cells, cells) without parts smaller than a sixth of it: no box grows for a drop beside the pool."""
    count, parts, sizes, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    large = [part for part in range(1, count) if sizes[part, cv2.CC_STAT_AREA] * 6 >= mask.sum()]
    return np.isin(parts, large) if large else mask


CLEAR_AREA_SHARE = 0.006
"""Smallest share of the field of view that counts as clearly seen: about 18 x 18 pixels of 256 x 256."""

CLEAR_BRIGHTNESS = 80.0
"""Smallest mean brightness (largest colour channel, 0..255) of what is seen."""


def sightings(
    numbers: NDArray[np.uint8],
    brightness: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    lesions: tuple[Lesion, ...],
    size_px: int,
) -> tuple[Sighting, ...]:
    """Find the lesions in a small picture of lesion numbers.

    Args:
        numbers: (cells, cells), 0 or 1 + number of the lesion.
        brightness: (cells, cells), largest colour channel of the frame.
        inside: (cells, cells), inside the field of view.
        lesions: what the numbers mean.
        size_px: size of the frame that boxes refer to.
    """
    if not numbers.any():
        return ()
    found = []
    visible = np.where(inside, numbers, 0)
    for number in np.unique(visible[visible > 0]):
        there = _without_crumbs(visible == number)
        rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
        scale = size_px / numbers.shape[0]
        box = (columns[0] * scale, rows[0] * scale, (columns[-1] + 1) * scale, (rows[-1] + 1) * scale)
        share = float(there.sum() / inside.sum())
        clear = share >= CLEAR_AREA_SHARE and float(brightness[there].mean()) >= CLEAR_BRIGHTNESS
        lesion = lesions[int(number) - 1]
        left, top, right, bottom = (round(float(edge)) for edge in box)
        found.append(Sighting(lesion.lesion_id, lesion.kind, (left, top, right, bottom), share, clear))
    return tuple(found)
