"""The job queue: one GPU job at a time, the rest wait, light ones run at once."""

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from psygnal import Signal

from training.runs.events import Busy, Outcome, Progress
from wce_desktop.core.language import to_translate
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.spec import JobSpec


class Runner(Protocol):
    """What runs one job: a thread that owns a child process, or a stand-in for it."""

    def stop(self) -> None:
        """Ask it to save its progress and end."""

    def cancel(self) -> None:
        """Ask it to end at once."""


class JobQueue:
    """All jobs of this session, in order; used from one thread only.

    `start` is called with a job when its turn comes and returns what runs it. Whoever runs it reports
    progress, log lines and, exactly once, the outcome.
    """

    changed = Signal(Job)  # anything about this job
    ended = Signal(Job)  # its outcome is known: once for a job

    def __init__(self, start: Callable[[Job], Runner]) -> None:
        """An empty queue."""
        self._start = start
        self._jobs: list[Job] = []
        self._runners: dict[str, Runner] = {}
        self._is_closed = False

    @property
    def jobs(self) -> Sequence[Job]:
        """Every job of the session: the oldest first, waiting ones in the order in which they will run."""
        return tuple(self._jobs)

    @property
    def is_closed(self) -> bool:
        """True once no job can start any more."""
        return self._is_closed

    @property
    def running(self) -> Sequence[Job]:
        """The jobs that have a process now."""
        return tuple(job for job in self._jobs if job.is_running)

    @property
    def waiting(self) -> Sequence[Job]:
        """The jobs that wait for their turn, next first."""
        return tuple(job for job in self._jobs if job.state == "queued")

    def submit(self, spec: JobSpec) -> Job:
        """Take a job; it starts now when it may.

        Raises:
            RuntimeError: the queue was closed.
        """
        if self._is_closed:
            raise RuntimeError("the window is closing; no job can start")
        job = Job(spec)
        self._jobs.append(job)
        self.changed.emit(job)
        self._start_next()
        return job

    def find(self, job_id: str) -> Job:
        """The job of this id.

        Raises:
            KeyError: there is none.
        """
        for job in self._jobs:
            if job.job_id == job_id:
                return job
        raise KeyError(job_id)

    def move(self, job_id: str, place: int) -> None:
        """Put a waiting job at `place` (0 is next) among those that wait; nothing for a job that does not wait."""
        job = self.find(job_id)
        if job.state != "queued":
            return
        others = [other for other in self.waiting if other is not job]
        others.insert(max(place, 0), job)
        self._jobs = [other for other in self._jobs if other.state != "queued"] + others
        self.changed.emit(job)

    def stop(self, job_id: str) -> None:
        """Stop a running job, which keeps its progress; remove a waiting one."""
        job = self.find(job_id)
        if job.state == "queued":
            self._take_out(job)
        elif job.state == "running":
            job.state = "stopping"
            self.changed.emit(job)
            self._runners[job_id].stop()

    def cancel(self, job_id: str) -> None:
        """Cancel a running job; remove a waiting one. A second time ends one that does not end by itself."""
        job = self.find(job_id)
        if job.state == "queued":
            self._take_out(job)
        elif job.state in ("running", "stopping"):
            job.state = "cancelling"
            self.changed.emit(job)
            self._runners[job_id].cancel()
        elif job.state == "cancelling":
            self._runners[job_id].cancel()

    def discard(self, job_id: str) -> None:
        """Cancel a running job whose work so far is not wanted; remove a waiting one."""
        self.find(job_id).is_discarded = True
        self.cancel(job_id)

    def close(self) -> None:
        """Remove waiting jobs and start no others; running ones continue."""
        self._is_closed = True
        for job in self.waiting:
            self._take_out(job)

    def report_progress(self, job: Job, progress: Progress) -> None:
        """A running job got further."""
        job.progress = progress
        self.changed.emit(job)

    def report_busy(self, job: Job, busy: Busy) -> None:
        """A running job writes a checkpoint, or has written it."""
        job.busy = busy if busy.is_busy else None
        self.changed.emit(job)

    def report_log(self, job: Job, lines: Sequence[str]) -> None:
        """A running job wrote lines."""
        job.log.extend(lines)
        job.line_count += len(lines)
        self.changed.emit(job)

    def report_outcome(self, job: Job, outcome: Outcome) -> None:
        """A running job has ended; the next one starts.

        Raises:
            RuntimeError: it has already ended.
        """
        if job.has_ended:
            raise RuntimeError(f"{job.spec.title} ended twice")
        self._runners.pop(job.job_id, None)
        self._end(job, outcome)
        self._start_next()

    def _take_out(self, job: Job) -> None:
        self._end(job, Outcome("cancelled", to_translate("Removed from the queue before it started.")))

    def _end(self, job: Job, outcome: Outcome) -> None:
        job.outcome = outcome
        job.busy = None
        job.state = outcome.kind
        self.changed.emit(job)
        self.ended.emit(job)

    def _start_next(self) -> None:
        """Start every waiting job that may run now."""
        for job in self.waiting:
            is_free = not any(other.spec.kind == "gpu" for other in self.running)
            if job.state == "queued" and not self._is_closed and (job.spec.kind == "light" or is_free):
                job.state = "running"
                job.started_seconds = time.monotonic()
                self._runners[job.job_id] = self._start(job)
                self.changed.emit(job)
