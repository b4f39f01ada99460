"""The reporter of a child process, on a pipe of its own."""

import os
import threading
from collections.abc import Iterator

import pytest

from tests.training.runs.test_reporter import Clock
from training.runs.events import Busy, Event, JsonReporter, LogLine, Outcome, Partial, Progress, decode, uninterrupted
from training.runs.reporter import Cancelled


class Pipe:
    """A pipe whose reading end the test holds."""

    def __init__(self) -> None:
        """Open both ends."""
        self.reading, self.writing = os.pipe()

    def close_reading(self) -> None:
        """Nobody listens any more."""
        os.close(self.reading)
        self.reading = -1

    def events(self) -> list[Event]:
        """Close the writing end and read everything."""
        os.close(self.writing)
        self.writing = -1
        with os.fdopen(self.reading, encoding="utf-8") as stream:
            self.reading = -1
            return [decode(line) for line in stream]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """A pipe that is closed afterwards."""
    pipe = Pipe()
    yield pipe
    for descriptor in (pipe.reading, pipe.writing):
        if descriptor >= 0:
            os.close(descriptor)


def test_progress_is_throttled_and_the_last_is_never_lost(pipe: Pipe) -> None:
    clock = Clock()
    reporter = JsonReporter(pipe.writing, clock)
    for done in range(1, 1001):
        clock.seconds = done / 1000
        reporter.progress(done, 10_000, "frames", "scoring")
    reporter.outcome(Outcome("done"))
    *progress, outcome = pipe.events()
    assert outcome == Outcome("done")
    assert 9 <= len(progress) <= 13
    last = progress[-1]
    assert isinstance(last, Progress)
    assert last.done == 1000


def test_the_rate_comes_with_it(pipe: Pipe) -> None:
    clock = Clock()
    reporter = JsonReporter(pipe.writing, clock)
    reporter.progress(0, 100, "frames", "scoring")
    clock.seconds = 1.0
    reporter.progress(20, 100, "frames", "scoring")
    assert pipe.events()[-1] == Progress(20, 100, "frames", "scoring", 20.0, 4.0)


def test_lines_of_several_threads_do_not_mix(pipe: Pipe) -> None:
    reporter = JsonReporter(pipe.writing)
    received: list[Event] = []

    def read() -> None:
        with os.fdopen(os.dup(pipe.reading), encoding="utf-8") as stream:
            received.extend(decode(stream.readline()) for _ in range(600))

    def write(name: str) -> None:
        for step in range(200):
            reporter.partial(name, {"step": step, "filling": "x" * 5000})

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"] + [threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    steps = [event.payload["step"] for event in received if isinstance(event, Partial) and event.name == "b"]
    assert steps == list(range(200))


def test_a_window_that_is_gone_means_stop_and_is_no_error(pipe: Pipe) -> None:
    pipe.close_reading()
    reporter = JsonReporter(pipe.writing)
    reporter.log("nobody hears this")
    assert reporter.stop_requested
    reporter.check()  # it is not cancelled: what was done is saved
    reporter.outcome(Outcome("done"))


def test_cancel_means_stop_as_well(pipe: Pipe) -> None:
    reporter = JsonReporter(pipe.writing)
    reporter.check()
    reporter.request_cancel()
    assert reporter.stop_requested
    with pytest.raises(Cancelled):
        reporter.check()


def test_a_checkpoint_is_announced_and_its_end_too(pipe: Pipe) -> None:
    reporter = JsonReporter(pipe.writing)

    def write() -> None:
        with uninterrupted(reporter):
            reporter.log("writing\nstill writing")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        write()
    what = "writing a checkpoint"
    assert pipe.events() == [Busy(True, what), LogLine("writing"), LogLine("still writing"), Busy(False, what)]


def test_no_checkpoint_begins_after_a_cancel(pipe: Pipe) -> None:
    reporter = JsonReporter(pipe.writing)
    reporter.request_cancel()
    with pytest.raises(Cancelled), uninterrupted(reporter):
        pytest.fail("the body must not run")
    assert pipe.events() == []
