"""What a screen reader is told of the map, which is painted."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.embedding_map.map_samples import make_points
from wce_desktop.features.embedding_map.map_canvas import MapCanvas
from wce_desktop.features.embedding_map.map_coloring import Category, Coloring
from wce_desktop.features.embedding_map.map_state import NOWHERE
from wce_desktop.widgets.basic import answer_screen_readers

CATEGORIES = (Category("", "Not labelled", "#787878", "circle"), Category("polyp", "Polyp", "#fa0000", "square"))
TEXT = QAccessible.Text


@pytest.fixture
def canvas(qtbot: QtBot) -> MapCanvas:
    """Six points of two studies, the second of them a polyp; selections asked for are taken over at once."""
    answer_screen_readers()
    canvas = MapCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(300, 300)
    canvas.show()
    qtbot.waitExposed(canvas)
    canvas.selection_requested.connect(canvas.set_selected)
    return canvas


@pytest.fixture
def spoken(canvas: MapCanvas) -> QAccessibleInterface:
    return QAccessible.queryAccessibleInterface(canvas)


def show_points(canvas: MapCanvas) -> None:
    canvas.set_points(make_points(np.arange(12.0).reshape(6, 2)))
    canvas.set_coloring(Coloring("Label", CATEGORIES, np.array([0, 1, 0, 0, 0, 0], np.uint8)))


def test_the_map_says_what_it_is_and_its_keys(spoken: QAccessibleInterface) -> None:
    assert spoken.role() == QAccessible.Role.Canvas
    assert spoken.text(TEXT.Name) == "Map of frames"
    assert "Space select nearby" in spoken.text(TEXT.Description)


def test_an_empty_map_says_what_to_do(canvas: MapCanvas, spoken: QAccessibleInterface) -> None:
    empty = "There is no map yet. New map (Ctrl+N) creates one from scored studies."
    assert spoken.text(TEXT.Value) == empty
    show_points(canvas)
    assert spoken.text(TEXT.Value) == "map of 6 frames"
    canvas.set_points(NOWHERE)
    assert spoken.text(TEXT.Value) == empty


def test_the_point_that_keys_are_on_is_said(qtbot: QtBot, canvas: MapCanvas, spoken: QAccessibleInterface) -> None:
    show_points(canvas)
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Tab)
    assert spoken.text(TEXT.Value) == "frame 1 of its study, 0:00:00, Not labelled"
    canvas.go_to_row(1)
    assert spoken.text(TEXT.Value) == "frame 1 of its study, 0:00:00, Polyp"
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert spoken.text(TEXT.Value) == "frame 1 of its study, 0:00:00, Polyp, selected"
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert spoken.text(TEXT.Value) == "map of 6 frames, 6 selected"


def test_the_playing_frame_is_said_while_keys_are_nowhere(canvas: MapCanvas, spoken: QAccessibleInterface) -> None:
    show_points(canvas)
    canvas.set_tail(np.array([0, 2, 4]))
    assert spoken.text(TEXT.Value) == "frame 21 of its study, 0:00:02, Not labelled"
    canvas.go_to_row(3)
    assert spoken.text(TEXT.Value) == "frame 11 of its study, 0:00:01, Not labelled"
