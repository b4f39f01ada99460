"""A job as the window sees it: a QThread with signals that owns a child process."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from training.runs.events import Event, Outcome
from training.runs.failure import describe_failure
from wce_desktop.jobs.child_process import GRACE_SECONDS, ChildProcess
from wce_desktop.jobs.mailbox import Mail, Mailbox
from wce_desktop.jobs.spec import JobSpec, child_command

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
        grace_seconds: float = GRACE_SECONDS,
        delivery_milliseconds: int = DELIVERY_MILLISECONDS,
    ) -> None:
        """Prepare a job; `start` begins it. Output of the child is collected for `delivery_milliseconds`."""
        super().__init__(parent)
        self.setObjectName(spec.title)
        self._child = child = ChildProcess(spec, command, grace_seconds)
        self.stop, self.cancel, self.say = child.stop, child.cancel, child.say
        self._mailbox = Mailbox()
        self._outcome: Outcome | None = None
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
            self._outcome = describe_failure(error)
            raise

    def _receive(self, event: Event) -> None:
        if self._mailbox.post(event):
            self._mail_arrived.emit()

    @Slot()
    def _deliver(self) -> None:
        """Emit the received events; in the window's thread."""
        if (mail := self._mailbox.take()) != Mail():
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
        self.finished_with.emit(self._outcome or Outcome("failed", "The job was never started."))
