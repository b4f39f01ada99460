"""The window lies wholly on a screen that is there now, where it stood the last time."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from wce_desktop.widgets.window_size import FILE_NAME, WindowPlace, fit_place, read_place, write_place

LARGE, SECOND = QRect(0, 0, 2560, 1400), QRect(2560, 0, 1920, 1080)
SMALL = [
    pytest.param(QRect(0, 0, 1280, 800), id="1280x800"),
    pytest.param(QRect(0, 0, 1280, 720), id="1920x1080 at 1.5"),
    pytest.param(QRect(0, 0, 960, 540), id="1920x1080 at 2"),
    pytest.param(QRect(0, 27, 1024, 673), id="1024x700 with a bar"),
]


def lies_on(rect: QRect, screen: QRect) -> bool:
    return screen.contains(rect)


@pytest.mark.parametrize("screen", SMALL)
def test_the_first_window_fits_a_small_screen(screen: QRect) -> None:
    place = fit_place(None, [screen])
    assert place.is_maximized
    assert lies_on(place.rect, screen)


def test_the_first_window_stands_in_the_middle_of_a_large_screen() -> None:
    place = fit_place(None, [LARGE, SECOND])
    assert place == WindowPlace(QRect(560, 250, 1440, 900))


def test_a_window_comes_back_where_it_was() -> None:
    place = WindowPlace(QRect(2700, 100, 1200, 800), is_maximized=True)
    assert fit_place(place, [LARGE, SECOND]) == place


@pytest.mark.parametrize(
    "rect",
    [
        pytest.param(QRect(2700, 100, 1200, 800), id="on a screen that was taken away"),
        pytest.param(QRect(-5000, -5000, 1200, 800), id="nowhere"),
        pytest.param(QRect(1270, 790, 1200, 800), id="but for a corner"),
    ],
)
def test_a_window_that_could_not_be_reached_stands_as_the_first_one(rect: QRect) -> None:
    screens = [QRect(0, 0, 1280, 800)]
    assert fit_place(WindowPlace(rect), screens) == fit_place(None, screens)


@pytest.mark.parametrize("screen", SMALL)
def test_a_window_of_a_larger_screen_shrinks(screen: QRect) -> None:
    place = fit_place(WindowPlace(QRect(100, 50, 2400, 1300)), [screen])
    assert lies_on(place.rect, screen)


def test_a_place_is_kept_and_read(tmp_path: Path) -> None:
    place = WindowPlace(QRect(-100, 20, 1200, 800), is_maximized=True)
    assert read_place(tmp_path) is None
    write_place(tmp_path, place)
    assert read_place(tmp_path) == place


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"x": 0, "y": 0, "width": "1", "height": 5}', '{"x":0,"y":0,"width":-3,"height":1e400}',
     "[" * 5000],
)  # fmt: skip
def test_a_damaged_place_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
    assert read_place(tmp_path) is None
