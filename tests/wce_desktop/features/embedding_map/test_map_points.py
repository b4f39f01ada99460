"""Points know their frames and frames find their points."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wce_desktop.features.embedding_map.map_samples import make_points
from wce_desktop.features.embedding_map.map_points import (
    LEAST_ZOOM,
    MOST_ZOOM,
    MapPoints,
    MapView,
    inside_box,
    inside_polygon,
    nearest_point,
    nearest_points,
)

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


RANDOM = np.random.default_rng(0)


def test_a_study_s_points_stand_in_order_of_time() -> None:
    points = make_points(RANDOM.random((7, 2)), studies=3)
    assert points.rows_of("s1").tolist() == [1, 4]
    assert points.rows_of("elsewhere").tolist() == []
    assert points.by_time.tolist() == [0, 3, 6, 1, 4, 2, 5]
    assert points.address(4) == ("s1", 10)


@given(st.integers(-5, 200))
def test_the_nearest_frame_is_found_by_looking_at_all(frame: int) -> None:
    points = make_points(RANDOM.random((31, 2)))
    row = points.row_near("s0", frame)
    distances = np.abs(points.frame_index[points.rows_of("s0")] - frame)
    assert points.study_ids[points.study[row]] == "s0"
    assert abs(int(points.frame_index[row]) - frame) == distances.min()
    assert points.row_near("elsewhere", frame) == -1


def test_rows_become_frames_and_back() -> None:
    points = make_points(RANDOM.random((9, 2)))
    rows = np.array([0, 1, 4, 8])
    frames = points.frames_of(rows)
    assert {name: found.tolist() for name, found in frames.items()} == {"s0": [0, 20, 40], "s1": [0]}
    assert points.rows_with(frames).tolist() == rows.tolist()
    assert points.rows_with({"s0": np.array([999]), "elsewhere": np.array([0])}).tolist() == []
    assert points.frames_of(rows[:0]) == {}


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_points_and_equal_points_have_an_extent(count: int) -> None:
    left, bottom, right, top = make_points(np.zeros((count, 2))).bounds
    assert left < 0 < right
    assert bottom < 0 < top


def test_shapes_that_do_not_fit_are_refused() -> None:
    good = make_points(np.zeros((4, 2)))
    with pytest.raises(ValueError, match="coordinates"):
        replace(good, coordinates=np.zeros((3, 2), np.float32))
    with pytest.raises(ValueError, match="studies and times"):
        MapPoints(good.study_ids, good.study[:3], good.frame_index, good.video_seconds, good.coordinates)


VIEWS = st.builds(
    lambda x, y, width, height: MapView.fit((x, y, x + 3.0, y + 2.0), width, height).panned(12.0, -7.0),
    st.floats(-50, 50),
    st.floats(-50, 50),
    st.integers(1, 2000),
    st.integers(1, 2000),
)


@given(VIEWS, st.floats(0.001, 1000), st.floats(0, 2000), st.floats(0, 2000))
def test_zooming_keeps_the_place_under_the_pointer(view: MapView, factor: float, x: float, y: float) -> None:
    zoomed = view.zoomed(factor, (x, y))
    assert zoomed.to_map(x, y) == pytest.approx(view.to_map(x, y), abs=1e-6)
    assert LEAST_ZOOM * 0.999 <= zoomed.zoom <= MOST_ZOOM * 1.001


@given(VIEWS, st.floats(-60, 60), st.floats(-60, 60))
def test_a_place_leads_to_its_pixel_and_back(view: MapView, x: float, y: float) -> None:
    assert view.to_map(*view.to_screen(x, y)) == pytest.approx((x, y), abs=1e-6)
    shown = view.showing(x, y)
    across, down = shown.to_screen(x, y)
    assert -1e-6 <= across <= view.width + 1e-6
    assert -1e-6 <= down <= view.height + 1e-6


def test_the_whole_map_is_on_screen_and_stays_in_the_middle_when_the_window_grows() -> None:
    bounds = (0.0, 0.0, 10.0, 5.0)
    view = MapView.fit(bounds, 400, 400)
    assert view.to_screen(0.0, 0.0)[0] == pytest.approx(0)
    assert view.to_screen(10.0, 5.0)[0] == pytest.approx(400)
    near = view.zoomed(4.0)
    wide = near.resized(bounds, 800, 800)
    assert wide.zoom == pytest.approx(near.zoom)
    assert wide.to_map(400, 400) == pytest.approx(near.to_map(200, 200))
    assert view.showing(5.0, 2.0) is view
