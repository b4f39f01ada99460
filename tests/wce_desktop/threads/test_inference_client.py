"""Asking the inference child: the newest wins, a crash is a sentence, and nothing is left behind."""

import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from tests.training.service.serving_child import serving_command
from tests.wce_desktop.leaks import is_alive, wait_until
from training.runs.events import Outcome, Progress
from training.service.answer_files import Answer, EmbeddingAnswer, ExplanationAnswer
from training.service.requests import EmbedRequest, ExplainRequest
from wce_desktop.threads.inference_client import InferenceClient

PATIENCE_MILLISECONDS = 30_000


class Listener:
    """Notes what an client tells, in order."""

    def __init__(self, client: InferenceClient) -> None:
        self.answers: list[tuple[int, Answer]] = []
        self.failures: list[tuple[int, Outcome]] = []
        self.progress: list[tuple[int, Progress]] = []
        self.threads: set[QThread] = set()
        client.answered.connect(lambda number, answer: self._note(self.answers, (number, answer)))
        client.failed.connect(lambda number, outcome: self._note(self.failures, (number, outcome)))
        client.progressed.connect(lambda number, progress: self._note(self.progress, (number, progress)))

    def _note(self, where: list[Any], what: object) -> None:
        where.append(what)
        self.threads.add(QThread.currentThread())

    @property
    def pids(self) -> list[int]:
        """The processes that answered."""
        names = [a.model_id if isinstance(a, EmbeddingAnswer) else a.explanation.model_id for _, a in self.answers]
        return [int(name) for name in names]


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made; a test sees what is left of them."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def make(qtbot: QtBot, folders: Path) -> Iterator[Callable[..., InferenceClient]]:
    """Makes askers whose child needs no torch; afterwards nothing of them is left."""
    made: list[InferenceClient] = []

    def one(**fields: Any) -> InferenceClient:
        made.append(InferenceClient(**{"command": serving_command, **fields}))
        return made[-1]

    yield one
    for client in made:
        client.close()
    assert not [left for left in folders.iterdir() if left.name.startswith("wce-")]


@pytest.fixture
def client(make: Callable[..., InferenceClient]) -> InferenceClient:
    """One of them."""
    return make()


def explain(class_name: str = "blood", **fields: Any) -> ExplainRequest:
    return ExplainRequest(model=Path("m"), path=Path("v.mp4"), frame_index=3, class_name=class_name, **fields)


def embed(frame_index: int = 5) -> EmbedRequest:
    return EmbedRequest(model=Path("m"), path=Path("v.mp4"), frame_index=frame_index)


def wait(qtbot: QtBot, condition: Any) -> None:
    """Let the window live until the condition holds."""
    qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE_MILLISECONDS)


def test_answers_come_in_the_windows_thread_with_their_number(qtbot: QtBot, client: InferenceClient) -> None:
    listener = Listener(client)
    assert not client.is_busy
    numbers = [client.ask(explain(method="score-cam", refine=True)), client.ask(embed(5))]
    assert client.is_busy
    wait(qtbot, lambda: not client.is_busy)
    explanations = [answer for number, answer in listener.answers if number == numbers[0]]
    assert [(one.explanation.method, one.is_final) for one in explanations if isinstance(one, ExplanationAnswer)] == [
        ("quick", False),
        ("score-cam", True),
    ]
    (vector,) = [answer for number, answer in listener.answers if number == numbers[1]]
    assert isinstance(vector, EmbeddingAnswer)
    assert vector.vector.tolist() == [5.0] * 4
    assert listener.threads == {QThread.currentThread()}
    assert not client.is_busy
    assert not listener.failures


def test_one_process_answers_them_all(qtbot: QtBot, client: InferenceClient) -> None:
    listener = Listener(client)
    for count in (1, 2, 3):
        client.ask(embed())
        wait(qtbot, lambda count=count: len(listener.answers) == count)
    assert len(set(listener.pids)) == 1


def test_the_newest_wins_and_nothing_of_the_older_arrives(qtbot: QtBot, client: InferenceClient) -> None:
    listener = Listener(client)
    old = client.ask(explain("work"))
    wait(qtbot, lambda: listener.progress)
    assert listener.progress[0][0] == old
    assert listener.progress[0][1].unit == "channels"
    new = client.ask(explain("blood"))
    wait(qtbot, lambda: not client.is_busy)
    assert [number for number, _ in listener.answers] == [new]
    assert not listener.failures
    assert {number for number, _ in listener.progress} == {old}


def test_an_embedding_does_not_cost_the_explanation(qtbot: QtBot, client: InferenceClient) -> None:
    listener = Listener(client)
    working = client.ask(explain("work"))
    wait(qtbot, lambda: listener.progress)
    number = client.ask(embed())
    wait(qtbot, lambda: listener.answers)
    assert [number for number, _ in listener.answers] == [number]
    assert client.is_busy
    told = len(listener.progress)
    wait(qtbot, lambda: len(listener.progress) > told)
    assert listener.progress[-1][0] == working


def test_what_is_cancelled_never_arrives_and_the_process_stays(qtbot: QtBot, client: InferenceClient) -> None:
    listener = Listener(client)
    client.ask(embed())
    wait(qtbot, lambda: listener.answers)
    client.ask(explain("work"))
    wait(qtbot, lambda: listener.progress)
    client.cancel("explain")
    assert not client.is_busy
    client.ask(embed())
    wait(qtbot, lambda: len(listener.answers) == 2)
    assert len(set(listener.pids)) == 1
    told = len(listener.progress)
    qtbot.wait(150)
    assert len(listener.progress) == told
    client.cancel()  # nothing is asked: nothing happens
    assert not client.is_busy


@pytest.mark.parametrize(
    ("class_name", "message", "hint"),
    [
        ("refuse", "There is no such frame.", "Choose another."),
        ("bug", "It ended with an unexpected error (ZeroDivisionError).", "Please report it with the log."),
        ("memory", "The computer ran out of memory.", "Close other programs"),
    ],
)
def test_what_fails_is_a_sentence_and_the_process_stays(
    qtbot: QtBot, client: InferenceClient, class_name: str, message: str, hint: str
) -> None:
    listener = Listener(client)
    number = client.ask(explain(class_name))
    wait(qtbot, lambda: listener.failures)
    ((failed, outcome),) = listener.failures
    assert (failed, outcome.kind, outcome.message) == (number, "failed", message)
    assert outcome.hint.startswith(hint)
    client.ask(explain())
    wait(qtbot, lambda: listener.answers)


@pytest.mark.parametrize(("class_name", "reason"), [("die", "SIGKILL"), ("abort", "SIGABRT")])
def test_a_crash_is_a_sentence_and_the_next_request_starts_anew(
    qtbot: QtBot, client: InferenceClient, class_name: str, reason: str
) -> None:
    listener = Listener(client)
    number = client.ask(explain(class_name))
    wait(qtbot, lambda: listener.failures)
    ((failed, outcome),) = listener.failures
    assert (failed, outcome.kind) == (number, "failed")
    assert f"frame analysis ended unexpectedly ({reason})" in outcome.message
    assert outcome.hint.startswith("Try again")
    assert not client.is_busy
    client.ask(explain())
    wait(qtbot, lambda: listener.answers)
    assert len(listener.failures) == 1


def test_who_asks_again_at_once_after_a_crash_is_answered(qtbot: QtBot, client: InferenceClient) -> None:
    listener = Listener(client)
    client.failed.connect(lambda number, outcome: client.ask(explain()))
    client.ask(explain("die"))
    wait(qtbot, lambda: listener.answers)
    assert len(listener.failures) == 1


def test_a_process_that_died_while_idle_is_not_noticed(qtbot: QtBot, client: InferenceClient) -> None:
    """The request may be written before it is known that nobody reads it any more."""
    listener = Listener(client)
    client.ask(embed())
    wait(qtbot, lambda: listener.answers)
    os.kill(listener.pids[0], signal.SIGKILL)
    client.ask(embed())
    wait(qtbot, lambda: len(listener.answers) == 2)
    assert not listener.failures
    assert len(set(listener.pids)) == 2


def test_a_process_that_never_comes_up_is_tried_twice_and_told(
    qtbot: QtBot, make: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    client = make(command=lambda _: [sys.executable, "-c", "raise SystemExit('no such library')"])
    listener = Listener(client)
    number = client.ask(embed())
    wait(qtbot, lambda: listener.failures)
    ((failed, outcome),) = listener.failures
    assert failed == number
    assert "ended unexpectedly (exit code 1)" in outcome.message
    assert outcome.hint.startswith("Try again")
    assert caplog.text.count("inference: no such library") == 2


def test_an_idle_process_ends_by_itself_and_the_next_request_starts_another(qtbot: QtBot, make: Any) -> None:
    client = make(idle_seconds=lambda: 0.2)
    listener = Listener(client)
    client.ask(embed())
    wait(qtbot, lambda: listener.answers)
    (pid,) = listener.pids
    wait(qtbot, lambda: not is_alive(pid))
    client.ask(embed())
    wait(qtbot, lambda: len(listener.answers) == 2)
    assert listener.pids[1] != pid
    assert not listener.failures


def test_closing_ends_a_process_that_hears_nothing(qtbot: QtBot, client: InferenceClient, folders: Path) -> None:
    listener = Listener(client)
    client.ask(embed())
    wait(qtbot, lambda: listener.answers)
    client.ask(explain("hang"))
    qtbot.wait(100)
    client.close()
    assert wait_until(lambda: not is_alive(listener.pids[0]))
    assert not list(folders.iterdir())
    assert len(listener.answers) == 1
    assert not listener.failures
    with pytest.raises(RuntimeError, match="closed"):
        client.ask(embed())
    client.close()  # a second time does nothing


def test_answers_leave_no_files(qtbot: QtBot, client: InferenceClient, folders: Path) -> None:
    listener = Listener(client)
    for count in range(1, 4):
        client.ask(explain(method="score-cam", refine=True))
        wait(qtbot, lambda count=count: len(listener.answers) == 2 * count)
    assert not list(folders.rglob("*.npz"))


def test_warming_up_starts_the_process_without_a_question(qtbot: QtBot, client: InferenceClient) -> None:
    client.warm_up()
    assert not client.is_busy
    listener = Listener(client)
    client.ask(embed())
    wait(qtbot, lambda: listener.answers)
