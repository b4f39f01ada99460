"""The reading desk shows a large picture and nothing that training needs; the research desk has everything."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import press, wait, window_on
from wce_desktop.session.actions import FOR_RESEARCH
from wce_desktop.shell.keys_dialog import FindActionDialog, search_texts
from wce_desktop.shell.main_window import MainWindow

TITLE_PX = 20
"""Of a window's title bar."""


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """On the reading desk, with a study open."""
    session = make_session(tmp_path)
    session.settings.set("desk", "reading")
    with window_on(qtbot, session, add_study(session, tmp_path)) as window:
        yield window


def place(widget: QWidget, window: MainWindow) -> QRect:
    """Where a widget is in the window."""
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


@pytest.mark.parametrize(("width", "height", "frame_px"), [(1280, 800, 700), (1920, 1080, 900), (960, 540, 400)])
def test_the_frame_view_has_the_height_of_the_window(
    qtbot: QtBot, window: MainWindow, width: int, height: int, frame_px: int
) -> None:
    window.resize(width, height - TITLE_PX)
    view, overview = window.player.frame_view, window.workspace.timeline.overview
    wait(qtbot, lambda: min(view.width(), view.height()) >= frame_px)
    for action_id in ("landmark_stomach", "new_finding"):
        press(window, action_id)
    wait(qtbot, lambda: not overview.picture_area().isEmpty() and not overview.region_area().isEmpty())
    assert min(view.width(), view.height()) >= frame_px, "with landmarks and their pictures"
    press(window, "go_on_reading")
    assert min(view.width(), view.height()) >= frame_px, "while frames are counted down"
    for button in window.findChildren(QToolButton) + window.features.reading.label_bar.findChildren(QPushButton):
        if button.isVisible():
            assert window.rect().contains(place(button, window)), button.accessibleName()


def test_nothing_that_training_needs_is_on_the_reading_desk(qtbot: QtBot, window: MainWindow) -> None:
    flags, actions = window.features.reading.flags, window.menus.actions
    for_research = (flags.for_research, window.features.learning.panel, window.workspace.timeline.detail)
    assert not any(widget.isVisible() for widget in for_research)
    assert not any(actions[action_id].isVisible() for action_id in FOR_RESEARCH)
    press(window, "toggle_left")
    assert window.left.isVisible()
    assert not window.features.learning.panel.isVisible()


def test_a_key_of_the_research_desk_says_where_it_does_something(qtbot: QtBot, window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert "This is on the research desk. Ctrl+F12 switches." in window.banner._text.text()
    press(window, "research_desk")
    QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert window.features.models.dialog.isVisible()


def test_no_desk_has_an_empty_menu(qtbot: QtBot, window: MainWindow) -> None:
    for _ in range(2):
        menus = [menu for menu in window.menuBar().findChildren(QMenu) if menu.menuAction().isVisible()]
        assert [menu.title() for menu in menus if not any(row.isVisible() for row in menu.actions())] == []
        has_threshold = "Threshold" in {menu.title().replace("&", "") for menu in menus}
        assert has_threshold == window.menus.actions["research_desk"].isChecked()
        press(window, "research_desk")


def test_the_desk_is_switched_and_remembered(qtbot: QtBot, window: MainWindow) -> None:
    transport, settings = window.player.transport, window.session.settings
    assert transport.height() > transport.width()
    press(window, "research_desk")
    assert settings["desk"] == "research"
    assert window.menus.actions["research_desk"].isChecked()
    assert all(window.menus.actions[action_id].isVisible() for action_id in FOR_RESEARCH)
    wait(qtbot, lambda: transport.width() > transport.height() and window.workspace.timeline.detail.isVisible())
    assert place(transport, window).top() >= place(window.player.frame_view, window).bottom()
    press(window, "research_desk")
    assert settings["desk"] == "reading"
    wait(qtbot, lambda: transport.height() > transport.width())
    assert place(transport, window).right() <= place(window.player.frame_view, window).left()


def test_the_detail_of_the_timeline_keeps_its_height(window: MainWindow) -> None:
    window.resize(1280, 800 - TITLE_PX)
    press(window, "research_desk")
    timeline = window.workspace.timeline
    height = timeline.detail.height()
    for room_px in (0, window.height()):
        timeline.overview.fit(room_px)
        QApplication.processEvents()
        assert timeline.detail.height() == height, "with pictures above the overview, and without"


def test_a_narrow_window_shows_the_side_panel_that_was_asked_for_last(window: MainWindow) -> None:
    window.resize(700, 600)
    press(window, "research_desk")
    for asked_for, panel, other in (
        ("toggle_left", window.left, window.right),
        ("toggle_right", window.right, window.left),
    ):
        panel.hide()
        press(window, asked_for)
        QApplication.processEvents()
        assert panel.isVisible()
        assert not other.isVisible()
    window.resize(1280, 760)
    QApplication.processEvents()
    assert window.left.isVisible()
    assert window.right.isVisible()


def test_messages_stand_beside_the_menus(qtbot: QtBot, window: MainWindow) -> None:
    before = window.menuBar().height()
    window.show_error("The disk is full.", "Free some space.")
    wait(qtbot, window.banner.isVisible)
    assert place(window.banner, window).bottom() <= place(window.player, window).top()
    assert window.menuBar().height() == before


def test_labels_have_names_where_there_is_room_and_the_frame_is_as_wide(qtbot: QtBot, window: MainWindow) -> None:
    bar, reading = window.features.reading.label_bar, window.session.reading
    assert reading is not None
    button = bar._buttons["blood"]
    assert (button.text(), button.accessibleName()) == ("4 Blood", "Blood")
    width = bar.width()
    window.resize(1280, bar.mapTo(window, bar.rect().bottomLeft()).y() - 40)
    wait(qtbot, lambda: button.text() == "4")
    assert bar.width() == width
    window.resize(1280, 800)
    wait(qtbot, lambda: button.text() == "4 Blood")
    assert "Blood" in button.toolTip() or "blood" in button.toolTip()
    button.click()
    assert [label.name for label in reading.labels_here()] == ["blood"]


def test_the_reading_mode_keeps_the_column_of_buttons(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "only_frame")
    assert not window.right.isVisible()
    assert window.player.transport.isVisible()
    press(window, "only_frame")
    assert window.right.isVisible()
    assert not window.left.isVisible()


def test_one_key_goes_to_the_next_frames_that_nobody_saw(qtbot: QtBot, window: MainWindow) -> None:
    reading = window.session.reading
    assert reading is not None
    reading.seen[:] = True
    reading.seen[30:33] = reading.seen[45:] = False
    for frame in (30, 45):
        press(window, "next_unread")
        wait(qtbot, lambda frame=frame: window.player.frame_index == frame)  # type: ignore[misc]
    reading.seen[:] = True
    press(window, "next_unread")
    assert window.banner.text == "Nothing of the study is left to read: 100 % seen."


def test_the_search_for_actions_offers_what_the_desk_has(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[set[str]] = []

    def note(dialog: FindActionDialog) -> int:
        listed.append({dialog._list.item(row).text().partition("    ")[0] for row in range(dialog._list.count())})
        return 0

    monkeypatch.setattr(FindActionDialog, "exec", note)
    for_research = {window.menus.titles[action_id] for action_id in FOR_RESEARCH}
    press(window, "find_action")
    press(window, "research_desk")
    press(window, "find_action")
    at_reading, at_research = listed
    assert "Research desk" in at_reading
    assert not for_research & at_reading
    assert for_research <= at_research


@pytest.mark.parametrize(
    ("query", "action_id"),
    [
        ("delete", "remove_study"),
        ("ai", "choose_model"),
        ("pdf", "show_report"),
        ("second reading", "compare_readings"),
    ],
)
def test_actions_are_found_by_other_words(window: MainWindow, query: str, action_id: str) -> None:
    words = search_texts(window.menus.rows, window.menus.titles)
    dialog = FindActionDialog([(action, words[key]) for key, action in window.menus.actions.items()], window)
    dialog._query.setText(query)
    rows = [dialog._list.item(row) for row in range(dialog._list.count())]
    assert window.menus.actions[action_id] in [row.data(Qt.ItemDataRole.UserRole) for row in rows]
    dialog._query.setText("xyzzy")
    assert dialog._list.count() == 1
    assert "Nothing matches" in dialog._list.item(0).text()
    dialog._choose()
    assert dialog.chosen is None
    dialog.deleteLater()
