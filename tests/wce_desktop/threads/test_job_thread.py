"""A job as the window sees it: signals in the window's thread, one outcome, last, and the thread gone by then."""

from typing import Any

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from tests.wce_desktop.jobs.children import children_command
from tests.wce_desktop.leaks import no_leaks
from training.runs.events import Outcome, Progress
from wce_desktop.jobs.mailbox import Mail
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.threads.job import JobThread

__all__ = ["no_leaks"]
pytestmark = pytest.mark.usefixtures("no_leaks")


class Listener:
    """Notes each signal, its order, and the thread it was emitted in."""

    def __init__(self, thread: JobThread) -> None:
        """Listen to all of them."""
        self.heard: list[tuple[str, Any]] = []
        self.threads: set[QThread] = set()
        self._thread = thread
        thread.received.connect(self._note_mail)
        thread.finished_with.connect(self._note_outcome)

    def _note_mail(self, mail: Mail) -> None:
        if mail.lines:
            self._note("logged", tuple(mail.lines))
        if mail.progress is not None:
            self._note("progressed", mail.progress)
        for partial in mail.partials:
            self._note(partial.name, partial.payload)

    def _note(self, name: str, value: Any) -> None:
        self.heard.append((name, value))
        self.threads.add(QThread.currentThread())

    def _note_outcome(self, outcome: Outcome) -> None:
        self._note("outcome", outcome)
        assert not self._thread.isRunning()

    def of(self, name: str) -> list[Any]:
        """What was heard under this name."""
        return [value for heard, value in self.heard if heard == name]


def run_to_end(qtbot: QtBot, command: str, **config: Any) -> Listener:
    """Run one job to its end in the event loop."""
    thread = JobThread(JobSpec(f"testing {command}", command, config), command=children_command)
    listener = Listener(thread)
    with qtbot.waitSignal(thread.finished_with, timeout=20_000):
        thread.start()
    qtbot.wait(1)
    return listener


def test_everything_arrives_in_the_windows_thread_and_the_outcome_last(qtbot: QtBot) -> None:
    listener = run_to_end(qtbot, "finish")
    assert listener.of("outcome") == [Outcome("done", result={"sum": 6})]
    assert listener.heard[-1][0] == "outcome"
    assert listener.threads == {QThread.currentThread()}
    assert [payload["step"] for payload in listener.of("curve")] == [1, 2, 3]
    assert listener.of("progressed")[-1] == Progress(3, 3, "steps", "finishing")
    assert [line for lines in listener.of("logged") for line in lines] == ["first line", "second line"]


@pytest.mark.parametrize("command", ["fail", "raise_bug", "abort", "leave"])
def test_one_outcome_however_it_ends(qtbot: QtBot, command: str) -> None:
    listener = run_to_end(qtbot, command)
    (outcome,) = listener.of("outcome")
    assert outcome.kind == "failed"
    assert outcome.message
    assert listener.heard[-1][0] == "outcome"


def test_two_hundred_thousand_lines_are_a_few_signals(qtbot: QtBot) -> None:
    listener = run_to_end(qtbot, "chatter")
    assert listener.of("outcome")[0].result == {"lines": 200_000}
    assert 0 < len(listener.of("logged")) < 200
    assert sum(len(lines) for lines in listener.of("logged")) < 200_000


def test_closing_the_window_cancels_and_waits(qtbot: QtBot) -> None:
    thread = JobThread(JobSpec("hanging", "hang", {}), command=children_command, grace_seconds=0.2)
    listener = Listener(thread)
    with qtbot.waitSignal(thread.received, timeout=20_000):
        thread.start()
    thread.cancel()
    thread.wait_for_end()  # no event loop runs any more
    (outcome,) = listener.of("outcome")
    assert outcome.kind == "cancelled"
    qtbot.wait(1)
    assert len(listener.of("outcome")) == 1


def test_cancelled_before_the_thread_ran(qtbot: QtBot) -> None:
    thread = JobThread(JobSpec("working", "work", {}), command=children_command)
    listener = Listener(thread)
    thread.cancel()
    with qtbot.waitSignal(thread.finished_with, timeout=20_000):
        thread.start()
    assert listener.of("outcome")[0].kind == "cancelled"


def test_a_thread_that_was_never_started_can_be_closed(qtbot: QtBot) -> None:
    thread = JobThread(JobSpec("working", "work", {}), command=children_command)
    listener = Listener(thread)
    thread.wait_for_end()
    assert listener.of("outcome") == [Outcome("failed", "The job was never started.")]
