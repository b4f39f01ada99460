"""The list of findings: keys go through it, and showing it goes nowhere."""

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, wait
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.features.explain.explanation_texts import frame_notes


def test_the_focus_alone_goes_to_no_finding_and_keys_do(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading, panel = window.session.reading, window.features.reading.findings
        assert reading is not None
        study_id = reading.study.study_id
        findings = [Finding(f"f{start}", study_id, "polyp", Span(start, start + 2)) for start in (3, 9)]
        window.session.edits.apply("Two findings", [Add(one) for one in findings])
        start = reading.place.frame_index
        assert start not in (3, 9)
        window.activateWindow()
        panel.show()
        panel._list.setFocus()
        panel._list.setCurrentRow(0)  # as the list does when the focus comes from another tab
        assert panel.chosen == findings[0]
        assert (reading.place.frame_index, window.player.is_settled) == (start, True)
        qtbot.keyClick(panel._list, Qt.Key.Key_Down)
        wait(qtbot, lambda: reading.place.frame_index == 9)  # the middle of its span
        qtbot.keyClick(panel._list, Qt.Key.Key_Up)
        wait(qtbot, lambda: reading.place.frame_index == 3)


def test_labels_are_counted_as_they_were_made(qtbot: QtBot, tmp_path: Path) -> None:
    """A "no" is no label of its class, and "normal" that an earlier version wrote for a rejection is marked."""
    with main_window(qtbot, tmp_path) as window:
        session, panel = window.session, window.features.reading.findings
        study_id = window.workspace.reading.study.study_id
        old = Label("l1", study_id, Span(0, 3), "normal", model_id="m1")
        session.edits.apply("Old", [Add(old), Add(Label("l2", study_id, Span(3, 5), "normal"))])

        def chips(frame_index: int) -> list[str]:
            notes = frame_notes(window.workspace.reading, session.vocabulary, frame_index)
            return [chip.title for chip in notes.chips]

        polyp = window.workspace.reading.flags.events[0]
        assert chips(polyp.peak_frame)[0].startswith("Polyp? 4 frames, 0:00:0"), "how many it is about"
        window.features.reading.answer(polyp, is_accepted=False)
        panel.count_labels()
        assert panel._labels.text() == "Labelled frames: Normal 5 (3 by rejecting), not Polyp 4"

        assert chips(0) == ["Normal (by rejecting)"]
        assert chips(3) == ["Normal"]
        assert chips(polyp.peak_frame) == ["Not Polyp"]
