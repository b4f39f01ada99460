"""Points as pixels, against painting them one after the other."""

import numpy as np
import pytest
from numpy.typing import NDArray

from wce_desktop.features.embedding_map.map_coloring import DIMMED, SELECTED, Category, Coloring, Drawing, pack
from wce_desktop.features.embedding_map.map_points import MapView
from wce_desktop.features.embedding_map.map_raster import HALO, MapRaster

BLACK, GREY, RED = (0, 0, 0), (120, 120, 120), (250, 0, 0)
CATEGORIES = (Category("", "Rest", "#787878", "circle"), Category("polyp", "Polyp", "#fa0000", "square"))
ALL = np.zeros(0, dtype=np.int64)
WIDTH, HEIGHT = 200, 100


def square_stamp(_: str, radius: float) -> NDArray[np.float32]:
    """A square of whole pixels, whatever the shape."""
    side = 2 * round(radius) + 1
    return np.ones((side, side), dtype=np.float32)


def make_drawing(
    coordinates: NDArray[np.float32], codes: list[int], selected: NDArray[np.int64] = ALL, shown: bool = True
) -> Drawing:
    coloring = Coloring("Label", CATEGORIES, np.array(codes, dtype=np.uint8))
    count = len(codes)
    return Drawing.of(coordinates, coloring, np.full(count, shown), selected, np.arange(count))


def paint(drawing: Drawing, view: MapView, ratio: float = 1.0) -> NDArray[np.uint32]:
    raster = MapRaster(round(WIDTH * ratio), round(HEIGHT * ratio), BLACK, square_stamp)
    raster.paint(drawing, view, ratio)
    return raster.image


def view_of() -> MapView:
    """One unit of the map is one pixel; (0, 0) is in the middle."""
    return MapView(0.0, 0.0, 1.0, WIDTH, HEIGHT, 1.0)


def test_a_point_is_painted_where_it_lies() -> None:
    image = paint(make_drawing(np.array([(30.5, 20.5)], np.float32), [1]), view_of())
    lit = np.argwhere(image == pack(RED))
    assert lit.mean(axis=0).tolist() == [HEIGHT / 2 - 21, WIDTH / 2 + 30]
    assert image.shape == (HEIGHT, WIDTH)


@pytest.mark.parametrize("place", [(-400, 0), (99.9, 49.9), (-100, -50), (104, 0), (0, -54), (1e7, 1e7)])
def test_points_at_and_beyond_the_border_wrap_to_nowhere(place: tuple[float, float]) -> None:
    image = paint(make_drawing(np.array([place], np.float32), [1]), view_of())
    slow = np.zeros((HEIGHT, WIDTH), dtype=bool)
    x, y = WIDTH / 2 + place[0], HEIGHT / 2 - place[1]
    down, across = np.mgrid[:HEIGHT, :WIDTH]
    if abs(x) < 1e5:
        slow = (np.abs(down - int(np.floor(y))) <= 6) & (np.abs(across - int(np.floor(x))) <= 6)
    is_near = -6 <= x < WIDTH + 6 and -6 <= y < HEIGHT + 6
    assert set(map(tuple, np.argwhere(image == pack(RED)))) <= set(map(tuple, np.argwhere(slow)))
    assert (image == pack(RED)).any() == bool(slow.any() and is_near)


def test_what_is_rare_lies_over_what_is_frequent() -> None:
    places = np.zeros((300, 2), dtype=np.float32)
    codes = [1] + [0] * 299
    image = paint(make_drawing(places, codes), view_of())
    assert image[HEIGHT // 2, WIDTH // 2] == pack(RED)


def test_many_points_become_dots_that_are_brighter_where_they_meet() -> None:
    random = np.random.default_rng(0)
    places = (random.random((30_000, 2)) * (WIDTH, HEIGHT) - (WIDTH / 2, HEIGHT / 2)).astype(np.float32)
    places[:2000] = 0.5
    image = paint(make_drawing(places, [0] * len(places)), view_of())
    expected = np.zeros((HEIGHT, WIDTH), dtype=bool)
    across = np.floor(places[:, 0] + WIDTH / 2).astype(int)
    down = np.floor(HEIGHT / 2 - places[:, 1]).astype(int)
    expected[np.clip(down, 0, HEIGHT - 1), np.clip(across, 0, WIDTH - 1)] = True
    assert ((image != pack(BLACK)) == expected).mean() > 0.999
    assert image[HEIGHT // 2 - 1, WIDTH // 2] == pack(GREY)
    assert image[image != pack(BLACK)].min() < pack(GREY)


def test_selected_points_stay_bright_with_an_outline_and_the_others_fade() -> None:
    places = np.array([(-40.5, 0.5), (40.5, 0.5)], dtype=np.float32)
    image = paint(make_drawing(places, [0, 0], np.array([1])), view_of())
    faded = pack(tuple(round(value * DIMMED) for value in GREY))
    row = HEIGHT // 2 - 1
    assert image[row, WIDTH // 2 - 41] == faded
    assert image[row, WIDTH // 2 + 40] == pack(GREY)
    assert (image == pack(HALO)).sum() > 10


def test_hidden_points_are_not_painted_and_selecting_hidden_ones_shows_nothing() -> None:
    image = paint(make_drawing(np.zeros((3, 2), np.float32), [0, 1, 1], np.array([1]), shown=False), view_of())
    assert (image == pack(BLACK)).all()


def test_a_fine_screen_has_the_same_places() -> None:
    drawing = make_drawing(np.array([(30.5, 20.5)], np.float32), [1])
    coarse, fine = paint(drawing, view_of()), paint(drawing, view_of(), ratio=2.0)
    assert np.argwhere(fine == pack(RED)).mean(axis=0) / 2 == pytest.approx(
        np.argwhere(coarse == pack(RED)).mean(axis=0) + 0.25, abs=0.51
    )


def test_a_drawing_moves_with_its_points() -> None:
    places = np.array([(0.0, 0.0), (5.0, 5.0), (9.0, 1.0)], dtype=np.float32)
    drawing = make_drawing(places, [0, 1, 0], np.array([0]))
    moved = drawing.moved(places[::-1].copy())
    assert moved.x.tolist() == places[::-1][drawing.rows, 0].tolist()
    assert drawing.codes[drawing.rows == 0] == SELECTED
    assert drawing.rows[-1] == 0  # the selected one is on top
