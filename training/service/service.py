"""Answering requests one after the other until none comes any more; of each kind only the newest waits."""

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.errors import UserError
from training.runs import events, failure
from training.runs.reporter import Cancelled, PassedOn, RateMeter, Reporter
from training.service.answer_files import Answer, write_answer
from training.service.requests import EmbedRequest, ExplainRequest, from_line
from training.texts import Text

if TYPE_CHECKING:
    from training.service.workbench import Workbench


@dataclass(frozen=True, eq=False)
class Asked:
    """A request with its number, and whether a newer one of its kind, or a person, has made it needless."""

    number: int
    request: ExplainRequest | EmbedRequest
    needless: threading.Event = field(default_factory=threading.Event)


class Inbox:
    """Filled by the thread that listens, emptied by the one that works.

    A newer request makes an older one of the same kind needless. One of another kind does not: a drawn region that is
    looked up must not cost the explanation that is being computed.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[str, Asked] = {}
        self._running: dict[str, Asked] = {}
        self._is_closed = False

    def put(self, number: int, request: ExplainRequest | EmbedRequest) -> None:
        """Take a request in."""
        with self._changed:
            self._drop(request.kind)
            self._waiting[request.kind] = Asked(number, request)
            self._changed.notify_all()

    def drop(self, kind: str | None = None) -> None:
        """Make needless what waits and runs, of one kind or of all."""
        with self._changed:
            for each in (*self._waiting, *self._running) if kind is None else (kind,):
                self._drop(each)

    def close(self) -> None:
        """Make everything needless and let `take` return None from now on."""
        self.drop()
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def take(self, timeout_seconds: float) -> Asked | None:
        """The next request, oldest first; None when none came in time, or the inbox is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed, timeout_seconds)
            if self._is_closed or not self._waiting:
                return None
            kind = next(iter(self._waiting))
            return self._begin(kind)

    def take_other(self, kind: str) -> Asked | None:
        """A request of another kind than the one that runs, without waiting; None where there is none."""
        with self._changed:
            other = next((each for each in self._waiting if each != kind and each not in self._running), None)
            return None if other is None or self._is_closed else self._begin(other)

    def end(self, asked: Asked) -> None:
        """Say that a request that was taken has been answered."""
        with self._changed:
            if self._running.get(asked.request.kind) is asked:
                del self._running[asked.request.kind]

    def _begin(self, kind: str) -> Asked:
        asked = self._running[kind] = self._waiting.pop(kind)
        return asked

    def _drop(self, kind: str) -> None:
        self._waiting.pop(kind, None)
        if kind in self._running:
            self._running[kind].needless.set()


class RequestReporter(PassedOn):
    """The reporter of one request: its progress leaves as partial results that carry its number.

    Args:
        reporter: the child's own.
        asked: the request.
        between: called at each `check`, that is between two batches; answers what is short and was asked meanwhile.
    """

    def __init__(self, reporter: Reporter, asked: Asked, between: Callable[[Asked], None] = lambda _: None) -> None:
        super().__init__(reporter)
        self._asked = asked
        self._between = between
        self._meter = RateMeter()
        self._sent_seconds = float("-inf")

    @property
    def stop_requested(self) -> bool:
        """True once the answer is no longer needed."""
        return self._asked.needless.is_set() or self._inner.stop_requested

    def check(self) -> None:
        """Raise `Cancelled` once the answer is no longer needed; otherwise lets a short request come between."""
        if self.stop_requested:
            raise Cancelled
        self._between(self._asked)
        if self.stop_requested:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Report progress, at most ten times a second."""
        now_seconds = time.monotonic()
        if now_seconds - self._sent_seconds < events.PROGRESS_SECONDS and done < total:
            return
        self._sent_seconds = now_seconds
        rate, seconds_left = self._meter.measure(what, done, total)
        sent = events.Progress(int(done), int(total), unit, what, rate, seconds_left)
        self._inner.partial("progress", {"number": self._asked.number, "progress": asdict(sent)})

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Partial results of the work itself are not reported; only the answer is."""


READY, BEGUN, ANSWER, FAILED = "ready", "begun", "answer", "failed"
"""Names of the partial results that this process sends; the progress of a request is another."""
DROP = "drop"


class Service:
    """Takes requests from an inbox, lets a workbench answer them, and sends the answers as files of `folder`."""

    def __init__(self, workbench: "Workbench", inbox: Inbox, folder: Path, reporter: Reporter) -> None:
        self._workbench = workbench
        self._inbox = inbox
        self._folder = folder
        self._reporter = reporter
        self._numbers = count()

    def run(self, idle_seconds: float) -> None:
        """Answer until nothing was asked for `idle_seconds`, or the inbox is closed."""
        while (asked := self._inbox.take(idle_seconds)) is not None:
            self._answer(asked, RequestReporter(self._reporter, asked, self._between))

    def _between(self, running: Asked) -> None:
        """Between two batches of a long request, answer one of another kind."""
        if isinstance(running.request, ExplainRequest) and (other := self._inbox.take_other("explain")) is not None:
            self._answer(other, RequestReporter(self._reporter, other))

    def _answer(self, asked: Asked, reporter: RequestReporter) -> None:
        """Send what the workbench answers, or why it cannot; a request that became needless ends silently."""
        self._reporter.partial(BEGUN, {"number": asked.number})
        try:
            for answer in self._workbench.answers(asked.request, reporter):
                reporter.check()
                self._send(asked, answer)
        except Exception as error:  # becomes a sentence in the window; the next request is answered all the same
            if not (isinstance(error, Cancelled) and reporter.stop_requested):
                self._report_failure(asked, error)
        finally:
            self._inbox.end(asked)

    def _send(self, asked: Asked, answer: Answer) -> None:
        path = write_answer(self._folder / f"answer-{next(self._numbers)}.npz", answer)
        self._reporter.partial(ANSWER, {"number": asked.number, "path": str(path), "is_final": answer.is_final})

    def _report_failure(self, asked: Asked, error: Exception) -> None:
        if not failure.is_expected(error):
            self._reporter.log(failure.trace_of(error))
        outcome = failure.describe_failure(error)
        if isinstance(error, MemoryError) or "memory" in outcome.message:
            self._workbench.forget()
        payload = {"number": asked.number, "message": outcome.message, "hint": outcome.hint}
        self._reporter.partial(FAILED, payload)


@contextlib.contextmanager
def listening(asked: "queue.SimpleQueue[str | None]", inbox: Inbox, reporter: Reporter) -> Iterator[None]:
    """While the body runs, lines that came in from the window become requests in the inbox."""
    thread = threading.Thread(target=_fill, args=(asked, inbox, reporter), name="inbox", daemon=True)
    thread.start()
    try:
        yield
    finally:
        asked.put(None)
        thread.join()


def _fill(asked: "queue.SimpleQueue[str | None]", inbox: Inbox, reporter: Reporter) -> None:
    """Until None comes, which says that the window wants this process to end, or is gone."""
    while (line := asked.get()) is not None:
        if line.startswith(DROP):
            inbox.drop(line.removeprefix(DROP).strip() or None)
            continue
        try:
            inbox.put(*from_line(line))
        except UserError as error:
            number = int(json.loads(line)["number"])
            reporter.partial(FAILED, {"number": number, "message": error.message, "hint": error.hint})
        except ValueError as error:
            reporter.log(Text("Ignored a line that is not a request: {error}", error))
    inbox.close()
