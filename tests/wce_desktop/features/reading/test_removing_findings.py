"""Removing a finding asks whether the labels that came with it go too; labels that were there before stay."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.features.reading.removal_question import RemovalQuestion
from wce_desktop.shell.main_window import MainWindow

FRAMES = [20, 21, 22, 23]


def make_finding(window: MainWindow, qtbot: QtBot) -> Finding:
    """A polyp on four frames, of which the second was labelled by hand before."""
    reading = window.session.reading
    assert reading is not None
    go(window, qtbot, 21)
    qtbot.keyClick(window, Qt.Key.Key_1)
    go(window, qtbot, FRAMES[0])
    press(window, "mark_start")
    go(window, qtbot, FRAMES[-1])
    press(window, "mark_stop")
    go(window, qtbot, 21)
    qtbot.keyClick(window, Qt.Key.Key_M)
    (finding,) = reading.entries.findings
    qtbot.keyClick(window.features.reading.describing.card.form.kind, Qt.Key.Key_Return)
    assert labelled(window) == FRAMES
    return finding


def go(window: MainWindow, qtbot: QtBot, frame_index: int) -> None:
    window.workspace.go_to_frame(frame_index)
    wait(qtbot, lambda: window.workspace.reading.place.frame_index == frame_index and window.is_idle)


def labelled(window: MainWindow) -> list[int]:
    """The frames with a label in the library."""
    stored = window.session.library.annotations.labels(window.workspace.reading.study.study_id)
    return sorted(frame for label in stored for frame in range(label.span.start, label.span.stop))


def question(window: MainWindow, qtbot: QtBot) -> RemovalQuestion:
    def open_now() -> list[RemovalQuestion]:
        return [box for box in window.findChildren(RemovalQuestion) if box.isVisible()]

    wait(qtbot, lambda: bool(open_now()))
    (box,) = open_now()
    return box


def ask_by_key(window: MainWindow, qtbot: QtBot) -> RemovalQuestion:
    window.workspace.show_panel("FINDINGS")
    findings = window.features.reading.findings._list
    findings.setFocus()
    qtbot.keyClick(findings, Qt.Key.Key_Delete)
    return question(window, qtbot)


def test_enter_removes_the_finding_and_the_labels_that_came_with_it(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        make_finding(window, qtbot)
        box = ask_by_key(window, qtbot)
        assert box.text() == "Remove the finding polyp with the labels that came with it (3 frames)?"
        assert "Labels on 1 frame were there before" in box.informativeText()
        remarks: list[str] = []
        window.session.remarked.connect(remarks.append)
        qtbot.keyClick(box, Qt.Key.Key_Return)
        assert window.workspace.reading.entries.findings == []
        assert labelled(window) == [21]
        (said,) = remarks
        assert said == (
            "Finding polyp removed with its labels on 3 frames. Labels stay on 1 frame. "
            "Undo brings the removed labels back."
        )
        press(window, "undo")
        assert [finding.kind for finding in window.workspace.reading.entries.findings] == ["polyp"]
        assert labelled(window) == FRAMES
        qtbot.keyClick(ask_by_key(window, qtbot), Qt.Key.Key_Return)
        assert labelled(window) == [21], "after undo, too, the label by hand did not come with the finding"


@pytest.mark.parametrize("way", ["Delete", "undo", "button"])
def test_after_the_last_finding_the_keys_mean_the_frame(qtbot: QtBot, tmp_path: Path, way: str) -> None:
    with main_window(qtbot, tmp_path) as window:
        make_finding(window, qtbot)
        findings = window.features.reading.findings
        window.workspace.show_panel("FINDINGS")
        (findings.remove if way == "button" else findings._list).setFocus()
        if way == "undo":
            press(window, "undo")
        else:
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space if way == "button" else Qt.Key.Key_Delete)
            qtbot.keyClick(question(window, qtbot), Qt.Key.Key_Return)
            wait(qtbot, lambda: not window.findChildren(RemovalQuestion))
        assert window.workspace.reading.entries.findings == []
        window.activateWindow()  # as the window manager does when the question closes
        wait(qtbot, lambda: QApplication.focusWidget() is not None)
        assert window.player.hasFocus()
        go(window, qtbot, 30)
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_1)
        assert 30 in labelled(window)


def test_escape_removes_nothing_and_the_mouse_the_finding_only(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        finding = make_finding(window, qtbot)
        box = ask_by_key(window, qtbot)
        qtbot.keyClick(box, Qt.Key.Key_Escape)
        assert window.workspace.reading.entries.findings == [finding]
        wait(qtbot, lambda: not window.findChildren(RemovalQuestion))
        qtbot.mouseClick(window.features.reading.findings.remove, Qt.MouseButton.LeftButton)
        box = question(window, qtbot)
        (only,) = [button for button in box.findChildren(QPushButton) if button.text() == "Remove finding only"]
        qtbot.mouseClick(only, Qt.MouseButton.LeftButton)
        assert window.workspace.reading.entries.findings == []
        assert labelled(window) == FRAMES
        press(window, "undo")
        stored = window.session.library.annotations.labels(finding.study_id)
        assert {label.finding_id for label in stored} == {finding.finding_id}


@pytest.mark.parametrize("taken_off", [20, 22])
def test_the_rest_of_a_label_by_hand_stays(qtbot: QtBot, tmp_path: Path, taken_off: int) -> None:
    """A label by hand on several frames, of which one was taken off later, is in pieces with new ids."""
    with main_window(qtbot, tmp_path) as window:
        go(window, qtbot, 20)
        press(window, "mark_start")
        go(window, qtbot, 24)
        press(window, "mark_stop")
        qtbot.keyClick(window, Qt.Key.Key_1)
        qtbot.keyClick(window, Qt.Key.Key_M)
        qtbot.keyClick(window.features.reading.describing.card.form.kind, Qt.Key.Key_Return)
        go(window, qtbot, taken_off)
        qtbot.keyClick(window, Qt.Key.Key_1)
        kept = [frame for frame in range(20, 25) if frame != taken_off]
        assert labelled(window) == kept
        press(window, "remove_finding")
        box = question(window, qtbot)
        assert box.text() == "Remove the finding polyp?", "none of its labels came with it"
        qtbot.keyClick(box, Qt.Key.Key_Return)
        assert window.workspace.reading.entries.findings == []
        assert labelled(window) == kept


def test_only_the_reader_writes_normal(qtbot: QtBot, tmp_path: Path) -> None:
    """Accepting, rejecting, making and removing a finding, landmarks and undo leave normal to the key 0."""
    with main_window(qtbot, tmp_path) as window:
        study_id = window.workspace.reading.study.study_id

        def normal() -> bool:
            return any(label.name == "normal" for label in window.session.library.annotations.answers(study_id))

        for event in tuple(window.workspace.reading.flags.events):
            go(window, qtbot, event.peak_frame)
            for action in ("reject_event", "reject_event", "accept_event", "reject_event", "undo", "new_finding"):
                press(window, action)
                assert not normal(), action
            press(window, "landmark_colon")
            press(window, "remove_finding")
            qtbot.keyClick(question(window, qtbot), Qt.Key.Key_Return)
            wait(qtbot, lambda: not window.findChildren(RemovalQuestion))
        go(window, qtbot, 5)
        press(window, "label_0")
        assert normal()
