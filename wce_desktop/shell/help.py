"""The Help menu: keys, finding an action, settings, the log, about.

The About box: version, what the program is not for, and the licences of what it uses.
"""

import re
from collections.abc import Callable, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMainWindow, QMessageBox, QPlainTextEdit, QWidget

import wce_desktop
from training.version import DISTRIBUTION, version
from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.places import log_file
from wce_desktop.session.session import Session
from wce_desktop.shell.appearance import show_theme
from wce_desktop.shell.diagnostics import write_diagnostics
from wce_desktop.shell.keys_dialog import FindActionDialog, KeysDialog, search_texts
from wce_desktop.shell.menus import Menus
from wce_desktop.shell.settings_dialog import SettingsDialog
from wce_desktop.widgets import basic, inputs, window_size
from wce_desktop.widgets.banner import MessagesDialog
from wce_desktop.widgets.plain_text import MessageBox, show_notice
from wce_desktop.workspace import Workspace, methods

NOTICE = to_translate(
    "Read capsule endoscopy studies and train the models behind them.\n\n"
    "Research use only, not for diagnosis.\n\n"
    "The demo study is synthetic, and the starter model was trained on synthetic images only: neither contains "
    "patient images."
)
LICENCES = Path(wce_desktop.__file__).resolve().parents[1] / "LICENCES.txt"
"""In an installed package: the licences of everything in it, which `installer` wrote."""
LONGEST_NAME = 60
"""A longer field holds the text of a licence instead of its name."""


def licences() -> str:
    """The licences of everything that is installed with the program, as text."""
    try:
        return LICENCES.read_text(encoding="utf-8")
    except OSError:  # run from a checkout or a wheel
        return "\n".join([f"wce_desktop {version()}: Apache-2.0", "", tr("It uses"), *sorted(_used(), key=str.lower)])


def _used() -> list[str]:
    """A line with name, version and licence for every installed distribution that the program needs."""
    result: dict[str, str] = {}
    waiting = [DISTRIBUTION]
    while waiting:
        name = waiting.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # of another system or of an extra that is not installed
        if package.name not in result:
            result[package.name] = f"{package.name} {package.version}: {_licence(package)}"
            lines = (line for line in package.requires or () if name == DISTRIBUTION or "extra ==" not in line)
            waiting += [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in lines]
    result.pop(DISTRIBUTION, None)
    return list(result.values())


def _licence(package: Distribution) -> str:
    """As the publisher states it, in one line."""
    lines = package.metadata.get_all
    said = next(iter((lines("License-Expression") or []) + (lines("License") or [])), "").strip()
    if said and said != "UNKNOWN" and len(said) <= LONGEST_NAME and "\n" not in said:
        return said
    classifiers = [line.rpartition("::")[2].strip() for line in lines("Classifier") or ()]
    return next((name for name in classifiers if "License" in name), tr("see its package"))


class AboutDialog(window_size.DialogBase):
    """Version and notice, and in a second tab the licences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("About wce_desktop"), 680, 460, parent=parent)
        self.tabs = inputs.TabWidget()
        about = basic.make_text(text=f"wce_desktop {version()}\n\n{tr(NOTICE)}")
        about.setMargin(12)
        about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.licences = QPlainTextEdit(readOnly=True)
        self.licences.setAccessibleName(tr("Licences"))
        self.licences.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.tabs.addTab(about, tr("About"))
        self.tabs.addTab(self.licences, tr("Licences"))
        self.tabs.currentChanged.connect(self._show_licences)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        basic.in_column(self.tabs, buttons, of=self)

    def _show_licences(self) -> None:
        """Read them once they are wanted: in a package they are some 40,000 lines."""
        if self.tabs.currentWidget() is self.licences and not self.licences.toPlainText():
            self.licences.setPlainText(licences())


_ACTIONS = ("show_keys", "find_action", "show_settings", "show_log", "save_diagnostics", "show_updates", "about")
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
        return methods(self, _ACTIONS) | {"show_messages": self._messages.open}

    def show_keys(self) -> None:
        """Every key of this desk on a page."""
        rows = [row for row in self.menus.rows if self.menus.actions[row.action_id].isVisible()]
        KeysDialog(rows, self.menus.titles, self._window).exec()

    def find_action(self) -> None:
        """Find an action by name and run it."""
        words = search_texts(self.menus.rows, self.menus.titles)
        actions = [
            (action, words[action_id])
            for action_id, action in self.menus.actions.items()
            if action.isVisible() and action_id != "find_action"
        ]
        dialog = FindActionDialog(actions, self._window)
        if dialog.exec() and dialog.chosen is not None:
            dialog.chosen.trigger()

    def show_settings(self) -> None:
        """Change settings."""
        dialog = SettingsDialog(self._session.settings, self.menus.table, self.menus.titles, self._window)
        if dialog.exec():
            self.menus.show_keys()
            self._session.take_reader()
            self._session.settings_changed.emit()
            app = QApplication.instance()
            assert isinstance(app, QApplication)
            show_theme(app, self._session.settings)

    def show_log(self) -> None:
        """Show the path of the log file."""
        show_notice(self._window, tr("Log"), tr("Errors are logged in\n{path}", path=log_file()))

    def show_updates(self) -> None:
        """Say which version this is; the program itself never asks the network."""
        text = tr(
            "This is version {version}. The program makes no connections and therefore does not look for updates. "
            "Ask whoever installed it, or compare this number with the place where you got the installer.",
            version=version(),
        )
        show_notice(self._window, tr("Updates"), text)

    def save_diagnostics(self) -> None:
        """Write the file for a report of a fault."""
        chosen = self._workspace.files.ask_new_file(
            self._window, "labels", tr("Save diagnostics"), "wce-desktop-diagnostics.txt", tr("Text (*.txt)")
        )
        if chosen is not None:
            write_diagnostics(chosen, self._session, self._workspace.jobs.jobs)
            self._workspace.show_message(tr("The diagnostics were saved. Look through the file before you send it."))

    def offer_diagnostics(self, then: Callable[[], object]) -> None:
        """Ask whether to save diagnostics after an unexpected end, and then go on; does not block the window."""
        box = MessageBox(self._window, tr("Diagnostics"), tr(CRASHED))
        save = box.addButton(tr("Save diagnostics…"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(tr("Not now"), QMessageBox.ButtonRole.RejectRole)
        save.clicked.connect(self._workspace.guard(self.save_diagnostics))
        box.finished.connect(lambda _: then())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    def about(self) -> None:
        """What this is, what it is not for, and the licences of what it uses."""
        AboutDialog(self._window).exec()
