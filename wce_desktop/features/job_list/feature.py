"""Background jobs: the strip, the list with logs, stopping, and the question when the window closes."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

from wce_desktop.core.language import capital, to_translate, tr, tr_count
from wce_desktop.features.job_list.job_views import JobLogDialog, JobsPanel
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words, stop_words
from wce_desktop.widgets import dialogs, plain_text
from wce_desktop.workspace import Feature, Panel, Workspace

LONGEST_END_MILLISECONDS = 5_000
"""How long jobs have to save their progress when the system ends the program."""

STILL_RUNNING = to_translate("{job} is still running ({state}).")
ClosingChoice: TypeAlias = Literal["stop", "close", "stay"]


class ClosingQuestion(plain_text.MessageBox):
    """Stop, close at once, or stay; Escape stays.

    After "stop" the window waits for `JobQueue.drained`, after "close" it may call `JobQueue.shut_down` at once.
    """

    def __init__(self, jobs: Sequence[Job], parent: QWidget | None = None) -> None:
        """A question about the jobs that run or wait."""
        running = [job for job in jobs if job.is_running]
        rows = [tr(STILL_RUNNING, job=capital(job.spec.title), state=state_words(job)) for job in running]
        waiting = sum(job.state == "queued" for job in jobs)
        left = tr_count(
            "{count} more is waiting and will not start.", "{count} more are waiting and will not start.", waiting
        )
        rows += [left] if waiting else []
        kept = [f"{capital(job.spec.title)}: {stop_words(job)}." for job in running]
        kept = [tr("If you stop and close:"), *kept, tr("Closing at once loses what was done since a job last saved.")]
        super().__init__(parent, tr("Close"), "\n".join(rows), "\n".join(kept))
        self._stop = self.addButton(tr("Stop and close"), QMessageBox.ButtonRole.AcceptRole)
        self._at_once = self.addButton(tr("Close at once"), QMessageBox.ButtonRole.DestructiveRole)
        stay = self.addButton(tr("Keep working"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self._stop)
        self.setEscapeButton(stay)

    @property
    def choice(self) -> ClosingChoice:
        """What was chosen, once the question is closed."""
        if self.clickedButton() is self._stop:
            return "stop"
        return "close" if self.clickedButton() is self._at_once else "stay"


def ask_before_closing(jobs: Sequence[Job], parent: QWidget | None = None) -> ClosingChoice:
    """Ask what to do with running jobs; returns "close" without asking if none is running."""
    if not any(job.is_running for job in jobs):
        return "close"
    question = ClosingQuestion(jobs, parent)
    question.exec()
    choice = question.choice
    question.deleteLater()
    return choice


def may_discard(job: Job, parent: QWidget | None = None) -> bool:
    """Ask whether what a running job has done so far is to be discarded; Return and Escape keep it."""
    question = tr("Discard what {job} has done so far ({state})?", job=job.spec.title, state=state_words(job))
    more = tr("The job ends at once. Scores that are not complete are deleted; a training keeps its last checkpoint.")
    return dialogs.agrees(parent, tr("Discard"), question, tr("Discard"), tr("Keep working"), more=more)


class JobListFeature(Feature):
    """Shows the queue; other features define the jobs and use their results."""

    own_actions = ("stop_job", "show_jobs")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._jobs = workspace.jobs
        self._is_stopping = False
        self._dialog: JobLogDialog = JobLogDialog(workspace.window)
        self.panel = JobsPanel()
        self.panels = (Panel(self.panel, "foot", stretch=1),)
        self._jobs.changed.connect(self._show_jobs_now)
        self._jobs.ended.connect(self._show_failure)
        self._dialog.discard_requested.connect(workspace.guard(self._discard))
        self._dialog.move_requested.connect(self._jobs.move)
        self.panel.list_requested.connect(self._show_job)

    @property
    def is_busy(self) -> bool:
        """True while a job waits or runs."""
        return self._jobs.is_busy

    def stop_job(self) -> None:
        """Stop the running job."""
        for job in self._jobs.running:
            job.stop()

    def show_jobs(self) -> None:
        """The list of jobs."""
        self._show_job("")

    def _discard(self, job: Job) -> None:
        """Remove a waiting job; end a running one and discard what it has done, after a question.

        One that is already cancelled is ended without another question.
        """
        if job.state == "cancelling":
            job.cancel()
        elif job.state == "queued" or (job.is_running and may_discard(job, self._dialog)):
            job.discard()

    def _show_job(self, job_id: str) -> None:
        self._dialog.set_jobs(self._jobs.jobs)
        if job_id:
            self._dialog.choose(job_id)
        self._dialog.show()
        self._dialog.raise_()

    def _show_jobs_now(self, _: Job) -> None:
        self.panel.set_jobs(self._jobs.jobs)
        if self._dialog.isVisible():
            self._dialog.set_jobs(self._jobs.jobs)

    def _show_failure(self, job: Job) -> None:
        if job.outcome is not None and job.outcome.kind == "failed":
            self._workspace.show_error(job.outcome.message, job.outcome.hint)

    def may_close(self) -> bool:
        """Ask what to do with running jobs; after *stop* the window closes when they have saved their progress.

        Where the system ends the program nothing is asked: the jobs are stopped, and the window waits some seconds.
        """
        if not self._jobs.is_busy:
            return True
        if self._workspace.is_ending:
            return self._has_waited_for_jobs()
        choice = ask_before_closing(self._jobs.open, self._workspace.window)
        if choice == "stop":
            self._jobs.drained.connect(self._workspace.window.close)
            self._jobs.stop_all()
            self._workspace.show_message(tr("Closing after the running job has stopped…"))
        return choice == "close"

    def _has_waited_for_jobs(self) -> bool:
        """False the first time: the window closes once the jobs have saved their progress, or cannot wait longer."""
        if self._is_stopping:
            return True
        self._is_stopping = True
        window = self._workspace.window
        self._jobs.drained.connect(window.close)
        QTimer.singleShot(LONGEST_END_MILLISECONDS, window, window.close)
        self._jobs.stop_all()
        return False
