"""Client of the inference process; of each kind of request the newest wins."""

import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from training.errors import UserError
from training.files.scratch import make_scratch_folder, remove_abandoned
from training.runs.events import Outcome, Progress
from training.service.answer_files import Answer, read_answer
from training.service.requests import EmbedRequest, ExplainRequest, as_line
from wce_desktop.core.language import to_translate, tr
from wce_desktop.jobs.mailbox import Mail
from wce_desktop.jobs.spec import JobSpec, child_command
from wce_desktop.threads.job import JobThread

LOG = logging.getLogger(__name__)
SCRATCH = "answers"  # the kind of the folder through which answers come
GRACE_SECONDS = 0.5  # at closing: the child has nothing to save
DELIVERY_MILLISECONDS = 5  # short, because someone waits for the answer
IDLE_SECONDS = 300.0
KEPT_SECONDS = 24 * 3600.0  # where the user wants the model ready at all times
ASK_AGAIN = to_translate(
    "Try again: a new process will be started. If that fails too, close other programs, or report it with the log."
)


@dataclass
class _Asked:
    """A request whose answer is awaited."""

    number: int
    request: ExplainRequest | EmbedRequest
    is_started: bool = False
    is_repeated: bool = False  # asked a second time, after the process that was asked first had ended


class InferenceClient(QObject):
    """Owns the one long-lived child; starts it with the first request and again after it has ended.

    A newer request of the same kind supersedes an older one, and nothing of that arrives any more. The caller keeps the
    number and ignores the others. All signals are emitted in the thread that made this object, never inside `ask`.
    """

    answered = Signal(int, object)  # number, ExplanationAnswer or EmbeddingAnswer; the last of a request is_final
    progressed = Signal(int, object)  # number, Progress
    failed = Signal(int, object)  # number, Outcome

    def __init__(
        self,
        parent: QObject | None = None,
        device: Callable[[], str] = lambda: "auto",
        command: Callable[[Path], Sequence[str]] = child_command,
        idle_seconds: Callable[[], float] = lambda: IDLE_SECONDS,
    ) -> None:
        """No process runs until the first request; `device` and `idle_seconds` are asked when one starts."""
        super().__init__(parent)
        self._device = device
        self._command = command
        self._idle_seconds = idle_seconds
        self._thread: JobThread | None = None
        self._folder: Path | None = None
        self._number = 0
        self._waiting: dict[str, _Asked] = {}
        self._is_closed = False

    @property
    def is_busy(self) -> bool:
        """True while an answer is awaited."""
        return bool(self._waiting)

    def ask(self, request: ExplainRequest | EmbedRequest) -> int:
        """Ask, superseding what was asked before of the same kind; the number comes with what answers it."""
        if self._is_closed:
            raise RuntimeError("closed; it takes no more requests")
        self._number += 1
        self._waiting[request.kind] = _Asked(self._number, request)
        self._running_thread().say(f"ask {as_line(self._number, request)}")
        return self._number

    def warm_up(self) -> None:
        """Start the child now, so that the first answer does not wait for its start."""
        if not self._is_closed:
            self._running_thread()

    def cancel(self, kind: str = "") -> None:
        """Cancel requests of one kind ("explain", "embed"), or all."""
        for each in [kind] if kind else list(self._waiting):
            self._waiting.pop(each, None)
        if self._thread is not None:
            self._thread.say(f"ask drop {kind}".strip())

    def close(self) -> None:
        """End the child and wait for it, half a second or a little more."""
        self._is_closed = True
        self._waiting.clear()
        if self._thread is not None:
            self._thread.cancel()
            self._thread.wait_for_end()

    def _running_thread(self) -> JobThread:
        """The thread that attends to the child, started if there is none."""
        if self._thread is None:
            remove_abandoned(SCRATCH)
            self._folder = make_scratch_folder(SCRATCH)
            config = {"folder": str(self._folder), "device": self._device(), "idle_seconds": self._idle_seconds()}
            spec = JobSpec(tr("frame analysis"), "serve", config, "light")  # it runs in parallel to a GPU job
            thread = self._thread = JobThread(spec, self, self._command, GRACE_SECONDS, DELIVERY_MILLISECONDS)
            thread.received.connect(self._receive)
            thread.finished_with.connect(self._end)
            thread.start()
        return self._thread

    def _receive(self, mail: Mail) -> None:
        """What the child wrote: output for the window's log, and answers."""
        for line in mail.lines:
            LOG.info("inference: %s", line)
        for partial in mail.partials:
            self._take(partial.name, partial.payload)

    def _take(self, name: str, payload: Mapping[str, Any]) -> None:
        asked = next((one for one in self._waiting.values() if one.number == payload.get("number")), None)
        if name == "answer":
            self._take_answer(asked, payload)
        elif asked is None:
            return  # no longer requested
        elif name == "begun":
            asked.is_started = True
        elif name == "failed":
            self._fail(asked, Outcome("failed", payload["message"], payload["hint"]))
        elif name == "progress":
            self.progressed.emit(asked.number, Progress(**payload["progress"]))

    def _take_answer(self, asked: _Asked | None, payload: Mapping[str, Any]) -> None:
        """Read the answer's file and remove it; an outdated answer is only removed."""
        path = Path(str(payload["path"]))
        answer: Answer | Outcome | None = None
        try:
            answer = read_answer(path) if asked is not None else None
        except UserError as error:
            answer = Outcome("failed", error.message, error.hint)
        path.unlink(missing_ok=True)
        if asked is None:
            return
        if isinstance(answer, Outcome):
            self._fail(asked, answer)
            return
        if payload["is_final"]:
            del self._waiting[asked.request.kind]
        self.answered.emit(asked.number, answer)

    def _fail(self, asked: _Asked, outcome: Outcome) -> None:
        del self._waiting[asked.request.kind]
        self.failed.emit(asked.number, outcome)

    def _end(self, outcome: Outcome) -> None:
        """The child has ended: after a long idle time, or by a crash."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.deleteLater()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._is_closed:
            return
        LOG.info("the inference process ended: %s", (outcome.result or {}).get("reason", outcome.kind))
        for asked in tuple(self._waiting.values()):
            if self._waiting.get(asked.request.kind) is not asked:
                continue  # the caller has sent a new request after the failure
            if asked.is_started or asked.is_repeated:
                has_crashed = "reason" in outcome.result
                self._fail(asked, replace(outcome, hint=ASK_AGAIN) if has_crashed else outcome)
            else:  # it was on its way when the process ended, by itself or over an earlier request
                asked.is_repeated = True
                self._running_thread().say(f"ask {as_line(asked.number, asked.request)}")
