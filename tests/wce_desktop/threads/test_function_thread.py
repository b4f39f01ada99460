"""Short jobs in a thread: the newest request wins, and nothing of a superseded one arrives."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from tests.wce_desktop.leaks import no_leaks
from training.errors import UserError
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from wce_desktop.threads.function_thread import FunctionThread

__all__ = ["no_leaks"]
pytestmark = pytest.mark.usefixtures("no_leaks")


@pytest.fixture
def thread(qtbot: QtBot) -> Iterator[FunctionThread]:
    """A thread that is closed afterwards."""
    thread = FunctionThread()
    yield thread
    thread.close()


def test_a_value_comes_back_to_the_windows_thread(qtbot: QtBot, thread: FunctionThread) -> None:
    worked_in: list[QThread] = []
    heard_in: list[QThread] = []
    thread.returned.connect(lambda value: heard_in.append(QThread.currentThread()))

    def work(reporter: Reporter) -> object:
        worked_in.append(QThread.currentThread())
        reporter.progress(1, 2, "steps", "projecting")
        reporter.partial("map", {"points": [1, 2]})
        reporter.log("a line")
        return {"answer": 42}

    told = [thread.progressed, thread.partial_arrived, thread.logged]
    with qtbot.waitSignals(told, timeout=5000), qtbot.waitSignal(thread.returned, timeout=5000) as returned:
        thread.request(work)
    assert returned.args == [{"answer": 42}]
    assert heard_in == [QThread.currentThread()]
    assert worked_in != heard_in


def test_the_newest_request_wins(qtbot: QtBot, thread: FunctionThread) -> None:
    begun, ended = threading.Event(), threading.Event()
    values: list[object] = []
    thread.returned.connect(values.append)
    thread.failed.connect(values.append)

    def deaf(reporter: Reporter) -> object:
        begun.set()
        ended.wait(5)  # never asks whether it should end
        reporter.partial("late", {})
        return "old"

    thread.partial_arrived.connect(lambda name, payload: values.append(name))
    thread.request(deaf)
    assert begun.wait(5)
    thread.request(lambda reporter: "skipped")
    thread.request(lambda reporter: "new")
    ended.set()
    with qtbot.waitSignal(thread.returned, timeout=5000):
        pass
    qtbot.wait(1)
    assert values == ["new"]


def test_a_superseded_request_is_asked_to_end(qtbot: QtBot, thread: FunctionThread) -> None:
    begun, was_asked = threading.Event(), threading.Event()

    def polite(reporter: Reporter) -> object:
        begun.set()
        while not reporter.stop_requested:
            was_asked.wait(0.001)
        was_asked.set()
        reporter.check()
        return "never"

    thread.request(polite)
    assert begun.wait(5)
    thread.cancel()
    assert was_asked.wait(5)
    with qtbot.waitSignal(thread.returned, timeout=5000) as returned:
        thread.request(lambda reporter: "next")
    assert returned.args == ["next"]


def test_a_users_error_is_an_outcome(qtbot: QtBot, thread: FunctionThread) -> None:
    def work(reporter: Reporter) -> object:
        raise UserError("P11.mp4 is empty.", "Copy it again.")

    with qtbot.waitSignal(thread.failed, timeout=5000) as failed:
        thread.request(work)
    assert failed.args == [Outcome("failed", "P11.mp4 is empty.", "Copy it again.")]


def test_a_bug_leaves_its_trace_in_the_log(
    qtbot: QtBot, thread: FunctionThread, caplog: pytest.LogCaptureFixture
) -> None:
    def work(reporter: Reporter) -> object:
        raise ZeroDivisionError("secret detail")

    with qtbot.waitSignal(thread.failed, timeout=5000) as failed:
        thread.request(work)
    assert failed.args is not None
    assert "unexpected error" in failed.args[0].message
    assert "secret detail" in caplog.text


def test_closing_ends_what_runs_and_takes_no_more(qtbot: QtBot, thread: FunctionThread) -> None:
    begun = threading.Event()

    def work(reporter: Reporter) -> object:
        begun.set()
        while True:
            reporter.check()

    thread.request(work)
    assert begun.wait(5)
    thread.close()
    assert not thread.isRunning()
    with pytest.raises(RuntimeError, match="closed"):
        thread.request(work)
