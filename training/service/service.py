"""Answering requests one after the other until none comes any more."""

import contextlib
import json
import queue
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from training.errors import UserError
from training.runs.failure import describe_failure, is_expected, trace_of
from training.runs.reporter import Cancelled, Reporter
from training.service.answer_files import Answer, write_answer
from training.service.inbox import Asked, Inbox
from training.service.request_reporter import RequestReporter
from training.service.requests import ExplainRequest, from_line
from training.texts import Text

if TYPE_CHECKING:
    from training.service.workbench import Workbench

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
        if not is_expected(error):
            self._reporter.log(trace_of(error))
        outcome = describe_failure(error)
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
            number = _number_of(line)
            reporter.partial(FAILED, {"number": number, "message": error.message, "hint": error.hint})
        except ValueError as error:
            reporter.log(Text("Ignored a line that is not a request: {error}", error))
    inbox.close()


def _number_of(line: str) -> int:
    return int(json.loads(line)["number"])
