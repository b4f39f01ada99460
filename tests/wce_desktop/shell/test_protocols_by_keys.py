"""A study is read by each reading protocol with keys only, from the worklist to the signed report.

Every key goes to the widget that has the focus; the tests choose none.
"""

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.keyboard import Keyboard
from tests.wce_desktop.shell.test_reading_by_keys import (
    file_report,
    go_to_sign,
    open_from_worklist,
    set_landmarks,
    window,
)
from tests.wce_desktop.shell.test_reading_hour import text_of
from tests.wce_desktop.windows import wait
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.features.studies.worklist_model import FLAGS
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.shell.main_window import MainWindow

__all__ = ["window"]  # a fixture
FLAGGED = 8
HIDDEN = "Suggestions are hidden until the first pass is finished."


def reading_rows(window: MainWindow) -> dict[str, str]:
    window.session.save_seen()
    report = gather(window.session)
    return {row.name: row.text for row in (*report.reading, *report.model)}


def flags_in_worklist(qtbot: QtBot, window: MainWindow, keyboard: Keyboard) -> str:
    """What the worklist says of flags of the study; the main window is in front again afterwards."""
    keyboard.press("F12")
    worklist = window.features.studies.worklist
    wait(qtbot, worklist.window.isActiveWindow)
    wait(qtbot, lambda: not worklist._counting.is_busy)
    model = worklist.window.model
    row = next(at for at, each in enumerate(model.shown) if each.name == "Meier 4711")
    text = str(model.data(model.index(row, FLAGS)))
    keyboard.press("Escape")
    keyboard.come_back()
    return text


def find_action(keyboard: Keyboard, window: MainWindow, words: str) -> None:
    """Choose an action by its name."""

    def choose() -> None:
        if isinstance(QApplication.activeModalWidget(), QDialog):
            keyboard.type(words)
            keyboard.press("Return")
        else:
            QTimer.singleShot(10, window, choose)

    QTimer.singleShot(0, window, choose)
    keyboard.press("Ctrl+K")


def finish(qtbot: QtBot, keyboard: Keyboard, window: MainWindow) -> None:
    reading = window.workspace.reading
    wait(qtbot, lambda: bool(reading.seen[reading.place.frame_index]))  # else the counts change while it is signed
    keyboard.answer("Tab", "Return")
    keyboard.step("Ctrl+Return")
    keyboard.come_back()
    assert window.workspace.reading.study.state == "finished"


def signed_pdf(
    qtbot: QtBot, window: MainWindow, keyboard: Keyboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The text of the report, with line breaks as spaces."""
    filed = tmp_path / "filed.pdf"
    monkeypatch.setattr(window.workspace.files, "ask_new_file", lambda *_: filed)
    file_report(qtbot, window, keyboard)
    wait(qtbot, lambda: filed.is_file() and window.is_idle)
    return " ".join(text_of(filed).split())


def test_ai_with_full_reading(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyboard = Keyboard(qtbot, window)
    assert flags_in_worklist(qtbot, window, keyboard) == str(FLAGGED)
    open_from_worklist(qtbot, window, keyboard)
    reading, flags = window.workspace.reading, window.features.reading.flags
    assert not reading.flags.is_hidden
    assert flags.list.model().rowCount() > 0
    assert still_open(reading).flags == FLAGGED
    assert not window.features.suggested_findings.overview.isVisible()
    keyboard.move("N")
    keyboard.step("Return")
    keyboard.press("Ctrl+Return")
    (finding,) = reading.entries.findings
    assert finding.was_seen_before is False
    assert reading_rows(window)["Protocol"] == "AI with full reading"
    assert "Audit" not in reading_rows(window), "nothing is said of an audit that the protocol does not ask for"
    finish(qtbot, keyboard, window)
    text = signed_pdf(qtbot, window, keyboard, tmp_path, monkeypatch)
    assert "AI with full reading" in text
    assert "audit" not in text.casefold()
    assert f"of {FLAGGED} flags not seen" in text or f"of {FLAGGED} flags." in text


def test_unaided_first(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window.session.settings.set("protocol", "unaided")
    keyboard = Keyboard(qtbot, window)
    assert flags_in_worklist(qtbot, window, keyboard) == "–"
    open_from_worklist(qtbot, window, keyboard)
    reading, flags = window.workspace.reading, window.features.reading.flags
    assert reading.flags.is_hidden
    assert flags.list.model().rowCount() == 0
    assert flags._empty.text() == HIDDEN
    assert window.workspace.timeline.content.no_scores == HIDDEN
    assert still_open(reading).flag_words == "Flags are hidden."
    set_landmarks(window, keyboard)
    keyboard.move("Home", to=0)
    for key in ("N", "Shift+N", "Shift+B", "Return", "Shift+G", "E", "Y"):
        keyboard.step(key)
        assert reading.place.frame_index == 0, key
    assert not reading.entries.findings
    for frame in (10, 20, 30):
        keyboard.move("Ctrl+Right", to=frame)
    for frame in range(29, 24, -1):
        keyboard.move("Left", to=frame)
    keyboard.press("M", "1")  # frames 24 to 26 are flagged
    keyboard.step("Ctrl+Return")
    (finding,) = reading.entries.findings
    assert finding.was_seen_before is None
    assert not finding.model_id
    assert reading_rows(window)["Model"] == "Flags are hidden."
    assert flags_in_worklist(qtbot, window, keyboard) == "–"

    keyboard.answer("Tab", "Return")
    find_action(keyboard, window, "Finish the first pass")
    wait(qtbot, lambda: not reading.flags.is_hidden and window.is_idle)
    keyboard.come_back()
    assert len(reading.flags.events) == FLAGGED - 1, "one was entered unaided"
    assert not any(finding.span.start in event.span for event in reading.flags.events)
    assert still_open(reading).flags == FLAGGED - 1
    assert flags_in_worklist(qtbot, window, keyboard) == str(FLAGGED - 1)
    keyboard.move("N")
    assert reading.event_here() is not None

    assert reading_rows(window)["Protocol"].startswith("Unaided first; first pass finished 20")
    finish(qtbot, keyboard, window)
    text = signed_pdf(qtbot, window, keyboard, tmp_path, monkeypatch)
    assert "Unaided first; first pass finished 20" in text
    share = reading_rows(window)["Protocol"].rpartition(" with ")[2]
    assert share in text


def test_a_finding_that_is_removed_gives_its_flag_back(qtbot: QtBot, window: MainWindow) -> None:
    window.session.settings.set("protocol", "unaided")
    keyboard = Keyboard(qtbot, window)
    open_from_worklist(qtbot, window, keyboard)
    reading = window.workspace.reading
    for frame in (10, 20, 30):
        keyboard.move("Ctrl+Right", to=frame)
    for frame in range(29, 24, -1):
        keyboard.move("Left", to=frame)
    keyboard.press("M", "1")
    keyboard.step("Ctrl+Return")
    finish(qtbot, keyboard, window)
    assert len(reading.flags.events) == FLAGGED - 1, "a reading that is finished hides nothing"
    while reading.entries.findings:
        keyboard.step("Ctrl+Z")
    assert len(reading.flags.events) == FLAGGED
    while not reading.entries.findings:
        keyboard.step("Ctrl+Shift+Z")
    assert len(reading.flags.events) == FLAGGED - 1


def test_ai_first(qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window.session.settings.set("protocol", "ai_first")
    keyboard = Keyboard(qtbot, window)
    assert flags_in_worklist(qtbot, window, keyboard) == str(FLAGGED)
    keyboard.press("F12")
    wait(qtbot, window.features.studies.worklist.window.isActiveWindow)
    keyboard.type("meier")
    keyboard.press("Return")
    suggested = window.features.suggested_findings
    wait(qtbot, lambda: suggested.overview.isVisible() and window.is_idle and window.isActiveWindow())
    assert keyboard.focused is suggested.overview.tiles, "it opens by itself, with the keys"
    reading, overview = window.workspace.reading, suggested.overview
    while reading.unanswered(reading.flags.listed).any():
        event = overview.current
        keyboard.step("Return" if event == reading.flags.listed[0] else "Backspace")
    keyboard.step("Escape")
    assert not overview.isVisible()
    assert reading_rows(window)["Audit"] == "no audit"
    finish(qtbot, keyboard, window)

    signed = window.session.library.reports.signed
    keyboard.press("F8")
    shown = window.features.report.window
    assert shown is not None
    wait(qtbot, lambda: shown.isActiveWindow() and window.is_idle)
    asked: list[str] = []

    def note() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            asked.append(box.informativeText())
            keyboard.press("Escape")
        else:
            QTimer.singleShot(10, window, note)

    go_to_sign(qtbot, window, keyboard)
    QTimer.singleShot(0, window, note)
    keyboard.press("Return")
    wait(qtbot, lambda: bool(asked) and window.is_idle)
    assert "No audit of unseen frames was finished." in asked[0]
    assert signed(reading.study.study_id) == ()
    shown.activateWindow()
    wait(qtbot, shown.isActiveWindow)
    keyboard.press("Escape")
    keyboard.come_back()

    seen = reading.seen.copy()
    keyboard.step("Ctrl+Shift+G")
    audit = suggested.audit
    wait(qtbot, lambda: audit.isVisible() and window.is_idle)
    assert keyboard.focused is audit.tiles
    sample = audit.audit.frames
    assert not reading.seen[list(sample)].any()
    while not audit.audit.is_finished:
        keyboard.step("Backspace")
    assert audit._note.text().startswith(f"0 of {len(sample)} frames show a finding: fewer than ")
    keyboard.step("Escape")
    assert not audit.isVisible()
    assert (reading.seen == seen).all(), "small pictures do not count as seen"

    text = signed_pdf(qtbot, window, keyboard, tmp_path, monkeypatch)
    assert "AI first" in text
    assert f"0 of {len(sample)} frames show a finding: fewer than" in text
    assert "no audit" not in text
