"""The real window by the mouse: context menus, the wheel, buttons of suggestions, panels that give way."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.sessions import make_session
from tests.wce_desktop.windows import answer_input, main_window, press, wait, window_on
from training.video import build_index
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span
from wce_desktop.features.reading.event_model import EVENT_ROLE
from wce_desktop.features.reading.event_painting import answer_buttons
from wce_desktop.features.reading.removal_question import RemovalQuestion
from wce_desktop.session.actions import CONTEXTS
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.player import annotation_painter as annotate

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """On frame 0, with a polyp at frames 10 to 13 and blood at 40 and 41."""
    with main_window(qtbot, tmp_path) as made:
        yield made


@pytest.fixture
def menus(monkeypatch: pytest.MonkeyPatch) -> list[QMenu]:
    """The menus that were opened, which are not shown: each would take the mouse."""
    opened: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: opened.append(menu))
    return opened


def entries(menu: QMenu) -> list[QAction]:
    """The actions of a menu and of its submenus, in order."""
    found: list[QAction] = []
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            found += entries(below)
        elif not action.isSeparator():
            found.append(action)
    return found


def right_click(widget: QWidget, at: QPoint) -> None:
    """What the system sends for a right click."""
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(widget, QContextMenuEvent(reason, at, widget.mapToGlobal(at)))


def offered(window: MainWindow, context: str) -> list[QAction]:
    """The window's own actions that the table names for a thing, in groups of the table's order."""
    return [window.menus.actions[action_id] for action_id in CONTEXTS[context]]


def same(menu: QMenu, actions: list[QAction]) -> bool:
    """Whether a menu holds exactly these actions: the same objects, so the same names, keys and state."""
    return {id(action) for action in entries(menu)} == {id(action) for action in actions}


def labels(window: MainWindow) -> list[tuple[str, int, int]]:
    reading = window.session.reading
    assert reading is not None
    return [(label.name, label.span.start, label.span.stop) for label in reading.entries.labels]


def turn_wheel(window: MainWindow, notches: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    view = window.player.frame_view
    at = QPointF(view.rect().center())
    QApplication.sendEvent(
        view,
        QWheelEvent(
            at, view.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, keys,
            Qt.ScrollPhase.NoScrollPhase, False,
        ),
    )  # fmt: skip


def test_the_frame_has_a_menu_of_the_window_s_own_actions(qtbot: QtBot, window: MainWindow, menus: list[QMenu]) -> None:
    view = window.player.frame_view
    press(window, "next_event")
    wait(qtbot, lambda: window.player.frame_index == 12)
    right_click(view, view.rect().center())
    assert same(menus[0], offered(window, "frame"))
    undo = next(action for action in entries(menus[0]) if action.text().startswith("Undo"))
    assert not undo.isEnabled()
    next(action for action in entries(menus[0]) if action.text() == "Label “Blood”").trigger()
    assert labels(window) == [("blood", 12, 13)]
    assert undo.isEnabled()
    assert undo.text() == "Undo: blood labelled on 1 frame"
    shown = [action.text() for action in menus[0].actions() if not action.isSeparator()]
    assert len(shown) <= 20, "labels, span and landmarks are submenus"
    assert {"Labels", "Span", "Landmarks"} <= set(shown)


def test_the_menu_key_opens_the_menu_of_the_frame_and_without_a_study_there_is_none(
    window: MainWindow, menus: list[QMenu]
) -> None:
    player = window.player
    key = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(player, QContextMenuEvent(key, QPoint(0, 0), player.mapToGlobal(QPoint(0, 0))))
    assert len(menus) == 1
    window.features.studies.leave()
    right_click(player, player.rect().center())
    assert len(menus) == 1


def test_a_flag_has_its_menu_and_two_buttons(qtbot: QtBot, window: MainWindow, menus: list[QMenu]) -> None:
    flags = window.features.reading.flags
    row = flags.list.visualRect(flags.model.index(1))
    flags.list.customContextMenuRequested.emit(row.center())
    assert same(menus[0], offered(window, "flag"))
    accept, reject = answer_buttons(row)
    qtbot.mouseClick(flags.list.viewport(), LEFT, pos=accept.center())
    assert labels(window) == [("blood", 40, 42)]
    assert window.player.frame_index == 0, "a button answers and goes nowhere"
    qtbot.mouseClick(flags.list.viewport(), LEFT, pos=reject.center())
    assert labels(window) == []
    assert window.session.reading is not None
    assert [(label.name, label.span) for label in window.session.reading.entries.labels.negatives] == [
        ("blood", Span(40, 42))
    ]
    press(window, "undo")
    qtbot.mousePress(flags.list.viewport(), LEFT, pos=accept.center())
    qtbot.mouseRelease(flags.list.viewport(), LEFT, pos=reject.center())
    assert labels(window) == [("blood", 40, 42)], "released elsewhere"


def test_a_suggestion_is_accepted_on_the_frame(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "next_event")
    wait(qtbot, lambda: window.player.frame_index == 12 and window.is_idle)
    view = window.player.frame_view
    chips = view.notes(view.frames[0].frame_index).chips
    assert [chip.title for chip in chips] == ["Polyp? 4 frames, 0:00:00 to 0:00:00"]
    accept, _ = annotate.answer_buttons(annotate.chip_plates(chips, view.frame_rects()[0])[0])
    qtbot.mouseClick(view, LEFT, pos=accept.center().toPoint())
    assert labels(window) == [("polyp", 10, 14)]
    assert [chip.title for chip in view.notes(view.frames[0].frame_index).chips] == ["Polyp"]


def test_the_timeline_offers_what_belongs_to_the_event_or_the_frame_under_the_pointer(
    qtbot: QtBot, window: MainWindow, menus: list[QMenu]
) -> None:
    detail = window.workspace.timeline.detail
    at = QPoint(round(detail.cursor_x(41)), detail.score_area().center().y())
    right_click(detail, at)
    wait(qtbot, lambda: window.player.frame_index == 40)
    assert same(menus[0], offered(window, "event"))
    assert window.features.reading.flags.highlighted == event(window, 1)
    right_click(detail, QPoint(round(detail.cursor_x(25)), at.y()))
    wait(qtbot, lambda: window.player.frame_index == 25)
    assert same(menus[1], offered(window, "timeline"))
    next(action for action in entries(menus[1]) if action.text() == "Colon starts here").trigger()
    assert window.session.reading is not None
    assert [mark.frame_index for mark in window.session.reading.entries.landmarks] == [25]
    right_click(detail, QPoint(3, 20))
    assert len(menus) == 2, "beside the lane there is nothing"
    overview = window.workspace.timeline.overview
    right_click(overview, QPoint(round(overview.cursor_x(12)), 8))
    assert same(menus[2], offered(window, "event"))


def event(window: MainWindow, row: int) -> Event:
    found = window.features.reading.flags.model.index(row).data(EVENT_ROLE)
    assert isinstance(found, Event)
    return found


def test_a_finding_is_commented_and_removed_by_its_menu(qtbot: QtBot, window: MainWindow, menus: list[QMenu]) -> None:
    press(window, "new_finding")
    findings, reading = window.features.reading.findings, window.session.reading
    assert reading is not None
    assert len(reading.entries.findings) == 1
    window.player.setFocus()
    item = findings._list.item(0)
    findings._list.customContextMenuRequested.emit(findings._list.visualItemRect(item).center())
    assert same(menus[0], offered(window, "finding"))
    comment, remove = (window.menus.actions[name] for name in ("comment_finding", "remove_finding"))
    comment.trigger()
    wait(qtbot, lambda: findings._comment.hasFocus())
    remove.trigger()
    (question,) = window.findChildren(RemovalQuestion)
    qtbot.keyClick(question, Qt.Key.Key_Return)
    assert reading.entries.findings == []
    assert not remove.isEnabled()
    findings._list.customContextMenuRequested.emit(QPoint(5, 500))
    assert len(menus) == 1


def test_a_new_finding_leaves_the_tabs_as_they_are(qtbot: QtBot, window: MainWindow) -> None:
    window.player.setFocus()
    press(window, "show_flags")
    qtbot.keyClick(window, Qt.Key.Key_M)
    assert window.features.reading.flags.isVisible()
    comment = window.features.reading.describing.card.form.comment
    comment.setFocus()
    qtbot.keyClicks(comment, "bleeding")
    qtbot.mouseClick(window.player.frame_view, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert window.player.hasFocus()
    assert [finding.comment for finding in window.workspace.reading.entries.findings] == ["bleeding"]
    qtbot.keyClick(window.player, Qt.Key.Key_Escape)
    assert window.features.reading.describing.card.isHidden()
    assert [finding.comment for finding in window.workspace.reading.entries.findings] == ["bleeding"]


def test_a_study_of_the_list_is_opened_and_renamed_by_its_menu(
    qtbot: QtBot, tmp_path: Path, window: MainWindow, menus: list[QMenu], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_video(tmp_path / "other.mp4", 30)
    other = window.session.add_study(path, build_index(path))
    panel = window.features.studies.panel

    def ask(row: int) -> None:
        panel._list.customContextMenuRequested.emit(panel._list.visualItemRect(panel._list.item(row)).center())

    ask(0)
    assert same(menus[0], offered(window, "study"))
    ask(1)
    assert same(menus[1], offered(window, "other study"))
    answer_input(monkeypatch, lambda dialog: f" Second   {dialog.textValue()} ")
    press(window, "rename_study")
    assert window.session.library.studies.get(other.study_id).name == "Second other"
    assert panel._list.item(1).text() == "Second other"
    press(window, "open_highlighted")
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.study.name == "Second other")


def test_the_wheel_over_the_frame_steps(qtbot: QtBot, window: MainWindow) -> None:
    turn_wheel(window, -3)
    wait(qtbot, lambda: window.player.frame_index == 3)
    turn_wheel(window, 1)
    wait(qtbot, lambda: window.player.frame_index == 2)
    turn_wheel(window, -1, Qt.KeyboardModifier.ShiftModifier)
    wait(qtbot, lambda: window.player.frame_index == 12)
    turn_wheel(window, 2, Qt.KeyboardModifier.ControlModifier)
    assert window.player.frame_view.zoom.factor > 1
    assert window.player.frame_index == 12


def test_playing_flagged_frames_only_shows_its_state(qtbot: QtBot, window: MainWindow) -> None:
    transport = window.player.transport
    qtbot.mouseClick(transport.buttons["play_flagged"], LEFT)
    assert window.menus.actions["play_flagged"].isChecked()
    assert transport.buttons["play_flagged"].isChecked()
    assert transport.flagged_label.text()
    assert "F plays all frames" in window.banner.text
    qtbot.keyClick(window, Qt.Key.Key_F)
    assert not transport.buttons["play_flagged"].isChecked()
    assert not transport.flagged_label.text()


def test_the_reading_mode_leaves_frame_buttons_labels_and_timeline(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_A)  # a strip below the frame
    wait(qtbot, lambda: window.is_idle)
    before = window.player.frame_view.height()
    strip = window.features.neighbours.neighbours.strip
    assert strip.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F11)
    wait(qtbot, lambda: window.player.frame_view.height() > before)
    hidden = (window.left, window.right, window.menuBar(), strip)
    assert not any(widget.isVisible() for widget in hidden)
    bar, timeline = window.features.reading.label_bar, window.workspace.timeline
    assert all(widget.isVisible() for widget in (window.player.transport, bar, timeline))
    disclaimer = window.findChild(QWidget, "disclaimer")
    assert disclaimer is not None
    assert disclaimer.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_4)
    assert labels(window) == [("blood", 0, 1)], "keys work without the menu bar"
    window.show_error("The disk is full.")
    assert window.banner.isVisible(), "messages stay in sight"
    window.resize(1280, 800)  # the offscreen screen is narrower
    wait(qtbot, lambda: window.banner._text.width() >= 100)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.left.isVisible(), "Escape closed the message"
    qtbot.keyClick(window, Qt.Key.Key_I)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.left.isVisible(), "Escape cleared the span"
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert all(widget.isVisible() for widget in hidden)
    wait(qtbot, lambda: window.player.frame_view.height() == before)
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.keyClick(window, Qt.Key.Key_F3)
    assert window.features.reading.findings.isVisible(), "what is asked for is shown"
    assert window.menuBar().isVisible()
    assert not window.menus.actions["only_frame"].isChecked()


def test_a_strip_that_is_asked_for_shows_in_the_reading_mode(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.keyClick(window, Qt.Key.Key_A)
    wait(qtbot, lambda: window.features.neighbours.neighbours.strip.isVisible())
    assert not window.left.isVisible()


def test_a_window_closed_in_the_reading_mode_opens_with_its_panels(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "only_frame")
        window.close()
        assert not window.left.isHidden()
        assert not window.isFullScreen()


def test_panels_fold_by_the_bars_at_the_edges_and_stay_folded(qtbot: QtBot, window: MainWindow) -> None:
    handles = window._side_panels._page.handles
    width = window.player.width()
    qtbot.mouseClick(handles[0], LEFT)
    assert window.left.isHidden()
    assert window.session.settings["show_left"] is False
    assert not window.menus.actions["toggle_left"].isChecked()
    wait(qtbot, lambda: window.player.width() > width)
    qtbot.mouseClick(handles[0], LEFT)
    assert not window.left.isHidden()
    assert window.session.settings["show_left"] is True


def test_a_folded_panel_is_folded_the_next_time(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    session.settings.set("show_left", False)
    with window_on(qtbot, session, None) as window:
        assert window.left.isHidden()
        assert not window.right.isHidden()
        assert not window.menus.actions["toggle_left"].isChecked()


def test_the_start_page_offers_to_continue_the_last_reading(qtbot: QtBot, window: MainWindow) -> None:
    page = window.player.empty_state
    window.features.reading.go_to_frame(30)
    wait(qtbot, lambda: window.player.frame_index == 30)
    window.features.studies.leave()
    assert page.last.isVisible()
    assert page.last.text() == "Continue reading study"
    qtbot.mouseClick(page.last, LEFT)
    wait(qtbot, lambda: window.session.reading is not None and window.player.frame_index == 30)
    window.features.studies.leave()
    press(window, "continue_reading")
    wait(qtbot, lambda: window.session.reading is not None)


def test_without_a_reading_there_is_nothing_to_continue(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        assert not window.player.empty_state.last.isVisible()
        assert not window.menus.actions["continue_reading"].isEnabled()
        window.guard(window.features.studies.continue_reading)()
        assert "No study has been read yet." in window.banner.text


def test_the_start_page_shows_less_in_a_low_window(qtbot: QtBot, window: MainWindow) -> None:
    window.features.studies.leave()
    page = window.player.empty_state
    page.setParent(None)
    qtbot.addWidget(page)
    page.show()
    for height, has_picture in ((430, True), (240, False), (150, False)):
        page.resize(420, height)
        wait(qtbot, lambda: page.picture.isVisible() == has_picture)  # noqa: B023 - called at once
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        shown = [one for one in (page.picture, page.title, page.hint, page.last, page.open_button) if one.isVisible()]
        areas = [widget.geometry() for widget in shown]
        assert all(page.rect().adjusted(6, 6, -6, -6).contains(area) for area in areas)
        assert not any(one.intersects(other) for at, one in enumerate(areas) for other in areas[:at])
