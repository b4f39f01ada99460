"""Closes the window for work on its library, shows how far that is, and says which library to open next."""

import contextlib
from pathlib import Path

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QMessageBox, QProgressDialog

from training.errors import UserError
from training.runs.events import Outcome, Progress
from training.runs.reporter import Reporter
from wce_desktop.core.language import tr
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.basic import STEPS, JobBar
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.workspace import Reopening


def carry_out(reopening: Reopening, folder: Path) -> tuple[Path, str]:
    """Do the work in a thread behind a dialog; returns the folder to open, and a remark to show there.

    What fails is said in a message box, and the library is opened as it is.
    """
    try:
        return run_behind_dialog(reopening, folder)
    except UserError as error:
        QMessageBox.warning(None, "wce_desktop", plain(f"{tr(error.message)}\n{tr(error.hint)}".strip()))
        return folder, ""


def run_behind_dialog(reopening: Reopening, folder: Path) -> tuple[Path, str]:
    """Do the work in a thread behind a dialog; returns what it returns.

    Raises:
        UserError: it failed.
    """
    done: list[tuple[Path, str]] = []
    failed: list[Outcome] = []
    loop, thread = QEventLoop(), FunctionThread()
    dialog = _dialog(reopening.doing)

    def work(reporter: Reporter) -> tuple[Path, str]:
        return reopening.work(folder, lambda count, total: reporter.progress(count, total, "parts", reopening.doing))

    def show(progress: Progress) -> None:
        dialog.setValue(int((progress.fraction or 0.0) * STEPS))

    thread.returned.connect(done.append)
    thread.failed.connect(failed.append)
    thread.returned.connect(loop.quit)
    thread.failed.connect(loop.quit)
    thread.progressed.connect(show)
    thread.request(work)
    dialog.show()
    loop.exec()
    thread.close()
    thread.deleteLater()
    dialog.close()
    dialog.deleteLater()
    if failed:
        raise UserError(failed[0].message, failed[0].hint)
    return done[0]


def _dialog(words: str) -> QProgressDialog:
    dialog = QProgressDialog("", "", 0, STEPS)
    dialog.setWindowTitle("wce_desktop")
    dialog.setLabel(PlainLabel(words))
    dialog.setCancelButton(None)
    dialog.setBar(JobBar(dialog))
    dialog.setRange(0, STEPS)
    dialog.setMinimumDuration(0)
    dialog.setWindowFlag(Qt.WindowType.WindowCloseButtonHint, False)
    with contextlib.suppress(AttributeError):
        dialog.setAutoClose(False)
        dialog.setAutoReset(False)
    return dialog
