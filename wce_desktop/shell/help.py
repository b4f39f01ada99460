"""The Help menu: keys, finding an action, settings, the log, about."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from wce_desktop.session.places import log_file
from wce_desktop.shell.find_action import FindActionDialog
from wce_desktop.shell.keys_dialog import KeysDialog
from wce_desktop.shell.settings_dialog import SettingsDialog
from wce_desktop.widgets.plain_text import plain

if TYPE_CHECKING:
    from wce_desktop.shell.main_window import MainWindow

ABOUT = (
    "<h3>wce_desktop</h3><p>Reads capsule endoscopy studies and teaches the model behind them.</p>"
    "<p><b>Research use only, not for diagnosis.</b></p>"
    "<p>The demo study and the demo model are synthetic: no patient's picture is in them.</p>"
)


class HelpController(QObject):
    """What explains the window itself."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window

    def show_keys(self) -> None:
        """Every key on a page."""
        KeysDialog(self._window.menus.titles, self._window).exec()

    def find_action(self) -> None:
        """Find an action by name and run it."""
        actions = [action for action_id, action in self._window.menus.actions.items() if action_id != "find_action"]
        dialog = FindActionDialog(actions, self._window)
        if dialog.exec() and dialog.chosen is not None:
            dialog.chosen.trigger()

    def show_messages(self) -> None:
        """All that was told since the window opened."""
        self._window.messages.open()

    def show_settings(self) -> None:
        """Change settings."""
        SettingsDialog(self._window.session.settings, self._window).exec()

    def show_log(self) -> None:
        """Where errors leave their trace."""
        QMessageBox.information(self._window, "Log", plain(f"Errors leave their trace in\n{log_file()}"))

    def about(self) -> None:
        """What this is and what it is not for."""
        QMessageBox.about(self._window, "About wce_desktop", ABOUT)
