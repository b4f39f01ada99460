"""The wheel and single keys change nothing in any window, but what the focused widget itself is there for."""

import ast
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.wce_desktop.controls import controls, describe
from tests.wce_desktop.shell.test_accessibility import visit_windows
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.key_places import gives_keys

STORED = ("labels", "findings", "landmarks", "boxes", "links", "report_parts", "reports", "patients", "removals")
PRINTABLE = "".join(chr(code) for code in range(33, 127))
OTHERS = (Qt.Key.Key_Backspace, Qt.Key.Key_Home, Qt.Key.Key_Left)
TYPED = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox, QComboBox)
RAW = {"QComboBox", "QSlider", "QSpinBox", "QDoubleSpinBox", "QDateEdit", "QTimeEdit", "QDateTimeEdit", "QDial"}
OWN_CLASSES = ("inputs.py", "number_box.py")


def stored(window: MainWindow) -> dict[str, list[tuple[object, ...]]]:
    """What the reader wrote, from the database itself."""
    with closing(sqlite3.connect(window.session.library.folder / "library.sqlite")) as base:
        return {table: sorted(base.execute(f"SELECT * FROM {table}"), key=repr) for table in STORED}


def value(widget: QWidget) -> object:
    match widget:
        case QComboBox():
            return widget.currentIndex()
        case QAbstractSpinBox():
            return widget.text()
        case QScrollBar():
            return None
        case QAbstractSlider():
            return widget.value()
        case QAbstractButton():
            return widget.isChecked()
    return None


def values(window: QWidget) -> list[object]:
    return [value(one) for one in window.findChildren(QWidget)]


def turn(widget: QWidget, notches: int) -> None:
    at = QPointF(widget.rect().center())
    turned = QPoint(0, 120 * notches)
    none, no_button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), turned, no_button, none, phase, False)
    QApplication.sendEvent(widget, event)


def fill(qtbot: QtBot, window: MainWindow) -> None:
    """A label, a finding and a landmark; the first event is on screen."""
    press(window, "next_event")
    wait(qtbot, lambda: window.is_idle)
    for action_id in ("label_1", "new_finding", "landmark_stomach"):
        press(window, action_id)
    window.player.setFocus()
    wait(qtbot, lambda: window.is_idle)


def walk(window: MainWindow, visit: Callable[[QWidget], object]) -> int:
    """Visit the main window with each of its tabs, and every other window; returns how many were visited."""
    visited = []

    def look(shown: QWidget) -> None:
        if not isinstance(shown, QFileDialog):
            visited.append(shown.windowTitle())
            visit(shown)

    for tab in range(window.right.count()):
        window.right.setCurrentIndex(tab)
        look(window)
    visit_windows(window, look)
    return len(visited)


def test_the_wheel_changes_nothing_in_any_window(qtbot: QtBot, tmp_path: Path) -> None:
    turned, changed = [], []

    def look(shown: QWidget) -> None:
        for widget in controls(shown):
            if not widget.isVisible() or not isinstance(widget, (QComboBox, QAbstractSpinBox, QAbstractSlider)):
                continue
            turned.append(widget)
            for is_focused in (False, True):
                if is_focused:
                    widget.setFocus()
                before = values(shown)
                for notches in (1, -1, -1):
                    turn(widget, notches)
                    if values(shown) != before:
                        changed.append(describe(widget))

    with main_window(qtbot, tmp_path) as window:
        fill(qtbot, window)
        before = stored(window)
        walk(window, look)
        assert stored(window) == before
    assert changed == []
    assert len(turned) > 30


def test_no_single_key_in_a_control_changes_what_is_stored(qtbot: QtBot, tmp_path: Path) -> None:
    pressed: list[QWidget] = []
    changed: list[str] = []

    def look(shown: QWidget) -> None:
        place = window.player.frame_index
        for widget in controls(shown):
            if not widget.isVisible() or not widget.isEnabled() or gives_keys(widget) or isinstance(widget, TYPED):
                continue
            widget.setFocus()
            focused = QApplication.focusWidget()
            if focused is None or not widget.hasFocus():
                continue
            before = stored(window)
            for text in PRINTABLE:
                QTest.keyClicks(focused, text)
            for key in OTHERS:
                QTest.keyClick(focused, key)
            pressed.append(widget)
            if stored(window) != before or window.player.frame_index != place:
                changed.append(describe(widget))
                place = window.player.frame_index

    with main_window(qtbot, tmp_path) as window:
        fill(qtbot, window)
        windows = walk(window, look)
    assert changed == []
    assert windows > 20
    assert len(pressed) > 100


@pytest.mark.parametrize("text", ["b", "2", "l"])
def test_a_key_in_a_choice_is_no_action(qtbot: QtBot, tmp_path: Path, text: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        fill(qtbot, window)
        window.right.setCurrentIndex(1)
        (box, *_) = [one for one in window.right.findChildren(QComboBox) if one.isVisible()]
        box.setFocus()
        frame, labels = window.player.frame_index, len(stored(window)["labels"])
        QTest.keyClicks(box, text)
        assert (window.player.frame_index, len(stored(window)["labels"])) == (frame, labels)
        assert not window.player.is_playing
        QTest.keyClick(box, Qt.Key.Key_Escape)
        assert window.player.hasFocus()


def test_enter_in_the_list_of_studies_accepts_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "next_event")
        wait(qtbot, lambda: window.is_idle and bool(window.player.frame_index))
        before = stored(window)
        studies = window.features.studies.panel._list
        for reason in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.TabFocusReason):
            studies.setFocus(reason)
            QTest.keyClick(studies, Qt.Key.Key_Return)
            QTest.keyClick(studies, Qt.Key.Key_Backspace)
            assert stored(window) == before
        window.player.setFocus()
        QTest.keyClick(window.player, Qt.Key.Key_N)
        wait(qtbot, lambda: window.is_idle and bool(window.player.frame_index))
        QTest.keyClick(window.player, Qt.Key.Key_Return)
        wait(qtbot, lambda: stored(window) != before)


@pytest.mark.parametrize("place", ["frame", "detail", "overview"])
def test_a_click_on_the_frame_takes_the_focus_from_a_list(qtbot: QtBot, tmp_path: Path, place: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        timeline = window.workspace.timeline
        clicked = {"frame": window.player.frame_view, "detail": timeline.detail, "overview": timeline.overview}[place]
        window.features.studies.panel._list.setFocus()
        qtbot.mouseClick(clicked, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
        assert window.player.hasFocus()
        QTest.keyClick(window.player, Qt.Key.Key_End)
        wait(qtbot, lambda: bool(window.player.frame_index))


def test_no_raw_input_widget_is_used() -> None:
    """Those of `widgets.inputs` and `widgets.number_box` leave the wheel to the page."""
    package = Path(__file__).parents[3] / "wce_desktop"
    uses = []
    for path in package.rglob("*.py"):
        if path.name in OWN_CLASSES:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.func] if isinstance(node, ast.Call) else node.bases if isinstance(node, ast.ClassDef) else []
            uses += [f"{path.name}: {one.id}" for one in names if isinstance(one, ast.Name) and one.id in RAW]
    assert uses == []
