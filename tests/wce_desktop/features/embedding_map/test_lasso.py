"""What lies in a lasso, against asking point by point."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wce_desktop.features.embedding_map.map_samples import make_points
from wce_desktop.features.embedding_map.model.lasso import inside_box, inside_polygon, nearest_point, nearest_points

NUMBERS = st.integers(-8, 8).map(float)
PLACES = st.tuples(NUMBERS, NUMBERS)
SHAPES = st.lists(PLACES, min_size=0, max_size=12)
CLOUDS = st.lists(PLACES, min_size=0, max_size=40)


def is_inside(x: float, y: float, polygon: list[tuple[float, float]]) -> bool:
    """Point in polygon by the even-odd rule: a ray to the right, edge by edge."""
    crossings = 0
    for at, (x0, y0) in enumerate(polygon):
        x1, y1 = polygon[(at + 1) % len(polygon)]
        if (y0 <= y) != (y1 <= y):
            crossings += x < x0 + (y - y0) * ((x1 - x0) / (y1 - y0))
    return crossings % 2 == 1


@given(CLOUDS, SHAPES)
def test_a_lasso_holds_what_asking_point_by_point_finds(
    cloud: list[tuple[float, float]], polygon: list[tuple[float, float]]
) -> None:
    # Points off the grid of the corners: on a border the slow way rounds otherwise than the quick one.
    points = make_points(np.array([(x + 0.31, y + 0.17) for x, y in cloud], dtype=np.float64).reshape(-1, 2))
    shape = np.array(polygon, dtype=np.float64).reshape(-1, 2)
    found = inside_polygon(points, shape)
    wanted = [row for row, (x, y) in enumerate(points.coordinates.tolist()) if is_inside(x, y, polygon)]
    assert found.tolist() == (wanted if len(polygon) >= 3 else [])


def test_two_shapes_that_share_an_edge_share_no_point() -> None:
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2)
    points = make_points(grid)
    left = inside_polygon(points, np.array([(0, 0), (2, 0), (2, 4), (0, 4)], dtype=float))
    right = inside_polygon(points, np.array([(2, 0), (4, 0), (4, 4), (2, 4)], dtype=float))
    assert set(left).isdisjoint(right)
    assert len(left) == len(right) == 8


def test_a_loop_within_a_loop_is_outside() -> None:
    ring = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (3, 1), (3, 3), (1, 3), (1, 1)]
    points = make_points(np.array([(0.5, 2.1), (2.1, 2.1)]))
    assert inside_polygon(points, np.array(ring, dtype=float)).tolist() == [0]


@given(CLOUDS, PLACES, PLACES)
def test_a_box_holds_its_borders(
    cloud: list[tuple[float, float]], corner: tuple[float, float], opposite: tuple[float, float]
) -> None:
    points = make_points(np.array(cloud, dtype=np.float64).reshape(-1, 2))
    low, high = np.minimum(corner, opposite), np.maximum(corner, opposite)
    wanted = [row for row, place in enumerate(cloud) if (low <= place).all() and (place <= high).all()]
    assert inside_box(points, corner, opposite).tolist() == wanted


@given(CLOUDS, PLACES, st.floats(0.1, 9))
def test_the_nearest_point_is_none_beyond_its_reach(
    cloud: list[tuple[float, float]], at: tuple[float, float], reach: float
) -> None:
    points = make_points(np.array(cloud, dtype=np.float64).reshape(-1, 2))
    found = nearest_point(points, at, reach)
    distances = [np.hypot(x - at[0], y - at[1]) for x, y in cloud]
    if found < 0:
        assert all(distance > reach - 1e-6 for distance in distances)
    else:
        assert distances[found] == pytest.approx(min(distances))
        assert distances[found] <= reach + 1e-6


def test_hidden_points_are_passed_over() -> None:
    points = make_points(np.array([(0.0, 0.0), (1.0, 0.0), (3.0, 0.0)]))
    shown = np.array([False, True, True])
    assert nearest_point(points, (0.0, 0.0), 2.0, shown) == 1
    assert nearest_points(points, 1, 2, shown).tolist() == [1, 2]
    assert nearest_points(points, 1, 50, shown).tolist() == [1, 2]


def test_an_empty_map_has_nothing_inside() -> None:
    points = make_points(np.zeros((0, 2)))
    assert inside_polygon(points, np.array([(0, 0), (1, 0), (1, 1)], dtype=float)).tolist() == []
    assert nearest_point(points, (0.0, 0.0), 1.0) == -1
