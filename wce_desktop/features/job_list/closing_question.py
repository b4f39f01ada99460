"""What closing the window asks while a job runs."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from PySide6.QtWidgets import QMessageBox, QWidget

from wce_desktop.jobs.job import Job
from wce_desktop.jobs.wording import state_words
from wce_desktop.widgets.plain_text import MessageBox

ClosingChoice: TypeAlias = Literal["stop", "cancel", "stay"]


class ClosingQuestion(MessageBox):
    """Stop and keep what is done, cancel, or stay; Escape stays.

    After "stop" the window waits for `JobCenter.drained`, after "cancel" it may call `JobCenter.shut_down` at once.
    """

    def __init__(self, jobs: Sequence[Job], parent: QWidget | None = None) -> None:
        """A question about the jobs that run or wait."""
        super().__init__(parent)
        self.setWindowTitle("Close")
        self.setIcon(QMessageBox.Icon.Question)
        self.setText(_what_runs(jobs))
        self.setInformativeText("Stopping keeps what is done so far; it can go on later.")
        self._stop = self.addButton("Stop and close", QMessageBox.ButtonRole.AcceptRole)
        self._cancel = self.addButton("Cancel the job and close", QMessageBox.ButtonRole.DestructiveRole)
        stay = self.addButton("Keep working", QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self._stop)
        self.setEscapeButton(stay)

    @property
    def choice(self) -> ClosingChoice:
        """What was chosen, once the question is closed."""
        if self.clickedButton() is self._stop:
            return "stop"
        return "cancel" if self.clickedButton() is self._cancel else "stay"


def ask_before_closing(jobs: Sequence[Job], parent: QWidget | None = None) -> ClosingChoice:
    """Ask what becomes of the jobs; "cancel" without asking when none runs (what waits has not begun)."""
    if not any(job.is_running for job in jobs):
        return "cancel"
    question = ClosingQuestion(jobs, parent)
    question.exec()
    choice = question.choice
    question.deleteLater()
    return choice


def _what_runs(jobs: Sequence[Job]) -> str:
    """ "finetuning is still running (64 %   1:20 left). 2 more are waiting and will not begin." """
    running = [f"{job.spec.title} is still running ({state_words(job)})." for job in jobs if job.is_running]
    waiting = sum(job.state == "queued" for job in jobs)
    if waiting:
        running.append(f"{waiting} more {'is' if waiting == 1 else 'are'} waiting and will not begin.")
    return "\n".join(running)
