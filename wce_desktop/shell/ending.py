"""Ends the program in order when the system asks for it: at log-out, at shut-down, by Ctrl+C in a terminal.

Closes the window for work on its library, shows how far that is, and says which library to open next.
"""

import contextlib
import signal
import socket
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from training.errors import UserError
from training.runs.reporter import Reporter
from wce_desktop.core.language import tr
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.plain_text import show_notice
from wce_desktop.widgets.waiting import wait_for
from wce_desktop.workspace import Reopening


def carry_out(reopening: Reopening, folder: Path) -> tuple[Path, str]:
    """Do the work in a thread behind a dialog; returns the folder to open, and a remark to show there.

    What fails is said in a message box, and the library is opened as it is.
    """
    try:
        return run_behind_dialog(reopening, folder)
    except UserError as error:
        show_notice(None, "wce_desktop", f"{tr(error.message)}\n{tr(error.hint)}".strip())
        return folder, ""


def run_behind_dialog(reopening: Reopening, folder: Path) -> tuple[Path, str]:
    """Do the work in a thread behind a dialog; returns what it returns.

    Raises:
        UserError: it failed.
    """

    def work(reporter: Reporter) -> tuple[Path, str]:
        return reopening.work(folder, lambda count, total: reporter.progress(count, total, "", reopening.doing))

    return wait_for(None, "wce_desktop", reopening.doing, work, may_stop=False) or (folder, "")


SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGBREAK") if hasattr(signal, name))
RETRY_MILLISECONDS = 50


class OrderlyEnd(QObject):
    """Closes the windows on a signal of the system, without a question: texts are saved, jobs keep what they did.

    Python runs a signal's handler only between two of its own instructions, and an idle window runs none. The signal
    is therefore also written into a socket, which wakes Qt.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._is_asked = False
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.setblocking(False)
        self._before = {number: signal.signal(number, self._note) for number in SIGNALS}
        self._descriptor_before = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._wake)
        app.commitDataRequest.connect(self.save)

    def close(self) -> None:
        """Give the signals back to those who had them before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._descriptor_before)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for end in (self._reading, self._writing):
            end.close()
        self._app.commitDataRequest.disconnect(self.save)

    def save(self) -> None:
        """Save what is being typed: the session may end."""
        for window in self._main_windows():
            window.workspace.leaving.emit()

    def end(self) -> None:
        """Close dialogs one by one, then the main window, which closes all others."""
        for window in self._main_windows():
            window.workspace.is_ending = True
        dialog = self._app.activeModalWidget()
        if isinstance(dialog, QWidget):
            dialog.close()
            QTimer.singleShot(RETRY_MILLISECONDS, self, self.end)  # its own code goes on first
            return
        for window in self._main_windows():
            window.close()

    def _main_windows(self) -> list[MainWindow]:
        return [each for each in self._app.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible()]

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._is_asked = True

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._reading.recv(64)
        if self._is_asked:
            self._is_asked = False
            self.end()
