"""Boxes in the real window: drawn, moved and resized with the mouse and with keys, at every zoom; undone."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.annotation.finding import Box
from wce_desktop.features.boxes.feature import BoxesFeature
from wce_desktop.shell.main_window import MainWindow

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def stored(window: MainWindow) -> list[Box]:
    assert window.session.reading is not None
    return list(window.session.library.annotations.boxes(window.session.reading.study.study_id))


def edges(box: Box) -> tuple[float, float, float, float]:
    return box.x_min, box.y_min, box.x_max, box.y_max


def begin(qtbot: QtBot, window: MainWindow, frame: int = 12) -> BoxesFeature:
    window.workspace.go_to_frame(frame)
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == frame)
    press(window, "draw_boxes")
    feature = window.features.boxes
    assert feature.is_editing
    assert feature.bar.isVisible()
    qtbot.wait(1)  # the bar below takes its room
    return feature


def at(window: MainWindow, x: float, y: float, cell: int = 0) -> QPoint:
    """Where a pixel of the frame lies in the view."""
    view = window.player.frame_view
    picture = view.frames[cell].picture
    assert picture is not None
    rect = view.frame_rects()[cell]
    return (rect.topLeft() + QPointF(x, y) * (rect.width() / picture.width())).toPoint()


def drag(qtbot: QtBot, window: MainWindow, start: QPoint, end: QPoint) -> None:
    editor = window.features.boxes.editor
    qtbot.mousePress(editor, LEFT, pos=start)
    qtbot.mouseMove(editor, (start + end) / 2)
    qtbot.mouseMove(editor, end)
    qtbot.mouseRelease(editor, LEFT, pos=end)


def size(window: MainWindow) -> tuple[int, int]:
    picture = window.player.frame_view.frames[0].picture
    assert picture is not None
    return picture.width(), picture.height()


@pytest.mark.parametrize("zoom", [0, 3])
def test_a_box_is_drawn_moved_and_resized_with_the_mouse(qtbot: QtBot, tmp_path: Path, zoom: int) -> None:
    with main_window(qtbot, tmp_path) as window:
        for _ in range(zoom):
            press(window, "zoom_in")
        begin(qtbot, window)
        width, height = size(window)
        view = window.player.frame_view
        scale = width / view.frame_rects()[0].width()  # frame pixels for one of the view
        middle = (width / 2, height / 2)
        reach = width / 8 / (1.25**zoom)
        drag(qtbot, window, at(window, *middle), at(window, middle[0] + reach, middle[1] + reach))
        (box,) = stored(window)
        expected = (*middle, middle[0] + reach, middle[1] + reach)
        assert edges(box) == pytest.approx(expected, abs=2 * scale)
        assert (box.name, box.frame_index, box.reader) == ("polyp", 12, "reader")
        inside = ((box.x_min + box.x_max) / 2 + 2 * scale, (box.y_min + box.y_max) / 2 + 9 * scale)
        to = (inside[0] - reach / 2, inside[1] - reach / 2)
        drag(qtbot, window, at(window, *inside), at(window, *to))
        (moved,) = stored(window)
        assert moved.x_min == pytest.approx(box.x_min - reach / 2, abs=2 * scale)
        assert moved.x_max - moved.x_min == pytest.approx(box.x_max - box.x_min, abs=1e-6)
        corner = (moved.x_max, moved.y_max)
        drag(qtbot, window, at(window, *corner), at(window, corner[0] + reach / 2, corner[1]))
        (resized,) = stored(window)
        assert resized.x_max == pytest.approx(moved.x_max + reach / 2, abs=2 * scale)
        assert (resized.x_min, resized.y_min) == (moved.x_min, moved.y_min)
        for before in (moved, box):
            press(window, "undo")
            assert edges(stored(window)[0]) == pytest.approx(edges(before))
        press(window, "undo")
        assert stored(window) == []


def test_keys_draw_move_resize_name_and_remove(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        feature, editor = begin(qtbot, window), window.features.boxes.editor
        window.activateWindow()
        width, height = size(window)
        press(window, "draw_boxes")  # a second time: one in the middle
        (box,) = stored(window)
        assert editor.chosen_id == box.box_id
        assert edges(box) == pytest.approx((0.35 * width, 0.35 * height, 0.65 * width, 0.65 * height))
        frame = window.player.frame_index
        for _ in range(3):
            qtbot.keyClick(editor, Qt.Key.Key_Right)
        qtbot.keyClick(editor, Qt.Key.Key_Up)
        (moved,) = stored(window)
        assert (moved.x_min, moved.y_min) == pytest.approx((box.x_min + 3, box.y_min - 1))
        qtbot.keyClick(editor, Qt.Key.Key_Right, SHIFT)
        qtbot.keyClick(editor, Qt.Key.Key_Down, SHIFT | CONTROL)
        (resized,) = stored(window)
        assert edges(resized) == pytest.approx((moved.x_min, moved.y_min, moved.x_max + 1, moved.y_max + 10))
        assert window.player.frame_index == frame
        press(window, "undo")
        assert edges(stored(window)[0]) == pytest.approx(edges(moved))
        press(window, "undo")  # steps without a pause are one
        assert edges(stored(window)[0]) == pytest.approx(edges(box))
        qtbot.keyClick(editor, "4")
        assert stored(window)[0].name == "blood"
        assert feature.bar.name.value == "blood"
        qtbot.keyClick(editor, Qt.Key.Key_Delete)
        assert stored(window) == []
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
        assert not feature.is_editing
        assert feature.bar.isHidden()


def test_a_box_never_leaves_the_frame(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        begin(qtbot, window)
        width, height = size(window)
        drag(qtbot, window, at(window, width - 20, height - 20), at(window, width + 200, height + 200))
        (box,) = stored(window)
        assert (box.x_max, box.y_max) == (width, height)
        editor = window.features.boxes.editor
        for _ in range(4):
            qtbot.keyClick(editor, Qt.Key.Key_Right, CONTROL)
        assert stored(window)[0].x_max == width
        drag(qtbot, window, at(window, 3, 3), at(window, 3, 4))  # too small to be one
        assert len(stored(window)) == 1


def test_a_box_is_attached_to_a_finding_and_tab_goes_from_box_to_box(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.workspace.go_to_frame(12)
        wait(qtbot, lambda: window.player.frame_index == 12)
        press(window, "new_finding")
        feature, editor = begin(qtbot, window), window.features.boxes.editor
        assert window.session.reading is not None
        (finding,) = window.session.reading.entries.findings
        drag(qtbot, window, at(window, 5, 5), at(window, 25, 25))
        (box,) = stored(window)
        assert box.finding_id == finding.finding_id
        assert feature.bar.finding.value == finding.finding_id
        feature.bar.finding.setCurrentIndex(0)
        feature.bar.finding.activated.emit(0)
        assert stored(window)[0].finding_id is None
        drag(qtbot, window, at(window, 30, 30), at(window, 45, 45))
        first, second = (one.box_id for one in sorted(stored(window), key=lambda one: one.x_min))
        assert editor.chosen_id == second
        qtbot.keyClick(editor, Qt.Key.Key_Backtab)
        assert editor.chosen_id == first
        qtbot.keyClick(editor, Qt.Key.Key_Tab)
        assert editor.chosen_id == second
        window.player.step(5)
        wait(qtbot, lambda: editor.chosen_id == "")  # its frame is no longer on screen


def test_boxes_are_drawn_on_the_second_of_two_frames(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "two_views")
        wait(qtbot, lambda: len(window.player.frame_view.frames) == 2)
        begin(qtbot, window, 20)
        wait(qtbot, lambda: [frame.frame_index for frame in window.player.frame_view.frames] == [20, 21])
        drag(qtbot, window, at(window, 5, 5, 1), at(window, 25, 25, 1))
        (box,) = stored(window)
        assert box.frame_index == 21
        assert edges(box) == pytest.approx((5, 5, 25, 25), abs=1)


def test_a_frame_that_cannot_be_read_has_no_boxes(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        window.guard(window.features.boxes.draw_boxes)()
        assert "There is no frame on screen to draw on" in window.banner.text
        assert not window.features.boxes.is_editing
