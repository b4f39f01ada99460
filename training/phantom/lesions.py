"""What is to be found: lesions with an identity, a kind, a size and a form.

Kinds are the four that the starter model knows. A polyp's form is *sessile*, *pedunculated* or *undefined*, and sizes
are drawn in bins (below 6 mm, 6 to 10 mm, above 10 mm) and kept in mm: Laiz et al. 2020 (Table 5) report by form and by
size; the bins of its table are in `training.evaluation.findings_and_budget`.

What is really to be seen in each frame.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.phantom.patient import CLASSES

KINDS = CLASSES[1:]
MORPHOLOGIES = ("sessile", "pedunculated", "undefined")

PITS = ("round", "tubular")
"""Patterns of a surface: dark dots, or dark winding lines. Adenomas have tubular pits (Kudo et al. 1994)."""

_SIZE_RANGES_MM: dict[str, tuple[tuple[float, float], ...]] = {  # one range is drawn, then a size in it
    "polyp": ((3.5, 6.0), (6.0, 10.0), (10.0, 14.0)),
    "angiectasia": ((2.5, 5.0), (4.0, 8.0)),
    "ulcer": ((3.5, 7.0), (6.0, 11.0)),
    "blood": ((6.0, 12.0), (10.0, 22.0)),
}


@dataclass(frozen=True)
class Lesion:
    """One lesion of a patient: the same finding in all frames and passes that show it.

    Attributes:
        lesion_id: "P03-L2", unique within a data set.
        kind: one of `KINDS`.
        size_mm: largest diameter.
        morphology: one of `MORPHOLOGIES`; "undefined" for all that is no polyp.
        depth: where along the tube its centre is, in units (see anatomy).
        angle: where around the tube, radians in [0, 2 pi).
        looks_seed: decides outline and colour.
        colours_seed: decides colours instead, where lesions of a patient are to look alike.
        pits: pattern of the surface, one of `PITS`; "" for none.
    """

    lesion_id: str
    kind: str
    size_mm: float
    morphology: str
    depth: float
    angle: float
    looks_seed: int
    colours_seed: int | None = None
    pits: str = ""


def draw_size(rng: np.random.Generator, kind: str) -> float:
    """A size in mm for a lesion of this kind, rounded to half a millimetre."""
    ranges = _SIZE_RANGES_MM[kind]
    low, high = ranges[rng.integers(len(ranges))]
    return round(rng.uniform(low, high) * 2) / 2


def draw_morphology(rng: np.random.Generator, kind: str) -> str:
    """A form: polyps are sessile, pedunculated, or flat and hard to say."""
    return str(rng.choice(MORPHOLOGIES, p=(0.55, 0.3, 0.15))) if kind == "polyp" else "undefined"


def draw_pits(rng: np.random.Generator) -> str:
    """A pattern of the surface; both are as frequent."""
    return str(rng.choice(PITS))


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
                {**vars(sighting), "box": list(sighting.box), "area_share": round(sighting.area_share, 5)}
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
    result = []
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
        result.append(Sighting(lesion.lesion_id, lesion.kind, (left, top, right, bottom), share, clear))
    return tuple(result)
