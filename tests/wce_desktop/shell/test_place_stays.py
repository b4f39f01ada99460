"""Only a key or a click moves the place in the video: not rows that arrive, vanish or are sorted, nor the focus."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.span import Span
from wce_desktop.features.reading.event_model import EVENT_ROLE
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """On frame 5, with a polyp at frames 10 to 13, blood at 40 and 41, and findings at 20 and 50."""
    with main_window(qtbot, tmp_path) as made:
        reading = made.session.reading
        assert reading is not None
        add(made, "a", 20)
        add(made, "b", 50)
        go(qtbot, made, 5)
        yield made


def add(window: MainWindow, finding_id: str, frame: int) -> None:
    assert window.session.reading is not None
    study_id = window.session.reading.study.study_id
    finding = Finding(finding_id, study_id, "polyp", Span(frame, frame + 2), key_frames=(frame, frame + 1))
    window.session.edits.apply("Add", [Add(finding)])


def go(qtbot: QtBot, window: MainWindow, frame: int) -> None:
    window.workspace.go_to_frame(frame)
    wait(qtbot, lambda: window.player.frame_index == frame and window.is_idle)


def lists(window: MainWindow) -> list[QAbstractItemView]:
    """Every list of the window in which something stands, also in panels that are not on screen."""
    every = window.findChildren(QAbstractItemView)
    return [one for one in every if one.model() is not None and one.model().rowCount() > 1 and one.window() is window]


def test_no_list_moves_the_place_when_the_program_moves_its_highlight(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """A study that vanishes leaves the highlight on its study."""
    select = QItemSelectionModel.SelectionFlag.ClearAndSelect
    tried = set()
    for panel in ("show_flags", "show_findings", "show_landmarks"):
        press(window, panel)
        for view in lists(window):
            window.player.setFocus()
            for has_focus in (False, True):
                if has_focus:
                    view.setFocus(Qt.FocusReason.TabFocusReason)
                for row in (0, view.model().rowCount() - 1, 0):
                    focused = QApplication.focusWidget()
                    view.selectionModel().setCurrentIndex(view.model().index(row, 0), select)
                    wait(qtbot, lambda: window.is_idle)
                    tried.add(view.accessibleName())
                    assert window.player.frame_index == 5, view.accessibleName()
                    assert QApplication.focusWidget() is focused, view.accessibleName()
    assert {"Flagged events", "Findings", "Key frames of the finding"} <= tried
    library, studies = window.session.library, window.features.studies.panel
    for study_id in ("P20", "P21", "P22"):
        library.studies.add(tmp_path / f"{study_id}.mp4", study_id=study_id, frame_count=9)
    studies.refresh()
    studies._list.setCurrentRow(3)
    assert studies.highlighted is not None
    assert studies.highlighted.study_id == "P22"
    library.removals.remove(["P20"])
    studies.refresh()
    assert studies.highlighted is not None
    assert studies.highlighted.study_id == "P22"


def test_flags_and_findings_that_arrive_leave_the_row_that_keys_went_on_to(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(window, "show_findings")
    panel = window.features.reading.findings
    go(qtbot, window, 20)
    panel._list.setFocus()
    qtbot.keyClick(panel._list, Qt.Key.Key_Down)  # its frame is on its way
    add(window, "first", 2)
    assert panel.chosen is not None
    assert panel.chosen.finding_id == "b"
    wait(qtbot, lambda: window.player.frame_index == 50 and window.is_idle)
    assert panel.chosen.finding_id == "b"
    assert panel._list.hasFocus()
    go(qtbot, window, 5)
    press(window, "show_flags")
    flags = window.features.reading.flags
    flags.list.setFocus()
    qtbot.keyClick(flags.list, Qt.Key.Key_Down)
    wait(qtbot, lambda: window.player.frame_index == 12 and window.is_idle)
    qtbot.keyClick(flags.list, Qt.Key.Key_Down)  # its frame is on its way
    wanted = flags.model.index(1).data(EVENT_ROLE)
    window.session.events_changed.emit()
    assert flags.highlighted == wanted
    wait(qtbot, lambda: window.player.frame_index == 40)
    assert flags.list.hasFocus()


def test_flags_that_arrive_while_flagged_frames_play_drop_nothing_that_is_prepared(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    press(window, "play_flagged")
    controller = window.player.controller
    controller.play()
    wait(qtbot, lambda: controller.playback.is_playing and any(controller._prepared._groups.values()))
    dropped: list[int] = []
    monkeypatch.setattr(controller._prepared, "forget", dropped.append)
    window.session.events_changed.emit()
    assert dropped == []
    controller.pause()
