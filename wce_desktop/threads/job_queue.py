"""The window's jobs: one GPU job runs at a time here, some on a cluster; the rest wait, light ones run at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from training.texts import Text
from wce_desktop.core.language import tr
from wce_desktop.jobs.spec import JobSpec, child_command
from wce_desktop.threads.job import Job, JobThread, Runner

MOST_ON_CLUSTER = 4
"""Jobs on the cluster at the same time: each has a process here, which waits for it and takes some 150 MB."""


class JobQueue(QObject):
    """All jobs of this session, in order, and a thread for each that runs.

    Who submits a job connects to the signals of the `Job`; the signals here are for what shows the queue as a whole.
    """

    changed = Signal(object)  # Job: any of them, or its place, has changed
    ended = Signal(object)  # Job: any of them, with its outcome
    drained = Signal()  # the last running job has ended

    def __init__(
        self,
        parent: QObject | None = None,
        command: Callable[[Path], Sequence[str]] = child_command,
        check: Callable[[str], None] = lambda _: None,
        place: Callable[[JobSpec], str] = lambda _: "",
    ) -> None:
        """No jobs yet.

        Args:
            command: makes a child's command line from its config file.
            check: gets what a job would save and raises `UserError` where nothing can be saved.
            place: address of the cluster that a job runs on; empty: this computer.
        """
        super().__init__(parent)
        self._command = command
        self._check = check
        self._place = place
        self._jobs: list[Job] = []
        self._threads: dict[str, JobThread] = {}
        self.is_closed = False
        """True once no job can start any more."""

    @property
    def jobs(self) -> Sequence[Job]:
        """Every job of the session: the oldest first, waiting ones in the order in which they will run."""
        return tuple(self._jobs)

    @property
    def running(self) -> Sequence[Job]:
        """The jobs that have a process now."""
        return tuple(job for job in self._jobs if job.is_running)

    @property
    def waiting(self) -> Sequence[Job]:
        """The jobs that wait for their turn, next first."""
        return tuple(job for job in self._jobs if job.state == "queued")

    @property
    def open(self) -> Sequence[Job]:
        """The jobs that run, then those that wait."""
        return (*self.running, *self.waiting)

    @property
    def is_busy(self) -> bool:
        """True while a job runs or waits: closing the window asks first."""
        return bool(self.open)

    def submit(self, spec: JobSpec) -> Job:
        """Take a job; it starts now if it may. No event of it arrives before the caller returns to the event loop.

        Raises:
            UserError: what it makes cannot be saved.
            RuntimeError: the queue was closed.
        """
        self._check(Text("what “{title}” makes", Text(spec.title)))
        if self.is_closed:
            raise RuntimeError("the window is closing; no job can start")
        if cluster := self._place(spec):
            spec = replace(spec, cluster=cluster, title=tr("{title} (cluster)", title=spec.title))
        job = Job(spec, self)
        job.progressed.connect(self.changed)
        job.ended.connect(self.ended)
        self._jobs.append(job)
        self.changed.emit(job)
        self._start_next()
        return job

    def find(self, job_id: str) -> Job:
        """The job of this id.

        Raises:
            KeyError: there is none.
        """
        return {job.job_id: job for job in self._jobs}[job_id]

    def job_writing(self, folder: Path) -> Job | None:
        """The newest job that writes into a folder, such as that of a run that was resumed; None if there is none."""
        writing = (job for job in reversed(self._jobs) if Path(str(job.spec.config.get("out", ""))) == folder)
        return next(writing, None)

    @property
    def written_names(self) -> frozenset[str]:
        """The names of the folders and files that running and waiting jobs write, such as the ids of their runs."""
        return frozenset(Path(str(job.spec.config.get("out", ""))).name for job in self.open)

    def move(self, job_id: str, place: int) -> None:
        """Put a waiting job at `place` (0 is next) among those that wait; nothing for a job that does not wait."""
        job = self.find(job_id)
        if job.state != "queued":
            return
        others = [other for other in self.waiting if other is not job]
        others.insert(max(place, 0), job)
        self._jobs = [other for other in self._jobs if other.state != "queued"] + others
        self.changed.emit(job)

    def stop_all(self) -> None:
        """Stop all running jobs and start no others; `drained` is emitted at the end."""
        self._close()
        for job in self.running:
            job.stop()

    def shut_down(self) -> None:
        """Cancel all that runs and wait for it (some 2 s at most, longer only while a checkpoint is written)."""
        self._close()
        for job in self.running:
            job.cancel()
        for thread in tuple(self._threads.values()):
            thread.wait_for_end()

    def _close(self) -> None:
        """Remove waiting jobs and start no others."""
        self.is_closed = True
        for job in self.waiting:
            job.cancel()

    def _start_next(self) -> None:
        """Start every waiting job that may run now."""
        for job in self.waiting:
            others = [other for other in self.running if other.spec.kind == "gpu"]
            on_cluster = sum(bool(other.spec.cluster) for other in others)
            is_free = on_cluster < MOST_ON_CLUSTER if job.spec.cluster else on_cluster == len(others)
            if job.state == "queued" and not self.is_closed and (job.spec.kind == "light" or is_free):
                job.begin(self._start)

    def _start(self, job: Job) -> Runner:
        thread = JobThread(job.spec, self, self._command)
        self._threads[job.job_id] = thread
        thread.received.connect(job.take)
        thread.finished_with.connect(job.report_outcome)
        thread.finished_with.connect(self._go_on)
        thread.start()
        return thread

    def _go_on(self) -> None:
        """After a job has ended and everybody knows: let its thread go, and start the next job."""
        for job in self._jobs:
            if job.has_ended and job.job_id in self._threads:
                self._threads.pop(job.job_id).deleteLater()
        self._start_next()
        if not self.running:
            self.drained.emit()
