"""The Help menu: keys, finding an action, settings, the log, about."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QMessageBox

from training.version import version
from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.places import log_file
from wce_desktop.session.session import Session
from wce_desktop.shell.about import AboutDialog
from wce_desktop.shell.keys_dialog import FindActionDialog, KeysDialog
from wce_desktop.shell.logs.diagnostics import write_diagnostics
from wce_desktop.shell.menus import Menus
from wce_desktop.shell.preferences.appearance import show_theme
from wce_desktop.shell.settings_dialog import SettingsDialog
from wce_desktop.widgets.banner import MessagesDialog
from wce_desktop.widgets.plain_text import MessageBox, plain
from wce_desktop.workspace import Workspace, methods

_ACTIONS = (
    "show_keys", "find_action", "show_messages", "show_settings", "show_log", "save_diagnostics", "show_updates",
    "about",
)  # fmt: skip
CRASHED = to_translate(
    "The program ended unexpectedly the last time. What was labelled is saved.\n\nDiagnostics are one text file "
    "without patient data (versions, settings, the last jobs, the log) that helps to find the cause."
)


class Help(QObject):
    """The actions of the Help menu."""

    def __init__(self, window: QMainWindow, session: Session, messages: MessagesDialog, workspace: Workspace) -> None:
        super().__init__(window)
        self._window, self._session, self._messages = window, session, messages
        self._workspace = workspace
        self.menus: Menus

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return methods(self, _ACTIONS)

    def show_keys(self) -> None:
        """Every key on a page."""
        KeysDialog(self.menus.rows, self.menus.titles, self._window).exec()

    def find_action(self) -> None:
        """Find an action by name and run it."""
        actions = [action for action_id, action in self.menus.actions.items() if action_id != "find_action"]
        dialog = FindActionDialog(actions, self._window)
        if dialog.exec() and dialog.chosen is not None:
            dialog.chosen.trigger()

    def show_messages(self) -> None:
        """All messages since the window opened."""
        self._messages.open()

    def show_settings(self) -> None:
        """Change settings."""
        dialog = SettingsDialog(self._session.settings, self.menus.table, self.menus.titles, self._window)
        if dialog.exec():
            self.menus.show_keys()
            self._session.settings_changed.emit()
            app = QApplication.instance()
            assert isinstance(app, QApplication)
            show_theme(app, self._session.settings)

    def show_log(self) -> None:
        """Show the path of the log file."""
        QMessageBox.information(self._window, tr("Log"), plain(tr("Errors are logged in\n{path}", path=log_file())))

    def show_updates(self) -> None:
        """Say which version this is; the program itself never asks the network."""
        said = tr(
            "This is version {version}. The program makes no connections and therefore does not look for updates. "
            "Ask whoever installed it, or compare this number with the place where you got the installer.",
            version=version(),
        )
        QMessageBox.information(self._window, tr("Updates"), plain(said))

    def save_diagnostics(self) -> None:
        """Write the file for a report of a fault."""
        chosen = self._workspace.files.ask_new_file(
            self._window, "labels", tr("Save diagnostics"), "wce-desktop-diagnostics.txt", tr("Text (*.txt)")
        )
        if chosen is not None:
            write_diagnostics(chosen, self._session, self._workspace.jobs.jobs)
            self._workspace.show_message(tr("The diagnostics were saved. Look through the file before you send it."))

    def offer_diagnostics(self) -> None:
        """Ask whether to save diagnostics after an unexpected end; does not block the window."""
        box = MessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Information)
        box.setWindowTitle(tr("Diagnostics"))
        box.setText(tr(CRASHED))
        save = box.addButton(tr("Save diagnostics…"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(tr("Not now"), QMessageBox.ButtonRole.RejectRole)
        save.clicked.connect(self._workspace.guard(self.save_diagnostics))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def about(self) -> None:
        """What this is, what it is not for, and the licences of what it uses."""
        AboutDialog(self._window).exec()
