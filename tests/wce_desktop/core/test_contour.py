"""The line around a level: against a slow, obvious reference, closed, and on the level."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from wce_desktop.core.overlay import contour


def fields(height: int, width: int, seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((height, width), np.float32)


def value_at(field: NDArray[np.float32], x: float, y: float) -> float:
    """Bilinear value of a map, which goes on beyond its edges as it is there, at a point in [0, 1] x [0, 1]."""
    padded = np.pad(field, 1, mode="edge").astype(np.float64)
    column, row = x * field.shape[1] + 0.5, y * field.shape[0] + 0.5
    left, top = min(int(column), padded.shape[1] - 2), min(int(row), padded.shape[0] - 2)
    right, down = column - left, row - top
    upper = padded[top, left] * (1 - right) + padded[top, left + 1] * right
    lower = padded[top + 1, left] * (1 - right) + padded[top + 1, left + 1] * right
    return float(upper * (1 - down) + lower * down)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_every_end_of_a_segment_lies_on_the_level_or_on_the_edge(
    height: int, width: int, seed: int, level: float
) -> None:
    field = fields(height, width, seed)
    for x, y in contour(field, level).reshape(-1, 2):
        is_on_edge = min(x, y, 1 - x, 1 - y) < 1e-6
        assert is_on_edge or value_at(field, float(x), float(y)) == pytest.approx(level, abs=2e-3)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 10_000), st.floats(0.05, 0.95))
@example(2, 4, 208, 0.14)
def test_the_line_is_closed(height: int, width: int, seed: int, level: float) -> None:
    padded = np.zeros((height + 4, width + 4), np.float32)  # away from the edges, where points are brought back
    padded[2:-2, 2:-2] = fields(height, width, seed)
    lines = contour(padded, level)
    ends = lines.reshape(-1, 2)
    # Not by rounding: two sides of one border would be two ends.
    is_same = np.abs(ends[:, None] - ends).max(axis=2, initial=0) < 1e-4
    counts = is_same.sum(axis=1)
    assert (counts % 2 == 0).all(), ends[counts % 2 == 1]


def test_the_line_around_one_cell_crosses_between_it_and_its_neighbours() -> None:
    field = np.zeros((3, 3), np.float32)
    field[1, 1] = 1
    lines = contour(field, 0.5)
    corners = np.unique(lines.reshape(-1, 2).round(4), axis=0)
    np.testing.assert_allclose(corners, [(1 / 3, 0.5), (0.5, 1 / 3), (0.5, 2 / 3), (2 / 3, 0.5)], atol=1e-3)


def test_there_is_no_line_where_nothing_or_where_something_impossible_is_asked() -> None:
    assert contour(np.zeros((4, 4), np.float32), 0.5).shape == (0, 2, 2)
    assert contour(np.ones((4, 4), np.float32), 0.5).shape == (0, 2, 2), "the edge of the map is no edge of it"
    with pytest.raises(ValueError, match="level above 0"):
        contour(np.ones((4, 4), np.float32), 0.0)
    with pytest.raises(ValueError, match="CAM"):
        contour(np.ones((4, 0), np.float32), 0.5)
