"""The frame on screen is drawn on, copied, saved and put into the report; it stays as recorded."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.capture.saving import save_picture
from tests.wce_desktop.windows import main_window, press, wait
from training.video import FieldOfView
from wce_desktop.core.drawings import COLOR, Drawings, Shape
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.features.report.model.marks import marks_in_words, marks_of
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.player.drawing_editor import DrawingEditor
from wce_desktop.widgets.player.shape_painter import drawn_on

LEFT = Qt.MouseButton.LeftButton


def drawings(window: MainWindow) -> Drawings:
    assert window.session.reading is not None
    return window.session.reading.entries.drawings


def shapes(window: MainWindow) -> tuple[Shape, ...]:
    return drawings(window).shapes.get(12, ())


def begin(qtbot: QtBot, window: MainWindow) -> DrawingEditor:
    window.workspace.go_to_frame(12)
    wait(qtbot, lambda: window.player.frame_index == 12)
    press(window, "draw_on_frame")
    qtbot.wait(1)  # the bar below takes its room
    return window.features.capture.drawing.editor


def at(window: MainWindow, x: float, y: float) -> QPoint:
    view = window.player.frame_view
    picture = view.frames[0].picture
    assert picture is not None
    rect = view.frame_rects()[0]
    return (rect.topLeft() + QPointF(x, y) * (rect.width() / picture.width())).toPoint()


def drag(qtbot: QtBot, window: MainWindow, editor: DrawingEditor, *places: tuple[float, float]) -> None:
    start, *_, end = (at(window, *place) for place in places)
    qtbot.mousePress(editor, LEFT, pos=start)
    qtbot.mouseMove(editor, (start + end) / 2)
    qtbot.mouseMove(editor, end)
    qtbot.mouseRelease(editor, LEFT, pos=end)


def test_an_arrow_points_where_the_drag_ends_and_undo_takes_it_back(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        editor = begin(qtbot, window)
        drag(qtbot, window, editor, (40, 30), (20, 10))
        (arrow,) = shapes(window)
        assert arrow.kind == "arrow"
        assert arrow.line == pytest.approx((40, 30, 20, 10), abs=1)
        assert window.player.frame_view.notes(12).shapes == (arrow,)
        drag(qtbot, window, editor, (15, 40), (45, 40))
        assert len(shapes(window)) == 2, "a stroke without height is an arrow, too"
        press(window, "undo")
        press(window, "undo")
        assert shapes(window) == ()
        press(window, "redo")
        assert shapes(window) == (arrow,)


def test_keys_alone_draw_turn_move_write_and_remove(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        editor = begin(qtbot, window)
        qtbot.keyClick(editor, Qt.Key.Key_Insert)
        (before,) = shapes(window)
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        qtbot.keyClick(editor, Qt.Key.Key_Left)
        qtbot.keyClick(editor, Qt.Key.Key_Left)
        (arrow,) = shapes(window)
        assert (arrow.tip, arrow.x_min) == (before.tip + 1, before.x_min - 2)
        qtbot.keyClick(editor, Qt.Key.Key_T)
        qtbot.keyClick(editor, Qt.Key.Key_Insert)
        line = window.features.capture.drawing.bar.text
        assert isinstance(line, QLineEdit)
        qtbot.keyClicks(line, "ulcer, 4 mm")
        qtbot.keyClick(line, Qt.Key.Key_Return)
        assert [shape.text for shape in shapes(window)] == ["", "ulcer, 4 mm"]
        qtbot.keyClick(editor, Qt.Key.Key_Delete)
        qtbot.keyClick(editor, Qt.Key.Key_Tab)
        qtbot.keyClick(editor, Qt.Key.Key_Delete)
        assert drawings(window) == Drawings()
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
        assert not window.features.capture.drawing.is_drawing


def test_boxes_and_drawings_are_not_edited_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        begin(qtbot, window)
        press(window, "draw_boxes")
        assert (window.features.boxes.is_editing, window.features.capture.drawing.is_drawing) == (True, False)
        press(window, "draw_on_frame")
        assert (window.features.boxes.is_editing, window.features.capture.drawing.is_drawing) == (False, True)


def test_a_drawing_is_kept_in_the_library(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        editor = begin(qtbot, window)
        qtbot.keyClick(editor, Qt.Key.Key_C)
        qtbot.keyClick(editor, Qt.Key.Key_Insert)
        kept = shapes(window)
        reading = window.session.reading
        assert reading is not None
        window.session.edits.reload_items(reading)
        assert shapes(window) == kept


def test_a_picture_is_copied_and_saved_with_the_drawing_and_without_what_lies_outside(
    qtbot: QtBot, tmp_path: Path
) -> None:
    with main_window(qtbot, tmp_path) as window:
        editor = begin(qtbot, window)
        reading = window.session.reading
        assert reading is not None
        reading.flags.field_of_view = FieldOfView("circle", 64, 48, (32.0, 24.0), 20.0)
        qtbot.keyClick(editor, Qt.Key.Key_C)
        qtbot.keyClick(editor, Qt.Key.Key_Insert)
        press(window, "copy_picture")
        copied = QGuiApplication.clipboard().image()
        save_picture(window, tmp_path / "one.png")
        saved = QImage(str(tmp_path / "one.png"))
        assert saved.size() == copied.size()
        assert saved.pixelColor(20, 20) == QColor("black"), "where a name could stand"
        yellow = QColor(COLOR)
        assert any(
            saved.pixelColor(x, y) == yellow for x in range(0, saved.width(), 2) for y in range(0, saved.height(), 2)
        )


def test_one_key_puts_a_picture_into_the_report_and_takes_it_out_again(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        editor = begin(qtbot, window)
        qtbot.keyClick(editor, Qt.Key.Key_Insert)
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
        qtbot.keyClick(window, Qt.Key.Key_R)
        reading = window.session.reading
        assert reading is not None
        report = gather(window.session)
        assert [picture.frame_index for picture in report.pictures] == [12]
        assert 12 in report.frames
        marks = marks_of(window.session, reading, with_boxes=True, with_overlay=False)
        assert marks[12].shapes == shapes(window)
        assert "drawn by the reader" in marks_in_words(marks)
        written = replace(marks[12], shapes=(*marks[12].shapes, Shape("text", 0, 0, 9, 9, text="Meier")))
        assert written.without_texts == marks[12], "so that the version without names names nobody"
        assert window.menus.actions["picture_to_report"].isChecked()
        qtbot.keyClick(window, Qt.Key.Key_R)
        assert gather(window.session).pictures == ()


def test_shapes_of_a_cut_picture_lie_where_they_lie_on_the_frame() -> None:
    picture = np.zeros((30, 40, 3), np.uint8)
    drawn = drawn_on(picture, [Shape("circle", 20, 15, 40, 35)], (10, 5))
    rows, columns = np.nonzero(drawn.max(axis=2) > 100)
    assert (columns.min(), columns.max()) == pytest.approx((10, 30), abs=2)
    assert (rows.min(), rows.max()) == pytest.approx((10, 30), abs=2)
    assert not picture.any(), "the picture itself stays"
