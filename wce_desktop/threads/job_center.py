"""The window's jobs: the queue, and a thread for each job that runs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from training.runs.events import Outcome
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.queue import JobQueue
from wce_desktop.jobs.spec import JobSpec, child_command
from wce_desktop.threads.job_thread import JobThread


class JobCenter(QObject):
    """Runs jobs in turn and emits signals about them in the window's thread."""

    job_changed = Signal(object)  # Job: state, progress, log or outcome
    partial_arrived = Signal(object, str, object)  # Job, name, payload
    job_ended = Signal(object)  # Job with its outcome, once for a job
    drained = Signal()  # the last running job has ended

    def __init__(
        self,
        parent: QObject | None = None,
        command: Callable[[Path], Sequence[str]] = child_command,
        check: Callable[[str], None] = lambda _: None,
    ) -> None:
        """No jobs yet; `command` makes a child's command line from its config file.

        `check` gets what a job would save and raises `UserError` where nothing can be saved.
        """
        super().__init__(parent)
        self._command = command
        self._check = check
        self._threads: dict[str, JobThread] = {}
        self.queue = JobQueue(self._start)
        self.queue.changed.connect(self.job_changed.emit)
        self.queue.ended.connect(self.job_ended.emit)

    @property
    def is_busy(self) -> bool:
        """True while a job runs or waits: closing the window asks first."""
        return bool(self.queue.running or self.queue.waiting)

    def submit(self, spec: JobSpec) -> Job:
        """Take a job; it starts when its turn comes.

        Raises:
            UserError: what it makes cannot be saved.
        """
        self._check(f"what “{spec.title}” makes")
        return self.queue.submit(spec)

    def stop_all(self) -> None:
        """Stop all running jobs and start no others; `drained` is emitted at the end."""
        self.queue.close()
        for job in self.queue.running:
            self.queue.stop(job.job_id)

    def shut_down(self) -> None:
        """Cancel all that runs and wait for it (some 2 s at most, longer only while a checkpoint is written)."""
        self.queue.close()
        for job in self.queue.running:
            self.queue.cancel(job.job_id)
        for thread in tuple(self._threads.values()):
            thread.wait_for_end()

    def _start(self, job: Job) -> JobThread:
        thread = JobThread(job.spec, self, self._command)
        self._threads[job.job_id] = thread
        thread.progressed.connect(partial(self.queue.report_progress, job))
        thread.busy_changed.connect(partial(self.queue.report_busy, job))
        thread.logged.connect(partial(self.queue.report_log, job))
        thread.partial_arrived.connect(partial(self._forward_partial, job))
        thread.finished_with.connect(partial(self._end, job))
        thread.start()
        return thread

    def _forward_partial(self, job: Job, name: str, payload: Mapping[str, Any]) -> None:
        self.partial_arrived.emit(job, name, payload)

    def _end(self, job: Job, outcome: Outcome) -> None:
        self._threads.pop(job.job_id).deleteLater()
        self.queue.report_outcome(job, outcome)
        if not self.queue.running:
            self.drained.emit()
