"""Queue of explanation requests: the frame on screen first, then those of a strip."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from training.runs.events import Outcome, Progress
from training.service.answer_files import ExplanationAnswer
from training.service.requests import ExplainRequest
from wce_desktop.threads.inference_client import InferenceClient


class ExplanationQueue(QObject):
    """One urgent request at a time (the newest replaces it), then a list of requests that can wait."""

    answered = Signal(object, object)  # ExplainRequest, ExplanationAnswer
    progressed = Signal(object, object)  # ExplainRequest, Progress
    failed = Signal(object, object)  # ExplainRequest, Outcome
    changed = Signal()  # the current request has changed

    def __init__(self, client: InferenceClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._number: int | None = None
        self.current: ExplainRequest | None = None
        self._is_urgent = False
        self._waiting: list[ExplainRequest] = []
        self._failures = 0
        client.answered.connect(self._take)
        client.progressed.connect(self._pass_on)
        client.failed.connect(self._fail)

    @property
    def is_busy(self) -> bool:
        """True while an answer is awaited."""
        return self.current is not None

    @property
    def waiting_count(self) -> int:
        """How many requests that may wait have no answer yet."""
        return len(self._waiting) + (1 if self.is_busy and not self._is_urgent else 0)

    def ask_now(self, request: ExplainRequest) -> None:
        """Send this request before all others; a running request for another frame is postponed."""
        if request == self.current:
            return
        if self.current is not None and not self._is_urgent:
            self._waiting.insert(0, self.current)
        self._start(request, is_urgent=True)

    def ask_later(self, requests: Sequence[ExplainRequest]) -> None:
        """Replace the waiting requests by these."""
        self._waiting = list(requests)
        if self.current is not None and self._is_urgent:
            return
        if self.current is not None and not requests:
            self._client.cancel("explain")
        self._next()

    def is_requested(self, frame_index: int) -> bool:
        """Whether an explanation of this frame is awaited."""
        return self.current is not None and self.current.frame_index == frame_index

    def stop(self) -> None:
        """Cancel all requests."""
        self._waiting = []
        if self.current is not None:
            self._client.cancel("explain")
            self._rest()

    def _start(self, request: ExplainRequest, *, is_urgent: bool) -> None:
        self.current, self._is_urgent = request, is_urgent
        self._number = self._client.ask(request)
        self.changed.emit()

    def _next(self) -> None:
        if self._waiting:
            self._start(self._waiting.pop(0), is_urgent=False)
        else:
            self._rest()

    def _rest(self) -> None:
        self.current, self._number = None, None
        self.changed.emit()

    def _take(self, number: int, answer: object) -> None:
        request = self.current
        if number != self._number or request is None or not isinstance(answer, ExplanationAnswer):
            return
        self._failures = 0
        if answer.is_final:
            self._next()
        self.answered.emit(request, answer)

    def _pass_on(self, number: int, progress: Progress) -> None:
        if number == self._number:
            self.progressed.emit(self.current, progress)

    def _fail(self, number: int, outcome: Outcome) -> None:
        request = self.current
        if number != self._number or request is None:
            return
        self._failures += 1
        if self._failures > 1:  # after two failures the others would fail too
            self._waiting = []
        self._next()
        self.failed.emit(request, outcome)
