"""Windows on small screens: nothing is cut off, and where the main window stood is remembered."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.window_size import FRAME_PX, fit_to_screen, keep_place, show_in_place

SMALLEST = (948, 500)
"""What 1920 x 1080 at a scale of 2 leaves beside the system's bars."""


def parts(window: MainWindow) -> dict[str, QWidget]:
    named: dict[str, QWidget] = {"right": window.right, "player": window.player, "timeline": window.workspace.timeline}
    panels = [panel for feature in window.features for panel in feature.panels if panel.place != "right"]
    assert len(panels) >= 5
    named |= {f"panel {type(panel.widget).__name__}": panel.widget for panel in panels if panel.widget.isVisible()}
    buttons = {f"key {name}": button for name, button in window.features.reading.label_bar._buttons.items()}
    transport = {
        f"transport {name}": button
        for name, button in window.player.transport.buttons.items()
        if button.isVisible()  # what is in a menu and has a key gives way
    }
    return named | buttons | transport


def cut_off(window: MainWindow) -> list[str]:
    """The parts that are not wholly inside the window, or smaller than they have to be."""
    inside = QRect(QPoint(0, 0), window.size())
    return [
        name
        for name, widget in parts(window).items()
        if not inside.contains(QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()))
        or widget.size().expandedTo(widget.minimumSizeHint()) != widget.size()
    ]


def page_of(window: MainWindow) -> QWidget:
    """What fills the window, and scrolls where it is too small."""
    area = window.centralWidget()
    assert isinstance(area, QScrollArea)
    page = area.widget()
    assert page is not None
    return page


def test_no_panel_is_cut_off_in_a_small_window(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        for size in ((1268, 760), (1012, 660), SMALLEST):
            window.resize(*size)
            press(window, "next_event")
            wait(qtbot, lambda: window.is_idle)
            assert window.size().toTuple() == size, "the panels do not hold the window open"
            wait(qtbot, lambda: cut_off(window) == [])  # texts that change are laid out a moment later
            page = page_of(window)
            lowest = page.minimumSizeHint()
            assert lowest.width() <= SMALLEST[0]
            assert lowest.height() + window.menuBar().height() <= SMALLEST[1]


def too_wide(window: MainWindow) -> list[str]:
    """Visible widgets of the tab on top that reach beyond the right edge of the tabs."""
    panel = window.right.currentWidget()
    assert panel is not None
    children = [child for child in panel.findChildren(QWidget) if child.isVisible()]
    return [
        f"{type(child).__name__} {child.accessibleName()}"
        for child in children
        if child.mapTo(window.right, QPoint(child.width(), 0)).x() > window.right.width()
    ]


@pytest.mark.parametrize("size", [SMALLEST, (1268, 760)])
def test_no_tab_is_wider_than_its_place(qtbot: QtBot, tmp_path: Path, size: tuple[int, int]) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.resize(*size)
        press(window, "next_event")
        wait(qtbot, lambda: window.is_idle)
        for tab in range(window.right.count()):
            window.right.setCurrentIndex(tab)
            wait(qtbot, lambda: too_wide(window) == [])  # texts are laid out a moment later
            assert too_wide(window) == []


def test_a_window_too_narrow_for_its_panels_begins_without_them(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        window.hide()
        window.resize(800, 480)
        window.show()
        page = page_of(window)
        wait(qtbot, lambda: page.minimumSizeHint().width() <= window.width())
        assert window.left.isHidden()
        assert not window.right.isHidden()
        assert not window.menus.actions["toggle_left"].isChecked()
        press(window, "toggle_left")
        assert not window.left.isHidden()


def test_other_windows_need_no_more_than_a_small_screen(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        for action_id in ("finetune", "train", "choose_model", "show_jobs", "show_map", "show_evolution"):
            press(window, action_id)
        for other in QApplication.topLevelWidgets():
            if other.isVisible() and other.isWindow():
                assert other.minimumSize().boundedTo(QSize(*SMALLEST)) == other.minimumSize(), other


def test_a_window_as_high_as_the_screen_has_its_title_bar_on_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    room = window.screen().availableGeometry()
    for size in ((500, room.height()), (room.width() + 400, room.height() + 400), (300, 200)):
        fit_to_screen(window, *size)
        assert room.contains(QRect(window.pos(), window.size()))
        assert window.height() <= room.height() - FRAME_PX[1]
    assert abs(window.geometry().center().x() - room.center().x()) <= FRAME_PX[0]


def test_the_window_comes_back_where_it_was(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    show_in_place(window, tmp_path)
    room = window.screen().availableGeometry()
    window.showNormal()
    window.setGeometry(room.x() + 30, room.y() + 60, 500, 400)
    keep_place(window, tmp_path)
    again = QWidget()
    qtbot.addWidget(again)
    show_in_place(again, tmp_path)
    assert again.geometry() == QRect(room.x() + 30, room.y() + 60, 500, 400)


def test_a_library_that_cannot_be_written_keeps_no_place_and_says_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    keep_place(window, tmp_path / "missing")
    assert not (tmp_path / "missing").exists()


def test_a_window_is_never_larger_than_its_screen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    room = window.screen().availableGeometry()
    fit_to_screen(window, 10_000, 10_000)
    assert window.size().boundedTo(room.size()) == window.size()


@pytest.mark.parametrize("grows_later", [False, True])
def test_what_needs_more_than_the_screen_scrolls(qtbot: QtBot, grows_later: bool) -> None:
    dialog, large = QDialog(), QLabel("large")
    qtbot.addWidget(dialog)
    QVBoxLayout(dialog).addWidget(large)
    fit_to_screen(dialog, 300, 200)
    room = dialog.screen().availableGeometry()
    if grows_later:
        dialog.show()
        qtbot.waitExposed(dialog)
        assert dialog.findChild(QScrollArea) is None, "there is room"
    large.setMinimumSize(room.width() + 100, 40)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.findChild(QScrollArea) is not None)
    qtbot.waitUntil(lambda: room.contains(dialog.frameGeometry()))
    assert large.width() > room.width()
    qtbot.waitUntil(large.isVisible)
