"""Each control of each window has a name and a place in the focus order; painted widgets say their value."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.controls import jumps_back, unnamed, unreachable
from tests.wce_desktop.windows import main_window, press
from wce_desktop.session.actions import ACTIONS
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.player.frame_view import FrameView

LEFT_OUT = {
    "quit", "open_demo", "finish_reading", "score_study", "score_all", "cross_validate", "only_frame", "open_files",
    "open_folder", "locate_study", "import_reading", "export_reading", "add_model", "export_model", "find_like_image",
    "export_coco",
}  # fmt: skip
"""They close or change the window, start a job, or open no dialog but that of the system for files."""


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with main_window(qtbot, tmp_path) as shown:
        yield shown


def windows() -> list[QWidget]:
    """The windows on screen."""
    tops = [one for one in QApplication.topLevelWidgets() if one.isVisible() and not isinstance(one, QMenu)]
    return [one for one in tops if isinstance(one, (QDialog, QMainWindow)) or one.windowTitle()]


def problems(shown: QWidget) -> list[str]:
    """What is wrong with a window, each with what it is."""
    title = shown.windowTitle() or type(shown).__name__
    return [
        *(f"{title}: no name: {one}" for one in unnamed(shown)),
        *(f"{title}: not reached: {one}" for one in unreachable(shown)),
        *(f"{title}: jumps back: {one}" for one in jumps_back(shown)),
    ]


def visit_windows(window: MainWindow, visit: Callable[[QWidget], object]) -> None:
    """Open every window and dialog that an action opens, visit it and close it."""

    def look() -> None:
        """Visit what stands in the way of the main window, and close it."""
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            if not isinstance(dialog, QMessageBox):
                visit(dialog)
            dialog.reject() if isinstance(dialog, QDialog) else dialog.close()

    timer = QTimer(window, interval=5)
    timer.timeout.connect(look)
    timer.start()
    for row in ACTIONS:
        action = window.menus.actions[row.action_id]
        opens = row.title.endswith("…") or row.action_id.startswith("show_") or row.action_id == "find_action"
        if opens and action.isEnabled() and row.action_id not in LEFT_OUT:
            action.trigger()
            for one in windows():
                if one is not window:
                    visit(one)
                    one.close()
    timer.stop()


def test_every_window_can_be_used_without_mouse_and_screen(qtbot: QtBot, window: MainWindow) -> None:
    found: dict[str, list[str]] = {"main": problems(window)}
    visit_windows(window, lambda one: found.setdefault(one.windowTitle(), problems(one)))
    assert [line for lines in found.values() for line in lines] == []
    assert {"Settings", "All keys", "Find an action", "Report – study", "Map", "Train", "Audit log"} <= set(found)


def test_painted_widgets_say_their_value(qtbot: QtBot, window: MainWindow) -> None:
    timeline, view = window.workspace.timeline, window.player.findChild(FrameView)
    assert view is not None
    spoken = {
        name: QAccessible.queryAccessibleInterface(widget)
        for name, widget in (("timeline", timeline), ("detail", timeline.detail), ("frame", view))
    }
    before = spoken["timeline"].text(QAccessible.Text.Value)
    assert before.startswith("frame 1 of ")
    press(window, "step_forward")
    qtbot.waitUntil(lambda: spoken["timeline"].text(QAccessible.Text.Value).startswith("frame 2 of "))
    assert "seen" in spoken["detail"].text(QAccessible.Text.Value)
    assert spoken["frame"].text(QAccessible.Text.Value).startswith("frame 2")
    assert spoken["detail"].role() == QAccessible.Role.Slider
    assert spoken["timeline"].text(QAccessible.Text.Name) == "Timeline"
