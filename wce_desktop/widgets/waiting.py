"""The dialog that shows how far an import or export is, and stops it; and work in a thread that is waited for."""

from collections.abc import Callable
from typing import TypeVar

from PySide6 import QtCore, QtWidgets

from training.errors import UserError
from training.runs.events import Outcome, Progress
from training.runs.reporter import Reporter
from wce_desktop.core import counted, tr
from wce_desktop.threads import function_thread, job_texts
from wce_desktop.widgets import basic, plain_text

T = TypeVar("T")


class Waiting:
    """Shown at once, modal: no label or other import may change the library after planning."""

    def __init__(self, window: QtWidgets.QWidget | None) -> None:
        self._window = window
        self._dialog: QtWidgets.QProgressDialog | None = None
        self._words = ""

    def begin(self, title: str, words: str, stop: Callable[[], None] | None = None) -> None:
        """Show the dialog; with a button *Stop* where there is something to call for it."""
        self.end()
        self._words = words
        dialog = QtWidgets.QProgressDialog("", tr("Stop") if stop else "", 0, 0, self._window)
        dialog.setLabel(plain_text.PlainLabel(words))
        dialog.setWindowTitle(title)
        dialog.setWindowModality(QtCore.Qt.WindowModality.WindowModal)
        dialog.setMinimumDuration(0)
        dialog.setBar(basic.JobBar(dialog))
        dialog.setRange(0, 0)
        dialog.setAutoReset(False)
        if stop is not None:
            dialog.canceled.connect(stop)
        else:
            dialog.setCancelButton(None)
            dialog.setWindowFlag(QtCore.Qt.WindowType.WindowCloseButtonHint, False)
        self._dialog = dialog
        dialog.show()

    def show_progress(self, progress: Progress) -> None:
        """Say how much is done of how much; without a unit only the bar shows it."""
        if self._dialog is not None:
            if progress.unit:
                total = counted(progress.total, job_texts.singular(progress.unit))
                words = tr("{words} {done} of {total}", words=self._words, done=progress.done, total=total)
                self._dialog.setLabelText(words)
            self._dialog.setMaximum(max(progress.total, 1))
            self._dialog.setValue(progress.done)  # runs events, which may end the dialog

    def end(self) -> None:
        """Close the dialog, if it is there."""
        if self._dialog is not None:
            dialog, self._dialog = self._dialog, None
            dialog.blockSignals(True)  # closing it does not request a stop
            dialog.close()
            dialog.deleteLater()


def wait_for(
    window: QtWidgets.QWidget | None, title: str, words: str, work: Callable[[Reporter], T], *, may_stop: bool = True
) -> T | None:
    """Run `work` in a thread, and return what it returns; None where it was stopped.

    The window goes on handling events meanwhile, behind a modal dialog with progress and, where it `may_stop`, *Stop*.

    Raises:
        UserError: as `work` does; or it failed.
    """
    thread, waiting, loop = function_thread.FunctionThread(), Waiting(window), QtCore.QEventLoop()
    results: list[T | UserError | Outcome] = []

    def attempt(reporter: Reporter) -> T | UserError:
        try:
            return work(reporter)
        except UserError as error:
            return error

    def end(result: T | UserError | Outcome) -> None:
        results.append(result)
        loop.quit()

    thread.progressed.connect(waiting.show_progress)
    thread.returned.connect(end)
    thread.failed.connect(end)
    waiting.begin(title, words, thread.stop if may_stop else None)
    thread.request(attempt)
    try:
        loop.exec()
    finally:
        waiting.end()
        thread.close()
    result = results[0] if results else None  # none where the program ends meanwhile
    if isinstance(result, UserError):
        raise result
    if isinstance(result, Outcome):
        if result.kind == "failed":
            raise UserError(result.message, result.hint)
        return None
    return result
