"""A job: its spec, progress, log, outcome and signals, and the thread that owns its child process."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from training.runs import events, failure
from wce_desktop.core.language import to_translate
from wce_desktop.jobs import child_process, mailbox
from wce_desktop.jobs.spec import JobSpec, child_command

JobState: TypeAlias = Literal["queued", "running", "stopping", "cancelling", "done", "failed", "cancelled"]
RUNNING_STATES: tuple[JobState, ...] = ("running", "stopping", "cancelling")
ENDED_STATES: tuple[JobState, ...] = ("done", "failed", "cancelled")


class Runner(Protocol):
    """What runs one job: a thread that owns a child process, or a stand-in for it."""

    def stop(self) -> None:
        """Ask it to save its progress and end."""

    def cancel(self) -> None:
        """Ask it to end at once."""


class Job(QObject):
    """The handle of one job, used from the window's thread only.

    `ended` is emitted exactly once and after every other signal, also if the process crashes or never starts. A
    connection to a method of a QObject ends with that object.
    """

    progressed = Signal(object)  # this Job: its state, progress, log or outcome has changed
    partial_arrived = Signal(str, object)  # name, payload
    ended = Signal(object)  # this Job with its outcome

    def __init__(self, spec: JobSpec, parent: QObject | None = None) -> None:
        """A job that waits."""
        super().__init__(parent)
        self.spec, self.job_id = spec, spec.job_id
        self.state: JobState = "queued"
        self.progress: events.Progress | None = None
        self.busy: events.Busy | None = None
        self.outcome: events.Outcome | None = None
        self.log: deque[str] = deque(maxlen=mailbox.LOG_LINES)  # the last lines
        self.line_count = 0  # all lines, also those no longer kept
        self.started_seconds: float | None = None  # on the monotonic clock
        self.is_discarded = False  # what it has done so far is not wanted
        self._runner: Runner | None = None

    @property
    def is_running(self) -> bool:
        """True while it has a process, also when it was asked to end."""
        return self.state in RUNNING_STATES

    @property
    def has_ended(self) -> bool:
        """True once its outcome is known."""
        return self.state in ENDED_STATES

    def stop(self) -> None:
        """Stop a running job, which keeps its progress; remove a waiting one."""
        if self.state == "queued":
            self._take_out()
        elif self.state == "running":
            self._change("stopping")
            if self._runner is not None:
                self._runner.stop()

    def cancel(self) -> None:
        """Cancel a running job; remove a waiting one. A second time ends one that does not end by itself."""
        if self.state == "queued":
            self._take_out()
        elif self.is_running:
            if self.state != "cancelling":
                self._change("cancelling")
            if self._runner is not None:
                self._runner.cancel()

    def discard(self) -> None:
        """Cancel a running job whose work so far is not wanted; remove a waiting one."""
        self.is_discarded = True
        self.cancel()

    # For what runs it

    def begin(self, start: Callable[["Job"], Runner]) -> None:
        """Its turn has come; `start` returns what runs it."""
        self.state = "running"
        self.started_seconds = time.monotonic()
        self._runner = start(self)
        self.progressed.emit(self)

    def take(self, mail: mailbox.Mail) -> None:
        """It wrote lines, got further, writes a checkpoint or has written it, or has a result so far."""
        self.log.extend(mail.lines)
        self.line_count += len(mail.lines)
        self.progress = mail.progress or self.progress
        if mail.busy is not None:
            self.busy = mail.busy if mail.busy.is_busy else None
        self.progressed.emit(self)
        for partial in mail.partials:
            self.partial_arrived.emit(partial.name, partial.payload)

    def report_outcome(self, outcome: events.Outcome) -> None:
        """It has ended.

        Raises:
            RuntimeError: it had already ended.
        """
        if self.has_ended:
            raise RuntimeError(f"{self.spec.title} ended twice")
        self._runner, self.outcome, self.busy = None, outcome, None
        self._change(outcome.kind)
        self.ended.emit(self)

    def _take_out(self) -> None:
        self.report_outcome(events.Outcome("cancelled", to_translate("Removed from the queue before it started.")))

    def _change(self, state: JobState) -> None:
        self.state = state
        self.progressed.emit(self)


DELIVERY_MILLISECONDS = 50  # between two deliveries, however much the child writes


class JobThread(QThread):
    """Runs one job. Every signal is emitted in the thread that made this object; `finished_with` once, and last.

    The thread has ended when `finished_with` is emitted, so that its slots may delete it. Whoever closes the window
    calls `cancel` (or `stop`) and then `wait_for_end`.
    """

    received = Signal(object)  # Mail: what the child has sent since the last time
    finished_with = Signal(object)  # Outcome
    _mail_arrived = Signal()

    def __init__(
        self,
        spec: JobSpec,
        parent: QObject | None = None,
        command: Callable[[Path], Sequence[str]] = child_command,
        grace_seconds: float = child_process.GRACE_SECONDS,
        delivery_milliseconds: int = DELIVERY_MILLISECONDS,
    ) -> None:
        """Prepare a job; `start` begins it. Output of the child is collected for `delivery_milliseconds`."""
        super().__init__(parent)
        self.setObjectName(spec.title)
        self._child = child = child_process.ChildProcess(spec, command, grace_seconds)
        self.stop, self.cancel, self.say = child.stop, child.cancel, child.say
        self._mailbox = mailbox.Mailbox()
        self._outcome: events.Outcome | None = None
        self._is_concluded = False
        self._delivery = QTimer(self, singleShot=True, interval=delivery_milliseconds)
        self._delivery.timeout.connect(self._deliver)
        self._mail_arrived.connect(self._delivery.start, Qt.ConnectionType.QueuedConnection)
        self.finished.connect(self._conclude, Qt.ConnectionType.QueuedConnection)

    def wait_for_end(self) -> None:
        """Block until the job has ended, and deliver its last events; for closing the window."""
        self.wait()
        self._conclude()

    def run(self) -> None:
        """Run the child until it has ended; in this thread."""
        try:
            self._outcome = self._child.run(self._receive)
        except Exception as error:
            self._outcome = failure.describe_failure(error)
            raise

    def _receive(self, event: events.Event) -> None:
        if self._mailbox.post(event):
            self._mail_arrived.emit()

    @Slot()
    def _deliver(self) -> None:
        """Emit the received events; in the window's thread."""
        if (mail := self._mailbox.take()) != mailbox.Mail():
            self.received.emit(mail)

    @Slot()
    def _conclude(self) -> None:
        """Deliver the remaining events and the outcome, once."""
        if self._is_concluded:
            return
        self._is_concluded = True
        self._delivery.stop()
        self.wait()  # `finished` is emitted a moment before the thread is gone
        self._deliver()
        self.finished_with.emit(self._outcome or events.Outcome("failed", "The job was never started."))
