"""What is highlighted in the list of flags is what the keys act on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.event import Event
from wce_desktop.features.reading.event_model import EVENT_ROLE
from wce_desktop.shell.main_window import MainWindow

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """On frame 0, with a polyp at frames 10 to 13 and blood at 40 and 41."""
    with main_window(qtbot, tmp_path) as made:
        yield made


def event(window: MainWindow, row: int) -> Event:
    found = window.features.reading.flags.model.index(row).data(EVENT_ROLE)
    assert isinstance(found, Event)
    return found


def place_of(window: MainWindow, row: int) -> QPoint:
    return window.features.reading.flags.list.visualRect(window.features.reading.flags.model.index(row)).center()


def labels(window: MainWindow) -> list[tuple[str, int, int]]:
    reading = window.session.reading
    assert reading is not None
    return [(label.name, label.span.start, label.span.stop) for label in reading.entries.labels]


def focused(window: MainWindow) -> object:
    return QApplication.focusWidget() or window


def test_keys_act_on_the_event_that_was_clicked(qtbot: QtBot, window: MainWindow) -> None:
    for button in (LEFT, RIGHT):
        window.workspace.go_to_frame(12)
        wait(qtbot, lambda: window.player.frame_index == 12)
        qtbot.mouseClick(window.features.reading.flags.list.viewport(), button, pos=place_of(window, 1))
        assert window.features.reading.flags.highlighted == event(window, 1)
        qtbot.keyClick(focused(window), Qt.Key.Key_Return)
        assert labels(window) == [("blood", 40, 42)], "also before its frame has come"
        wait(qtbot, lambda: window.player.frame_index == 40)
        qtbot.keyClick(focused(window), Qt.Key.Key_Backspace)
        assert labels(window) == []
        press(window, "undo")
        press(window, "undo")


def test_up_and_down_move_in_the_focused_list_and_show_what_they_highlight(qtbot: QtBot, window: MainWindow) -> None:
    flags, rate = window.features.reading.flags.list, window.player.playback.rate_fps
    qtbot.mouseClick(flags.viewport(), LEFT, pos=place_of(window, 0))
    wait(qtbot, lambda: window.player.frame_index == 12)
    qtbot.keyClick(flags, Qt.Key.Key_Down)
    wait(qtbot, lambda: window.player.frame_index == 40)
    assert window.features.reading.flags.highlighted == event(window, 1)
    qtbot.keyClick(flags, Qt.Key.Key_Up)
    assert window.features.reading.flags.highlighted == event(window, 0)
    wait(qtbot, lambda: window.player.frame_index == 12)
    assert window.features.reading.flags.highlighted == event(window, 0)
    assert window.player.playback.rate_fps == rate
    window.player.setFocus()
    qtbot.keyClick(window.player, Qt.Key.Key_Up)
    assert window.player.playback.rate_fps > rate, "on the frame they are faster and slower"


def test_of_two_events_on_one_frame_the_chosen_one_stays_highlighted(qtbot: QtBot, window: MainWindow) -> None:
    window.session.scores.set_threshold(0.1)  # every frame but one is flagged as both
    wait(qtbot, lambda: window.is_idle)
    reading = window.session.reading
    assert reading is not None
    weaker = min(reading.flags.events.at(12), key=lambda one: one.peak_score)
    row = window.features.reading.flags.model.row_of(weaker)
    qtbot.mouseClick(window.features.reading.flags.list.viewport(), LEFT, pos=place_of(window, row))
    wait(qtbot, lambda: window.is_idle)
    assert reading.event_here() == window.features.reading.flags.highlighted == weaker


def test_the_highlight_survives_a_move_of_the_threshold(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "next_event")
    wait(qtbot, lambda: window.player.frame_index == 12)
    window.session.scores.set_threshold(0.55)
    assert window.features.reading.flags.highlighted == event(window, 0)
    window.session.scores.set_threshold(0.99)
    assert window.features.reading.flags.highlighted is None


def test_a_click_on_a_study_gives_the_keys_to_its_frames(qtbot: QtBot, tmp_path: Path, window: MainWindow) -> None:
    assert window.session.reading is not None
    study = window.session.reading.study
    window.session.close_study()
    window.features.studies.panel._list.setFocus()
    window.features.studies.open_study(study)
    wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
    assert not window.features.studies.panel._list.hasFocus()


def test_keys_go_in_time_to_what_was_not_answered_and_start_over(qtbot: QtBot, window: MainWindow) -> None:
    counts, reading = window.features.reading.flags._total, window.session.reading
    assert reading is not None
    assert "2 not seen, 2 unanswered" in counts.text()
    for left in (1, 0):
        press(window, "next_unseen_event")
        wait(qtbot, lambda: f"{left} not seen" in counts.text())  # noqa: B023 - used at once
    assert reading.seen[[12, 40]].all()
    assert "0 not seen, 2 unanswered" in counts.text()
    press(window, "next_unseen_event")
    wait(qtbot, lambda: window.player.frame_index == 12)
    assert window.workspace.messages.text.startswith("From the beginning again: 2 of 2 flags not answered.")
    press(window, "reject_event")
    assert "0 not seen, 1 unanswered" in counts.text()
    press(window, "previous_unseen_event")
    wait(qtbot, lambda: window.player.frame_index == 40)
    press(window, "accept_event")
    press(window, "next_unseen_event")
    assert window.workspace.messages.text.startswith("Every flag has been answered.")
    assert window.player.frame_index == 40


def test_one_key_rejects_and_goes_on_and_takes_nothing_back(qtbot: QtBot, window: MainWindow) -> None:
    reading = window.workspace.reading
    press(window, "next_unseen_event")
    wait(qtbot, lambda: window.player.frame_index == 12)
    press(window, "reject_and_go_on")
    wait(qtbot, lambda: window.player.frame_index == 40)
    for _ in range(2):
        press(window, "reject_and_go_on")  # there is no further one
    assert [reading.answer(event) for event in reading.flags.listed] == ["rejected", "rejected"]


def test_a_click_on_the_timeline_explains_the_class_of_the_flag(qtbot: QtBot, window: MainWindow) -> None:
    session, overview = window.session, window.workspace.timeline.overview
    session.explain("polyp")
    row = overview.event_area().center().y()
    qtbot.mouseClick(overview, LEFT, pos=QPoint(round(overview.cursor_x(40)) + 2, row))
    wait(qtbot, lambda: window.player.frame_index == 40)
    assert session.explained == "blood"
    detail = window.workspace.timeline.detail
    qtbot.mouseClick(detail, LEFT, pos=QPoint(round(detail.cursor_x(11)), 30))
    wait(qtbot, lambda: window.player.frame_index == 11)
    assert session.explained == "polyp"
    window.workspace.timeline.frame_requested.emit(20)
    assert session.explained == "polyp", "a frame without a flag keeps the class"


def test_menus_offer_what_belongs_to_the_event_and_no_answer_without_a_flag(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[tuple[str, bool]] = []

    def popup(menu: QMenu, _: QPoint) -> None:
        offered[:] = [(action.text(), action.isEnabled()) for action in menu.actions()]

    monkeypatch.setattr(QMenu, "popup", popup)
    window.menus.show_context("frame", QPoint())
    assert offered[0] == ("Accept, reject: no flag on this frame", False)
    assert "Accept the suggestion" not in dict(offered)
    press(window, "next_event")
    wait(qtbot, lambda: window.player.frame_index == 12)
    window.menus.show_context("frame", QPoint())
    assert offered[0] == ("Accept the suggestion", True)
    window.features.reading.flags.list.customContextMenuRequested.emit(place_of(window, 1))
    assert {"Accept the suggestion", "Reject the suggestion", "New finding here"} <= set(dict(offered))
    offered.clear()
    window.features.reading.flags.list.customContextMenuRequested.emit(QPoint(5, 5000))
    assert offered == []


def test_going_to_a_frame_gives_an_example_and_the_limit_for_seen_frames_holds_at_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    monkeypatch.setattr(QInputDialog, "exec", lambda dialog: asked.append(dialog.labelText()))
    press(window, "go_to")
    assert asked == ["Frame (1 to 60) or time, such as 31 or 0:00:01"]
    window.session.settings.set("seen_up_to_fps", 30)
    window.session.settings_changed.emit()
    assert window.player.controller.playback.seen_up_to_fps == 30
