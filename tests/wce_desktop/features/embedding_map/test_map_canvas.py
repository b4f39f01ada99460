"""The map under mouse and keys."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.embedding_map.map_samples import make_points
from wce_desktop.features.embedding_map.map_canvas import MapCanvas
from wce_desktop.features.embedding_map.map_coloring import Category, Coloring
from wce_desktop.features.embedding_map.map_parts import MapLegend
from wce_desktop.widgets.theme import ON_PICTURE

SIZE = 400
CATEGORIES = (Category("", "Rest", "#787878", "circle"), Category("polyp", "Polyp", "#fa0000", "square"))
PLAIN, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def canvas(qtbot: QtBot) -> MapCanvas:
    """A grid of 5 x 5 points of two studies, point 7 a polyp; selections asked for are taken over at once."""
    canvas = MapCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(SIZE, SIZE)
    canvas.show()
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2)
    canvas.set_points(make_points(grid))
    canvas.set_coloring(Coloring("Label", CATEGORIES, np.array([0] * 7 + [1] + [0] * 17, np.uint8)))
    canvas.selection_requested.connect(canvas.set_selected)
    qtbot.waitExposed(canvas)
    return canvas


def at(canvas: MapCanvas, row: int) -> QPoint:
    """Where a point lies on the widget."""
    return canvas.place_of(row)


def drag(qtbot: QtBot, canvas: MapCanvas, way: list[QPoint], modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    qtbot.mousePress(canvas, LEFT, modifiers, way[0])
    for place in way[1:]:
        qtbot.mouseMove(canvas, place)
    qtbot.mouseRelease(canvas, LEFT, modifiers, way[-1])


def around(canvas: MapCanvas, rows: list[int], away: int = 20) -> list[QPoint]:
    """The corners of a box around points, closed."""
    places = [at(canvas, row) for row in rows]
    left, right = min(p.x() for p in places) - away, max(p.x() for p in places) + away
    top, bottom = min(p.y() for p in places) - away, max(p.y() for p in places) + away
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    return [QPoint(*corner) for corner in corners]


def test_a_point_is_drawn_in_the_colour_of_its_category(canvas: MapCanvas) -> None:
    picture = canvas.grab().toImage()
    assert picture.pixelColor(at(canvas, 7)) == QColor("#fa0000")
    canvas.set_hidden(frozenset({1}))
    assert canvas.grab().toImage().pixelColor(at(canvas, 7)) == QColor(ON_PICTURE.background)


def test_a_click_goes_to_the_frame_and_hovering_names_it(qtbot: QtBot, canvas: MapCanvas) -> None:
    with qtbot.waitSignal(canvas.hovered) as hovered:
        qtbot.mouseMove(canvas, at(canvas, 12))
    assert hovered.args[0] == 12
    with qtbot.waitSignal(canvas.go_requested) as asked:
        qtbot.mouseClick(canvas, LEFT, PLAIN, at(canvas, 7))
    assert asked.args == [7]
    with qtbot.assertNotEmitted(canvas.go_requested):
        qtbot.mouseClick(canvas, LEFT, PLAIN, (at(canvas, 0) + at(canvas, 6)) / 2)


def test_a_lasso_that_ends_where_it_began_selects(qtbot: QtBot, canvas: MapCanvas) -> None:
    canvas.set_tool("lasso")
    drag(qtbot, canvas, around(canvas, [6, 7, 11, 12]))
    assert canvas.state.selected.tolist() == [6, 7, 11, 12]
    canvas.set_hidden(frozenset({1}))
    drag(qtbot, canvas, around(canvas, [6, 7, 11, 12]))
    assert canvas.state.selected.tolist() == [6, 11, 12]


def test_shift_adds_and_ctrl_takes_away(qtbot: QtBot, canvas: MapCanvas) -> None:
    canvas.set_tool("box")
    drag(qtbot, canvas, around(canvas, [0, 1])[:3:2])
    drag(qtbot, canvas, around(canvas, [23, 24])[:3:2], SHIFT)
    assert canvas.state.selected.tolist() == [0, 1, 23, 24]
    drag(qtbot, canvas, around(canvas, [1, 2])[:3:2], CTRL)
    assert canvas.state.selected.tolist() == [0, 23, 24]


def test_dragging_pulls_the_map_and_the_wheel_zooms_at_the_pointer(qtbot: QtBot, canvas: MapCanvas) -> None:
    before = at(canvas, 12)
    drag(qtbot, canvas, [QPoint(200, 200), QPoint(230, 190), QPoint(250, 185)])
    assert at(canvas, 12) == before + QPoint(50, -15)
    under = canvas.view.to_map(100.0, 120.0)
    wheel = QWheelEvent(
        QPointF(100, 120), QPointF(100, 120), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton, PLAIN,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, wheel)
    assert canvas.view.zoom == pytest.approx(1.25**2)
    assert canvas.view.to_map(100.0, 120.0) == pytest.approx(under)


def test_keys_pan_zoom_and_show_all(qtbot: QtBot, canvas: MapCanvas) -> None:
    whole = canvas.view
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.view.zoom > 1
    before = at(canvas, 12)
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert at(canvas, 12) == before + QPoint(60, -60)
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    assert canvas.view == whole


def test_tab_walks_through_time_and_enter_goes_there(qtbot: QtBot, canvas: MapCanvas) -> None:
    canvas.set_tail(np.array([0, 2, 4]))
    rows = []
    for _ in range(3):
        qtbot.keyClick(canvas, Qt.Key.Key_Tab)
        rows.append(canvas.state.current)
    assert rows == [4, 6, 8]  # the playing frame first, then the next ones of its study
    qtbot.keyClick(canvas, Qt.Key.Key_Backtab)
    with qtbot.waitSignal(canvas.go_requested) as asked:
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert asked.args == [6]
    with qtbot.waitSignal(canvas.leave_requested) as left:
        qtbot.keyClick(canvas, Qt.Key.Key_Tab, CTRL)
    assert left.args == [True]


def test_tab_passes_hidden_points_over(qtbot: QtBot, canvas: MapCanvas) -> None:
    canvas.set_hidden(frozenset({0}))
    for _ in range(3):
        qtbot.keyClick(canvas, Qt.Key.Key_Tab)
        assert canvas.state.current == 7
    canvas.set_hidden(frozenset({0, 1}))
    canvas.go_to_row(-1)
    qtbot.keyClick(canvas, Qt.Key.Key_Tab)
    assert canvas.state.current == -1


def test_space_selects_around_and_escape_lets_go_one_after_the_other(
    qtbot: QtBot, canvas: MapCanvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wce_desktop.features.embedding_map.map_canvas.NEIGHBOURHOOD", 5)
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert canvas.state.selected.tolist() == []  # nowhere yet
    canvas.go_to_row(12)
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert canvas.state.selected.tolist() == [7, 11, 12, 13, 17]
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.state.current == -1
    assert len(canvas.state.selected) == 5
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.state.selected.tolist() == []
    qtbot.keyClick(canvas, Qt.Key.Key_A, CTRL)
    assert len(canvas.state.selected) == 25


def test_who_looks_at_a_part_keeps_it_while_the_points_move(canvas: MapCanvas) -> None:
    places = canvas.state.points.coordinates
    canvas.move_points(places * 10)
    assert canvas.view.zoom == pytest.approx(1.0)
    assert canvas.rect().contains(at(canvas, 24))
    canvas.zoom_by(3.0)
    canvas.move_points(places * 20)
    assert canvas.view.zoom == pytest.approx(3.0)


def test_growing_keeps_the_whole_map_whole(qtbot: QtBot, canvas: MapCanvas) -> None:
    canvas.resize(800, 600)
    assert canvas.view.zoom == pytest.approx(1.0)
    assert canvas.view.width == 800


def test_an_empty_map_says_the_next_step_and_ignores_mouse_and_keys(qtbot: QtBot) -> None:
    canvas = MapCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(SIZE, SIZE)
    drag(qtbot, canvas, [QPoint(10, 10), QPoint(90, 90)])
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Space, Qt.Key.Key_Plus, Qt.Key.Key_Return):
        qtbot.keyClick(canvas, key)
    assert "New map" in canvas.empty[1]
    assert not canvas.grab().isNull()


@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_to_three_frames_are_a_map_too(qtbot: QtBot, count: int) -> None:
    canvas = MapCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(SIZE, SIZE)
    canvas.set_points(make_points(np.zeros((count, 2))))  # all on one place
    canvas.selection_requested.connect(canvas.set_selected)
    canvas.set_tool("box")
    drag(qtbot, canvas, [QPoint(5, 5), QPoint(200, 200), QPoint(395, 395)])
    assert len(canvas.state.selected) == count
    qtbot.keyClick(canvas, Qt.Key.Key_Tab)
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    canvas.set_marked(np.arange(count))
    canvas.set_tail(np.arange(count))
    assert not canvas.grab().isNull()


def test_legend_ticks_are_the_filter(qtbot: QtBot, canvas: MapCanvas) -> None:
    legend = MapLegend()
    qtbot.addWidget(legend)
    legend.hidden_changed.connect(canvas.set_hidden)
    legend.show_coloring(canvas.state.coloring, frozenset())
    assert [legend.rows.item(row).text() for row in range(2)] == ["Rest   24", "Polyp   1"]
    legend.rows.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert canvas.state.shown.tolist() == [row == 7 for row in range(25)]
    legend.rows.itemActivated.emit(legend.rows.item(0))
    assert legend.hidden == {1}
    legend.rows.itemActivated.emit(legend.rows.item(0))
    assert legend.hidden == frozenset()
    assert canvas.state.shown.all()
