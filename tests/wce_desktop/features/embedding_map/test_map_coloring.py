"""Every point has a category, and no two categories look the same."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.annotation.vocabulary import SHAPES, load_vocabulary
from wce_desktop.features.embedding_map import map_coloring
from wce_desktop.features.embedding_map.map_coloring import Category, Coloring

VOCABULARY = load_vocabulary(Path(__file__).parents[4] / "resources" / "labels" / "default.json")


def titles(coloring: Coloring) -> list[str]:
    """The word of every point."""
    return [coloring.categories[code].title for code in coloring.codes.tolist()]


def test_labels_stand_in_the_order_of_the_vocabulary_and_foreign_ones_last() -> None:
    codes = np.array([-1, 2, 0, 1, 0], dtype=np.int16)
    coloring = map_coloring.by_label(["blood", "worm", "polyp", "ulcer"], codes, VOCABULARY)
    assert [category.title for category in coloring.categories] == ["Not labelled", "Polyp", "Blood", "worm"]
    assert titles(coloring) == ["Not labelled", "Polyp", "Blood", "worm", "Blood"]
    assert coloring.counts.tolist() == [1, 1, 2, 1]


@given(st.lists(st.floats(0, 1, width=32) | st.just(float("nan")), max_size=40), st.floats(0, 1))
def test_a_score_lies_between_the_ends_that_its_word_says(scores: list[float], threshold: float) -> None:
    values = np.array(scores, dtype=np.float32)
    coloring = map_coloring.by_score("Score", values, threshold)
    for score, code in zip(values.tolist(), coloring.codes.tolist(), strict=True):
        category = coloring.categories[code]
        if np.isnan(score):
            assert category.title == "No score"
            continue
        low, high = (float(part) for part in category.title.removesuffix(", flagged").split(" to "))
        assert low - 0.006 <= score <= high + 0.006
        if abs(score - threshold) > 1e-5:
            assert (category.shape == "triangle") == (score >= threshold)


def test_named_studies_never_share_both_colour_and_shape() -> None:
    names = [f"P{number:02d}" for number in range(40)]
    codes = np.repeat(np.arange(40, dtype=np.int32), np.arange(40, 0, -1))
    coloring = map_coloring.by_name("Study", names, codes)
    looks = {(category.color, category.shape) for category in coloring.categories}
    assert len(looks) == len(coloring.categories) == map_coloring.MOST_NAMED + 1
    assert coloring.categories[-1].title == "16 others"
    assert titles(coloring)[0] == "P00"
    assert titles(coloring)[-1] == "16 others"


def test_time_is_cut_into_equal_parts() -> None:
    coloring = map_coloring.by_time(np.array([0.0, 449.0, 450.0, 3600.0]))
    assert titles(coloring) == [
        "0:00:00 to 0:07:30",
        "0:00:00 to 0:07:30",
        "0:07:30 to 0:15:00",
        "0:52:30 to 1:00:00",
    ]
    assert map_coloring.by_time(np.zeros(2)).codes.tolist() == [0, 0]


def test_regions_and_seen_are_words() -> None:
    assert titles(map_coloring.by_region(np.array([3, 0], np.uint8))) == ["Small bowel", "No landmark before it"]
    assert titles(map_coloring.by_seen(np.array([True, False]))) == ["Seen", "Not seen"]


def test_every_shape_can_be_drawn_and_every_colour_read() -> None:
    many = map_coloring.by_name("Study", [str(n) for n in range(24)], np.arange(24, dtype=np.int32))
    for category in (*map_coloring.REGIONS, *map_coloring.SEEN, *many.categories):
        assert category.shape in SHAPES
        assert all(0 <= value <= 255 for value in category.rgb)
    assert Category("", "", "#0a141e", "bar").rgb == (10, 20, 30)


def test_a_code_without_a_category_is_refused() -> None:
    with pytest.raises(ValueError, match="category"):
        Coloring("x", map_coloring.SEEN, np.array([2], np.uint8))
    with pytest.raises(ValueError, match="more than 127"):
        Coloring("x", map_coloring.SEEN * 64, np.zeros(1, np.uint8))
