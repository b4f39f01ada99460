"""The card at the frame: filled in by keys, taken back by Escape, closed where its finding is left."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.reading.test_finding_form import go, stored
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.reading.finding_card import FindingCard
from wce_desktop.shell.main_window import MainWindow

KEYS = {"Enter": Qt.Key.Key_Return, "Escape": Qt.Key.Key_Escape, "Tab": Qt.Key.Key_Tab, "N": Qt.Key.Key_N}


def card(window: MainWindow) -> FindingCard:
    return window.features.reading.describing.card


def type_keys(window: MainWindow, *keys: str) -> int:
    """Press keys, or type texts after an apostrophe, each where the focus is then; returns how many keys those were."""
    for key in keys:
        QApplication.processEvents()
        focused = QApplication.focusWidget()
        assert focused is not None
        if key.startswith("'"):
            QTest.keyClicks(focused, key[1:])
        else:
            QTest.keyClick(
                focused, KEYS.get(key) or (Qt.Key(ord(key.upper())) if len(key) == 1 else Qt.Key[f"Key_{key}"])
            )
    return sum(not key.startswith("'") for key in keys)


def focus_frame(qtbot: QtBot, window: MainWindow, frame: int) -> None:
    go(qtbot, window, frame)
    window.activateWindow()
    window.player.setFocus()


def test_a_finding_takes_eight_keys_beside_its_text(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 30)
        keys = type_keys(window, "m", "3", "Enter", "2", "Enter", "'7.5", "Enter", "Enter", "'at a fold", "Enter")
        assert keys == 8
        finding = stored(window)
        entered = finding.kind, finding.relevance, finding.size_mm, finding.comment
        assert entered == ("ulcer", "P2", 7.5, "at a fold")
        assert card(window).isHidden()
        assert window.player.hasFocus()
        assert [label.name for label in window.workspace.reading.entries.labels] == ["ulcer"]


def test_a_part_that_was_accepted_is_described(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter")
        assert card(window).isVisible()
        assert card(window).form.kind.hasFocus()
        assert type_keys(window, "Tab", "1", "Tab", "'4", "Tab", "Tab", "'pale", "Enter") == 6
        finding = stored(window)
        assert (finding.kind, finding.relevance, finding.size_mm, finding.comment) == ("polyp", "P1", 4, "pale")


def test_escape_keeps_what_was_entered(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter", "Tab", "1", "Tab", "'1.2 cm", "Tab", "1", "Tab", "'pale", "Escape")
        assert card(window).isHidden()
        assert window.player.hasFocus()
        finding = stored(window)
        entered = finding.relevance, finding.size_mm, finding.number, finding.comment
        assert entered == ("P1", 12, "single", "pale")
        type_keys(window, "m", "Escape")
        assert stored(window) == finding, "it was there before M"


@pytest.mark.parametrize("leaves_frame", [False, True])
def test_escape_after_m_removes_a_finding_that_was_not_filled_in(
    qtbot: QtBot, tmp_path: Path, leaves_frame: bool
) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 30)
        type_keys(window, "m")
        assert card(window).isVisible()
        if leaves_frame:
            window.player.setFocus()
        type_keys(window, "Escape")
        entries = window.workspace.reading.entries
        assert (card(window).isHidden(), len(entries.findings), len(entries.labels)) == (True, 0, 0)
        press(window, "redo")
        assert stored(window).kind == "other"
        press(window, "undo")
        type_keys(window, "m", "3", "Escape")
        assert stored(window).kind == "ulcer"


def test_enter_does_not_close_the_card_over_a_size_that_is_none(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter", "Tab", "Tab", "'5 apples", "Tab", "Tab", "'pale", "Enter")
        size = card(window).form.entries["size_mm"]
        assert size.hasFocus()
        type_keys(window, "'0.5 cm", "Enter", "Enter", "Enter")
        assert card(window).isHidden()
        assert (stored(window).size_mm, stored(window).comment) == (5, "pale")


def test_other_keys_go_on_reading(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter", "Tab", "2", "N")
        wait(qtbot, lambda: window.workspace.reading.place.frame_index == 40)
        assert card(window).isHidden()
        assert stored(window).relevance == "P2"
        type_keys(window, "Enter")
        assert card(window).isVisible(), "blood"
        assert card(window).form.entries["size_mm"].isHidden()
        assert card(window).form.entries["number"].isHidden()


@pytest.mark.parametrize("way", ["frame", "study", "undo"])
def test_a_card_left_open_loses_nothing(qtbot: QtBot, tmp_path: Path, way: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter", "Tab", "2", "Tab", "Tab", "Tab", "'broad base")
        study_id = window.workspace.reading.study.study_id
        match way:
            case "frame":
                go(qtbot, window, 30)
            case "study":
                window.features.studies.leave()
            case "undo":
                card(window).form.save_texts()
                for _ in range(3):
                    press(window, "undo")
        assert card(window).isHidden()
        findings = window.session.library.annotations.findings(study_id)
        assert [(each.comment, each.relevance) for each in findings] == (
            [] if way == "undo" else [("broad base", "P2")]
        )


def test_the_card_lies_in_the_corner_opposite_to_the_evidence(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter")
        view, place = window.player.frame_view, card(window).geometry()
        assert view.rect().contains(place)
        assert place.width() * place.height() < view.width() * view.height() / 4
        assert not place.contains(view.rect().center())


@pytest.mark.parametrize("key", ["1", "2", "3", "9", "Up", "Down", "Home", "End"])
def test_a_key_of_the_frame_does_not_change_the_class_of_what_was_just_accepted(
    qtbot: QtBot, tmp_path: Path, key: str
) -> None:
    with main_window(qtbot, tmp_path) as window:
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter")
        before, frame = stored(window), window.workspace.reading.place.frame_index
        type_keys(window, key)
        assert stored(window) == before
        assert window.workspace.reading.place.frame_index == frame
        type_keys(window, "Tab", "2")
        assert stored(window).relevance == "P2", "digits go to a field that was chosen"


def test_the_card_stands_beside_a_narrow_frame(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "research_desk")
        window.resize(860, 520)
        focus_frame(qtbot, window, 12)
        type_keys(window, "Enter")
        frame, shown = window.player.frame_view, card(window)
        assert frame.width() < 2 * shown.width()
        assert shown.isVisible()
        assert shown.mapTo(window, shown.rect().topLeft()).x() >= frame.mapTo(window, frame.rect().topRight()).x()
        assert type_keys(window, "Tab", "1") == 2
        window.resize(1280, 800)
        wait(qtbot, lambda: shown.parentWidget() is frame)
        assert shown.isVisible()
        assert shown.isAncestorOf(QApplication.focusWidget() or window)
        type_keys(window, "Enter", "'4", "Tab", "Tab", "'pale", "Enter")
        assert shown.isHidden()
        assert (stored(window).relevance, stored(window).size_mm, stored(window).comment) == ("P1", 4, "pale")
