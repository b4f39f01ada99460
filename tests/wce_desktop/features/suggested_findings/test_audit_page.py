"""The audit of unseen frames in the real window, by keys to the focused widget."""

from pathlib import Path

import numpy as np
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.session.completeness.frame_audit import audit_of, frames_to_audit


def test_pages_are_marked_by_keys_and_the_report_says_the_bound(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        session, page = window.session, window.features.suggested_findings.audit
        reading = window.workspace.reading
        unseen = np.flatnonzero(frames_to_audit(reading))
        seen, before = reading.seen.copy(), reading.place.frame_index

        def key(text: str) -> None:
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keySequence(focused, QKeySequence(text))
            qtbot.wait(1)
            wait(qtbot, lambda: window.is_idle)

        press(window, "audit_frames")
        wait(qtbot, lambda: page.isVisible() and page.tiles.tiles.rowCount() > 0 and window.is_idle)
        assert audit_of(reading) is None, "drawing writes nothing"
        audit = page.audit
        assert set(audit.frames) <= set(unseen.tolist())
        assert audit.looked == 0
        assert QApplication.focusWidget() is page.tiles

        first = audit.frames[1]
        key("Right")
        key("Return")
        wait(qtbot, lambda: not page.isVisible() and reading.place.frame_index == first)
        key("Escape")
        wait(qtbot, page.isVisible)

        for _ in range(500):
            if page.audit.is_finished:
                break
            key("Backspace")
        others = [frame for frame in audit.frames if frame not in (before, first)]  # these were on screen
        assert not (reading.seen & ~seen)[others].any(), "thumbnails do not count as seen"
        rows = {row.name: row.text for row in gather(session).reading}
        assert rows["Audit"].startswith(f"0 of {len(audit.frames)} frames show a finding: fewer than")
        press(window, "undo")
        assert page.audit.looked < len(audit.frames)
