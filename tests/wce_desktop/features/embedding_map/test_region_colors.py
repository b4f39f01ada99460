"""No colour of a region looks like one of a class, on the timeline or on the map."""

import json
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from wce_desktop.features.embedding_map import map_coloring
from wce_desktop.session.places import resource
from wce_desktop.widgets.timeline.style import REGION_COLORS

CLASSES = [known["color"] for known in json.loads(resource("labels", "default.json").read_text())["classes"]]
TIMELINE = [color.name() for color in REGION_COLORS.values()]
MAP = [category.color for category in map_coloring.REGIONS if category.name]
LIKE = 0.1
"""Distance in OKLab (Ottosson 2020) below which two colours may be taken for each other; (ours)."""


def oklab(color: str) -> NDArray[np.float64]:
    """(3,) OKLab of "#rrggbb"."""
    values = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    to_lms = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    to_lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return np.asarray(to_lab @ np.cbrt(to_lms @ linear))


def distance(first: str, second: str) -> float:
    return float(np.linalg.norm(oklab(first) - oklab(second)))


@pytest.mark.parametrize("palette", [TIMELINE, MAP], ids=["timeline", "map"])
def test_regions_differ_from_classes(palette: list[str]) -> None:
    assert len(palette) == 4
    assert min(distance(region, known) for region in palette for known in CLASSES) > LIKE


def test_regions_differ_from_each_other() -> None:
    assert min(distance(*pair) for pair in combinations(MAP, 2)) > LIKE
    assert min(distance(*pair) for pair in combinations(TIMELINE, 2)) > 0.04  # each bar also carries its name
    assert min(distance(map_coloring.QUIET, region) for region in MAP) > LIKE


def test_the_distance_is_that_of_oklab() -> None:
    assert oklab("#ffffff") == pytest.approx([1, 0, 0], abs=1e-3)
    assert distance("#000000", "#ffffff") == pytest.approx(1, abs=1e-3)
