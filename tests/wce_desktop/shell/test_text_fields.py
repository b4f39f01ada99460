"""Text fields give the keys back, what is written in them is kept, and lists are moved through by Up and Down."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.inputs import PAUSE_MILLISECONDS

CONTROL = Qt.KeyboardModifier.ControlModifier
Field = QLineEdit | QPlainTextEdit | QTextEdit | QAbstractSpinBox


def type_comment(qtbot: QtBot, window: MainWindow, text: str) -> None:
    press(window, "new_finding")
    press(window, "comment_finding")
    wait(qtbot, window.features.reading.findings._comment.hasFocus)
    qtbot.keyClicks(window.features.reading.findings._comment, text)


def finding(window: MainWindow) -> Finding:
    reading = window.session.reading
    assert reading is not None
    (found,) = window.session.library.annotations.findings(reading.study.study_id)
    return found


def leave_by_key(key: Qt.Key, modifier: Qt.KeyboardModifier) -> object:
    return lambda qtbot, window: qtbot.keyClick(QApplication.focusWidget(), key, modifier)


def click(name: str) -> object:
    def clicking(qtbot: QtBot, window: MainWindow) -> None:
        places = {
            "frame": window.player.frame_view,
            "detail": window.workspace.timeline.detail,
            "overview": window.workspace.timeline.overview,
            "class button": window.features.reading.label_bar,
        }
        qtbot.mouseClick(places[name], Qt.MouseButton.LeftButton, pos=QPoint(3, 3))

    return clicking


WAYS = {
    "Escape": leave_by_key(Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
    "Ctrl+Return": leave_by_key(Qt.Key.Key_Return, CONTROL),
    "a click on the frame": click("frame"),
    "a click on the timeline": click("detail"),
    "a click on the overview": click("overview"),
    "a click beside the buttons": click("class button"),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_comment_is_left_and_the_next_keys_mean_the_frame(qtbot: QtBot, tmp_path: Path, way: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        type_comment(qtbot, window, "pale c4 ")
        WAYS[way](qtbot, window)  # type: ignore[operator]
        assert not window.features.reading.findings._comment.hasFocus()
        assert finding(window).comment == "pale c4"
        assert window.session.reading is not None
        assert window.session.reading.study.state != "finished", "Ctrl+Return meant the field, not the reading"
        qtbot.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_C)
        assert window.features.explain.explaining.is_overlay_on
        assert window.features.reading.findings._comment.toPlainText().strip() == "pale c4"


def test_tab_in_a_comment_moves_on(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        type_comment(qtbot, window, "pale")
        qtbot.keyClick(window.features.reading.findings._comment, Qt.Key.Key_Tab)
        assert not window.features.reading.findings._comment.hasFocus()
        assert window.features.reading.findings._comment.toPlainText() == "pale"


def text_fields(window: QWidget) -> list[QWidget]:
    kinds = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)
    found = [widget for widget in window.findChildren(QWidget) if isinstance(widget, kinds)]
    return [one for one in found if one.focusProxy() is None and not isinstance(one.parent(), QAbstractSpinBox)]


def test_every_text_field_of_the_window_is_left_by_escape(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "new_finding")
        window.features.reading.describing.close_card()
        left = []
        for tab in range(window.right.count()):
            window.right.setCurrentIndex(tab)
            for field in text_fields(window):
                if field.isVisible() and field.isEnabled() and field.window() is window:
                    field.setFocus()
                    assert field.hasFocus()
                    qtbot.keyClick(field, Qt.Key.Key_Escape)
                    assert not field.hasFocus(), field.accessibleName()
                    left.append(field.accessibleName())
        assert {"Comment of the finding", "Share of the frames to review"} <= set(left)


def test_a_comment_is_saved_after_a_rest_while_it_is_still_being_written(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        type_comment(qtbot, window, "pale, ")
        wait(qtbot, lambda: finding(window).comment == "pale,")
        box = window.features.reading.findings._comment
        assert box.hasFocus()
        assert (box.toPlainText(), box.textCursor().position()) == ("pale, ", 6)
        qtbot.keyClicks(box, "sessile")
        wait(qtbot, lambda: finding(window).comment == "pale, sessile")
        assert PAUSE_MILLISECONDS <= 1000


def test_one_sitting_is_one_step_for_undo(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        type_comment(qtbot, window, "pale")
        wait(qtbot, lambda: finding(window).comment == "pale")
        qtbot.keyClicks(window.features.reading.findings._comment, ", sessile")
        qtbot.keyClick(window.features.reading.findings._comment, Qt.Key.Key_Escape)
        assert finding(window).comment == "pale, sessile"
        press(window, "undo")
        assert finding(window).comment == ""
        assert window.features.reading.findings._comment.toPlainText() == ""
        press(window, "redo")
        assert finding(window).comment == "pale, sessile"
        window.features.reading.findings._comment.setFocus()
        qtbot.keyClicks(window.features.reading.findings._comment, "big ")
        qtbot.keyClick(window.features.reading.findings._comment, Qt.Key.Key_Escape)
        press(window, "undo")
        assert finding(window).comment == "pale, sessile", "another sitting is another step"


def test_what_was_labelled_between_two_rests_is_a_step_of_its_own(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        type_comment(qtbot, window, "pale")
        window.features.reading.findings.form.save_texts()
        window.features.reading.label("polyp")
        qtbot.keyClicks(window.features.reading.findings._comment, ", flat")
        window.features.reading.findings.form.save_texts()
        press(window, "undo")
        assert finding(window).comment == "pale"
        press(window, "undo")
        assert finding(window).comment == "pale"
        press(window, "undo")
        assert finding(window).comment == ""


def test_by_a_key_the_cursor_goes_behind_the_comment(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        type_comment(qtbot, window, "Flat")
        comment = window.features.reading.findings._comment
        qtbot.keyClick(comment, Qt.Key.Key_Return, CONTROL)
        comment.moveCursor(QTextCursor.MoveOperation.Start)
        press(window, "comment_finding")
        wait(qtbot, comment.hasFocus)
        qtbot.keyClicks(comment, ", red")
        assert comment.toPlainText() == "Flat, red"
