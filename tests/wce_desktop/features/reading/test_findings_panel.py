"""The list of findings: keys go through it, and showing it goes nowhere."""

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, wait
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.span import Span


def test_the_focus_alone_goes_to_no_finding_and_keys_do(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading, panel = window.session.reading, window.features.reading.findings
        assert reading is not None
        study_id = reading.study.study_id
        findings = [Finding(f"f{start}", study_id, "polyp", Span(start, start + 2)) for start in (3, 9)]
        window.session.edit("Two findings", [Add(one) for one in findings])
        start = reading.frame_index
        assert start not in (3, 9)
        window.activateWindow()
        panel.show()
        panel._list.setFocus()
        panel._list.setCurrentRow(0)  # as the list does when the focus comes from another tab
        assert panel.chosen == findings[0]
        assert (reading.frame_index, window.player.is_settled) == (start, True)
        qtbot.keyClick(panel._list, Qt.Key.Key_Down)
        wait(qtbot, lambda: reading.frame_index == 10)  # the highest score of its kind in its span
        qtbot.keyClick(panel._list, Qt.Key.Key_Up)
        wait(qtbot, lambda: reading.frame_index == 3)
