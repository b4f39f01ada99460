"""Somebody who answers requests for explanations at once, when told to, or never."""

import numpy as np
from PySide6.QtCore import QObject, Signal

from training.inference.explanation import Explanation, Method
from training.runs.events import Outcome, Progress
from training.service.answer_files import ExplanationAnswer
from training.service.requests import ExplainRequest
from training.video import FieldOfView

VIEW = FieldOfView("circle", 64, 48, centre=(31.5, 23.5), radius=22.0)


def make_explanation(
    request: ExplainRequest, method: Method | None = None, value: float = 1.0, agreement: float | None = None
) -> Explanation:
    """A map (4, 4) whose strongest evidence lies in its upper left quarter."""
    values = np.full((4, 4), 0.1, np.float32)
    values[:2, :2] = value
    scores = {"normal": 0.1, request.class_name: 0.75}
    name = method or request.method
    agrees = 0.96 if name == "quick" and agreement is None else agreement
    return Explanation(name, request.class_name, "m1", request.layer, values, VIEW, scores, agrees)


class FakeAsker(QObject):
    """Remembers what was asked; the newest request supersedes the others, as the real one does."""

    answered = Signal(int, object)
    progressed = Signal(int, object)
    failed = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[ExplainRequest] = []
        self.cancelled = 0
        self.is_busy = False
        self.is_warm = False

    def ask(self, request: ExplainRequest) -> int:
        """Note it."""
        self.asked.append(request)
        self.is_busy = True
        return len(self.asked)

    def cancel(self, kind: str = "") -> None:
        """Note it."""
        self.cancelled += 1
        self.is_busy = False

    def warm_up(self) -> None:
        """Note it."""
        self.is_warm = True

    def close(self) -> None:
        """Nothing runs."""

    def answer(self, method: Method | None = None, *, is_final: bool = True, number: int = 0) -> None:
        """Answer the newest request, or that of a number."""
        number = number or len(self.asked)
        request = self.asked[number - 1]
        self.is_busy = not is_final
        explanation = make_explanation(request, method)
        self.answered.emit(number, ExplanationAnswer(request.frame_index, explanation, "0" * 64, is_final))

    def progress(self, done: int, seconds_left: float) -> None:
        """Say how far the newest request is."""
        self.progressed.emit(len(self.asked), Progress(done, 100, "channels", "explaining", 10.0, seconds_left))

    def fail(self, message: str, hint: str = "") -> None:
        """Say that the newest request cannot be answered."""
        self.is_busy = False
        self.failed.emit(len(self.asked), Outcome("failed", message, hint))
