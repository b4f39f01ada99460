"""Short jobs in a thread of the window's own process: the newest request wins."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from PySide6.QtCore import QObject, Qt, QThread, Signal, SignalInstance, Slot

from training.runs.events import Event, LogLine, Outcome, Partial, Progress
from training.runs.failure import describe_failure, is_expected
from training.runs.reporter import Cancelled, RateMeter, Reporter
from wce_desktop.jobs.mailbox import Mailbox

Work: TypeAlias = Callable[[Reporter], object]


class FunctionThread(QThread):
    """Runs one function at a time. A newer request, or `cancel`, supersedes the one that runs: it is cancelled, and
    its further signals are not emitted. All signals are emitted in the thread that made this object.

    `close` ends the thread and waits for it; functions therefore call `reporter.check()` often.
    """

    progressed = Signal(object)  # Progress
    partial_arrived = Signal(str, object)  # name, payload
    logged = Signal(object)  # tuple[str, ...]
    returned = Signal(object)  # what the function of the newest request returned
    failed = Signal(object)  # Outcome: it raised
    _mail_arrived = Signal(int)
    _ended = Signal(int, object, object)

    def __init__(
        self,
        parent: QObject | None = None,
        returned: Callable[..., object] | SignalInstance | None = None,
        failed: Callable[..., object] | SignalInstance | None = None,
        progressed: Callable[..., object] | SignalInstance | None = None,
    ) -> None:
        """No thread runs until the first request; the slots are connected with the signals of their names."""
        super().__init__(parent)
        slots = (self.returned, returned), (self.failed, failed), (self.progressed, progressed)
        for signal, slot in slots:
            if slot is not None:
                signal.connect(slot)
        self._changed = threading.Condition()
        self._newest = 0
        self._pending: tuple[Work, _RequestReporter] | None = None
        self._reporter: _RequestReporter | None = None
        self._is_closed = False
        self.is_busy = False
        """True from a request until its result or failure has been emitted."""
        self._mail_arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._conclude, Qt.ConnectionType.QueuedConnection)

    def request(self, work: Work) -> None:
        """Run `work(reporter)` as soon as the running request has ended; all earlier requests are superseded.

        Raises:
            RuntimeError: the thread was closed.
        """
        if self._is_closed:
            raise RuntimeError("this thread was closed; it takes no more requests")
        with self._changed:
            self._supersede()
            self._reporter = _RequestReporter(self._newest, self._mail_arrived.emit)
            self._pending = (work, self._reporter)
            self.is_busy = True
            self._changed.notify()
        if not self.isRunning():
            self.start()

    def cancel(self) -> None:
        """Cancel the running request; its signals are not emitted."""
        with self._changed:
            self._supersede()
            self.is_busy = False

    def stop(self) -> None:
        """Ask the running request to end; its result, or that it was cancelled, is still emitted."""
        with self._changed:
            if self._reporter is not None:
                self._reporter.cancelled.set()

    def close(self) -> None:
        """Cancel, end the thread and wait for it."""
        with self._changed:
            self._is_closed = True
            self.is_busy = False
            self._supersede()
            self._changed.notify()
        self.wait()

    def run(self) -> None:
        """Wait for requests and run them; in the thread itself."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._pending is not None or self._is_closed)
                request, self._pending = self._pending, None
            if request is None:
                return
            (work, reporter), value, failure = request, None, None
            try:
                value = work(reporter)
            except Exception as error:  # becomes an outcome; a bug leaves its trace in the log
                failure = describe_failure(error)
                if not is_expected(error):
                    logging.getLogger(__name__).exception("a short job failed")
            self._ended.emit(reporter.number, value, failure)

    def _supersede(self) -> None:
        self._newest += 1
        self._pending = None
        if self._reporter is not None:
            self._reporter.cancelled.set()

    @Slot(int)
    def _deliver(self, number: int) -> None:
        if number != self._newest or self._reporter is None:
            return
        mail = self._reporter.mailbox.take()
        if mail.lines:
            self.logged.emit(tuple(mail.lines))
        if mail.progress is not None:
            self.progressed.emit(mail.progress)
        for partial in mail.partials:
            self.partial_arrived.emit(partial.name, partial.payload)

    @Slot(int, object, object)
    def _conclude(self, number: int, value: object, failure: Outcome | None) -> None:
        if number != self._newest:
            if hasattr(value, "close"):  # nobody takes it
                value.close()
            return
        self.is_busy = False
        self._deliver(number)
        if failure is not None:
            self.failed.emit(failure)
        else:
            self.returned.emit(value)


class _RequestReporter:
    """The reporter of one request."""

    def __init__(self, number: int, wake: Callable[[int], None]) -> None:
        self.number = number
        self.mailbox = Mailbox()
        self.cancelled = threading.Event()
        self._wake = wake
        self._meter = RateMeter()

    @property
    def stop_requested(self) -> bool:
        """True once stopped or superseded."""
        return self.cancelled.is_set()

    def check(self) -> None:
        """Raise `Cancelled` once stopped or superseded."""
        if self.cancelled.is_set():
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Emit the progress."""
        rate, seconds_left = self._meter.measure(what, done, total)
        self._post(Progress(done, total, unit, what, rate, seconds_left))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Emit a partial result, which the function must not change afterwards."""
        self._post(Partial(name, payload))

    def log(self, line: str) -> None:
        """Add a line to the log."""
        self._post(LogLine(line))

    def _post(self, event: Event) -> None:
        if self.mailbox.post(event):
            self._wake(self.number)
