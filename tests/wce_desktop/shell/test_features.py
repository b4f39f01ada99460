"""A feature that is made here: its panel, its key, its messages, and its end, without a change to the window."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import wait
from wce_desktop.session.actions import Action
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.workspace import Feature, Panel, Workspace


class FrameCounter(Feature):
    """Says on a panel of its own how many frames were looked at."""

    rows = (Action("tell_count", "View", "Tell the count", "Ctrl+Alt+Shift+F", "Say how many frames came.", "study"),)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        self.label = QLabel("0")
        self.panels = (Panel(self.label, "right", "COUNTER", order=9),)
        self.count, self.is_closed = 0, False
        workspace.session.frame_changed.connect(self._frame_changed)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        return {"tell_count": lambda: self._workspace.show_message(f"{self.count} frames")}

    def _frame_changed(self, _: int) -> None:
        self.count += 1
        self.label.setText(str(self.count))

    def close(self) -> None:
        self._workspace.session.frame_changed.disconnect(self._frame_changed)
        self.is_closed = True


def test_a_feature_comes_with_its_panel_and_its_action(qtbot: QtBot, tmp_path: Path) -> None:
    made: list[FrameCounter] = []

    def make(workspace: Workspace) -> Feature:
        made.append(FrameCounter(workspace))
        return made[0]

    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    window = MainWindow(session, further=[make])
    window.show()
    action = window.menus.actions["tell_count"]
    assert not action.isEnabled()
    window.workspace.open_study(study)
    wait(qtbot, lambda: session.reading is not None and window.is_idle)
    window.workspace.show_panel("COUNTER")
    assert made[0].label.isVisible()
    window.workspace.go_to_frame(12)
    wait(qtbot, lambda: window.player.frame_index == 12)
    assert made[0].label.text() == str(made[0].count) != "0"
    action.trigger()
    assert window.banner.text == f"{made[0].count} frames"
    window.close()
    assert made[0].is_closed
    window.deleteLater()
