"""What is to be found: lesions with an identity, a kind, a size and a form.

Kinds are the four that the starter model knows. A polyp's form is told in three words, *sessile*, *pedunculated*,
*undefined*: Laiz et al. 2020 (Table 5) report by form and by size, but that table was not at hand here,
so the words are this project's. So are the size bins by which sizes are drawn (below 6 mm, 6 to 10 mm, above 10 mm);
sizes are kept in mm, so that any other bins can be applied.
"""

# Table 5 is at hand since, and its bins are in `training.evaluation.finding_detection`. The text above stays as it is:
# it is part of the digest by which rendered phantoms are known, and comments are not.

from dataclasses import dataclass

import numpy as np

from training.phantom.config import CLASSES

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
