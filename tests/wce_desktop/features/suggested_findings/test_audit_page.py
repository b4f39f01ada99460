"""The audit of unseen frames in the real window, by keys to the focused widget."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.features.suggested_findings.audit_page import AuditPage
from wce_desktop.session.completeness import frame_audit
from wce_desktop.session.completeness.frame_audit import audit_of, frames_to_audit
from wce_desktop.shell.main_window import MainWindow


@contextmanager
def audit(qtbot: QtBot, folder: Path) -> Iterator[tuple[MainWindow, AuditPage, Callable[[str], None]]]:
    """The window with the audit in place of the frame, and what presses a key where the focus is."""
    with main_window(qtbot, folder) as window:
        page = window.features.suggested_findings.audit

        def key(text: str) -> None:
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keySequence(focused, QKeySequence(text))
            qtbot.wait(1)
            wait(qtbot, lambda: window.is_idle)

        press(window, "audit_frames")
        wait(qtbot, lambda: page.isVisible() and page.tiles.tiles.rowCount() > 0 and window.is_idle)
        yield window, page, key


def look_at_all(page: AuditPage, key: Callable[[str], None]) -> None:
    for _ in range(500):
        if page.audit.is_finished:
            return
        key("Backspace")


def test_pages_are_marked_by_keys_and_the_report_says_the_bound(qtbot: QtBot, tmp_path: Path) -> None:
    with audit(qtbot, tmp_path) as (window, page, key):
        session, reading = window.session, window.workspace.reading
        unseen = np.flatnonzero(frames_to_audit(reading))
        seen, before = reading.seen.copy(), reading.place.frame_index
        assert audit_of(reading) is None, "drawing writes nothing"
        assert session.edits.undo_title is None
        frames = page.audit.frames
        assert set(frames) == set(unseen.tolist()), "all of few frames"
        assert 50 not in frames, "scoring could not read it"
        assert QApplication.focusWidget() is page.tiles

        first = frames[1]
        key("Right")
        key("Return")
        wait(qtbot, lambda: not page.isVisible() and reading.place.frame_index == first)
        key("Escape")
        wait(qtbot, page.isVisible)

        look_at_all(page, key)
        others = [frame for frame in frames if frame not in (before, first)]  # these were on screen
        assert not (reading.seen & ~seen)[others].any(), "thumbnails do not count as seen"
        rows = {row.name: row.text for row in gather(session).reading}
        assert rows["Audit"].startswith(f"0 of {len(frames)} frames show a finding: fewer than")
        press(window, "undo")
        assert page.audit.looked < len(frames)


def test_m_enters_a_finding_on_the_highlighted_frame_and_the_audit_counts_it(qtbot: QtBot, tmp_path: Path) -> None:
    with audit(qtbot, tmp_path) as (window, page, key):
        reading, frame = window.workspace.reading, page.audit.frames[1]
        key("Right")
        key("M")
        wait(qtbot, lambda: not page.isVisible() and bool(reading.entries.findings) and window.is_idle)
        assert reading.place.frame_index == frame
        card = window.features.reading.describing.card
        wait(qtbot, card.isVisible)
        assert QApplication.focusWidget() is card.form.kind, "the card asks for the class"
        key("2")
        key("Ctrl+Return")
        (finding,) = reading.entries.findings
        assert finding.kind == "angiectasia"
        assert frame in finding.span
        assert QApplication.focusWidget() is window.player
        key("Escape")
        wait(qtbot, page.isVisible)
        look_at_all(page, key)
        rows = {row.name: row.text for row in gather(window.session).reading}
        assert rows["Audit"].startswith(f"1 of {len(page.audit.frames)} frames show a finding")


def test_a_frame_that_cannot_be_read_does_not_count(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_audit, "SAMPLE_FRAMES", 20)
    with audit(qtbot, tmp_path) as (window, page, key):
        gone, thumbnail = page.audit.frames[0], page._thumbnail
        page._thumbnail = lambda frame: QImage() if frame == gone else thumbnail(frame)
        unseen = page.audit.unseen
        while not page.audit.looked:  # its pictures are on their way
            key("Backspace")
        drawn = page.audit
        assert drawn.unreadable == (gone,)
        assert gone not in drawn.frames
        assert len(set(drawn.frames)) == 20, "another frame is drawn in its place"
        assert drawn.unseen == unseen - 1
        look_at_all(page, key)
        assert page.audit.looked == 20
        assert frame_audit.result_words(window.workspace.reading, page.audit).startswith("0 of 20 frames")


def test_a_further_sample_counts_together_with_the_first(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_audit, "SAMPLE_FRAMES", 20)
    with audit(qtbot, tmp_path) as (window, page, key):
        assert page.further.isHidden()
        first = page.audit.frames
        look_at_all(page, key)
        for _ in range(6):
            if window.focusWidget() is not page.further:
                key("Tab")
        key("Space")
        assert page.audit.frames[:20] == first
        assert len(set(page.audit.frames)) == 40
        look_at_all(page, key)
        words = frame_audit.result_words(window.workspace.reading, page.audit)
        assert words.startswith("0 of 40 frames")
        assert "at 97.5 %" in words
        while page.audit.samples > 1:
            press(window, "undo")
            wait(qtbot, lambda: window.is_idle)
        again = page.audit
        assert (again.frames, again.looked) == (first, 20)
        frame_audit.draw_further(window.session, again)
        assert len(page.audit.frames) == 40, "the seed draws the same frames"


def test_the_context_menu_offers_what_the_buttons_do(qtbot: QtBot, tmp_path: Path) -> None:
    with audit(qtbot, tmp_path) as (window, page, _):
        page.tiles.customContextMenuRequested.emit(page.tiles.visualRect(page.tiles.tiles.index(1)).center())
        (menu,) = page.findChildren(QMenu)
        assert [action.text() for action in menu.actions()] == [title for title, _, _ in page.acts]
        menu.actions()[2].trigger()
        frame = page.audit.frames[1]
        wait(qtbot, lambda: window.workspace.reading.place.frame_index == frame and window.is_idle)
        menu.close()
