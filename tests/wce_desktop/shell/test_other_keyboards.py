"""On keyboards whose digits need Shift, and on those with digits of other scripts, the digit row means digits."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import alike_session
from tests.wce_desktop.windows import main_window, press, wait, window_on
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.selection import FrameSelection
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets import key_texts

NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
ROWS = {"French": "&é", "Czech": "+ě", "Arabic": "\u0661\u0662"}
"""What the keys 1 and 2 type there."""


def row_key(text: str, digit: int, modifiers: Qt.KeyboardModifier = NONE) -> QKeyEvent:
    """A key of the digit row as Linux reports it, where it types this text."""
    code = 9 + (digit or 10)
    return QKeyEvent(QEvent.Type.KeyPress, ord(text.upper()), modifiers, code, 0, 0, text)


@pytest.fixture(autouse=True)
def _on_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(key_texts, "_FIRST_OF_ROW", 10)


def names(window: MainWindow, study_id: str) -> list[str]:
    return [label.name for label in window.session.library.annotations.labels(study_id)]


def class_of(window: MainWindow, key: str) -> str:
    known = window.session.vocabulary.by_key(key)
    assert known is not None
    return known.name


def open_study_id(window: MainWindow) -> str:
    assert window.session.reading is not None
    return window.session.reading.study.study_id


@pytest.mark.parametrize("layout", ROWS)
def test_the_digit_row_labels_the_frame(qtbot: QtBot, tmp_path: Path, layout: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        study_id = open_study_id(window)
        window.player.setFocus()
        QApplication.sendEvent(window.player, row_key(ROWS[layout][1], 2))
        assert names(window, study_id) == [class_of(window, "2")]
        press(window, "new_finding")
        comment = window.features.reading.describing.card.form.comment
        comment.setFocus()
        wait(qtbot, comment.hasFocus)
        QApplication.sendEvent(comment, row_key(ROWS[layout][1], 2))
        assert comment.toPlainText() == ROWS[layout][1], "in a text the key is what it types"
        assert len(names(window, study_id)) == 1


def test_the_digit_row_with_ctrl_sets_landmarks(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.player.setFocus()
        QApplication.sendEvent(window.player, row_key("é", 2, CONTROL))
        (landmark,) = window.session.library.annotations.landmarks(open_study_id(window))
        assert landmark.region == Region.SMALL_BOWEL
        assert names(window, open_study_id(window)) == []


def test_the_digit_row_labels_the_frames_of_the_grid(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one", "two"))
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        session.select_frames(FrameSelection({"two": [6]}))
        press(window, "show_selection")
        shown = window.features.neighbours.grid.window
        assert shown is not None
        wait(qtbot, lambda: shown.isActiveWindow() and window.is_idle)
        shown.tiles.setFocus()
        QApplication.sendEvent(shown.tiles, row_key("é", 2))
        assert names(window, "two") == [class_of(window, "2")]
        assert names(window, "one") == []


def test_the_digit_row_grades_frames(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wce_desktop.core.calculators.cleansing.EVERY_SECONDS", 0.8)
    with main_window(qtbot, tmp_path) as window:
        study_id = open_study_id(window)
        marks = ((Region.SMALL_BOWEL, 5), (Region.COLON, 50))
        window.session.edits.apply(
            "x", [Add(Landmark(f"l{frame}", study_id, region, frame)) for region, frame in marks]
        )
        press(window, "show_calculators")
        shown = window.features.calculators.window
        assert shown is not None
        shown.tabs.setCurrentIndex(2)
        wait(qtbot, lambda: window.is_idle and shown.isActiveWindow())
        for focused in (shown.koda, shown.koda.next):
            focused.setFocus()
            QApplication.sendEvent(focused, row_key("é", 2))
        assert shown.koda.place.text().startswith("2 of 3 frames")
        assert names(window, study_id) == []


def test_a_typed_character_keeps_its_own_action(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.player.setFocus()
        QApplication.sendEvent(window.player, row_key("+", 1))
        assert names(window, open_study_id(window)) == [], "zoom in has the key +"
