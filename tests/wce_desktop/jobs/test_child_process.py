"""Real children that finish, fail, crash, hang, chatter and are left alone: one outcome, always."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.wce_desktop.jobs.children import ROOT, children_command
from tests.wce_desktop.leaks import is_alive, wait_until
from training.runs.events import Busy, Event, LogLine, Outcome, Partial, Progress
from wce_desktop.jobs.child_process import ChildProcess
from wce_desktop.jobs.spec import JobSpec

pytestmark = pytest.mark.usefixtures("no_leaks")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")


class Run:
    """One child that runs in a thread of its own."""

    def __init__(self, command: str, grace_seconds: float = 2.0, exit_seconds: float = 10.0, **config: Any) -> None:
        """Start it."""
        self.events: list[Event] = []
        self.outcome: Outcome | None = None
        self._arrived = threading.Condition()
        spec = JobSpec(f"testing {command}", command, config)
        self.child = ChildProcess(spec, children_command, grace_seconds, exit_seconds)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self.outcome = self.child.run(self._receive)

    def _receive(self, event: Event) -> None:
        with self._arrived:
            self.events.append(event)
            self._arrived.notify_all()

    def wait_for(self, condition: Callable[[Event], bool]) -> Event:
        """Wait for an event."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: any(map(condition, self.events)), timeout=20), self.events
            return next(event for event in self.events if condition(event))

    def wait_for_partial(self, name: str) -> Partial:
        """Wait for a partial result of this name."""
        event = self.wait_for(lambda event: isinstance(event, Partial) and event.name == name)
        assert isinstance(event, Partial)
        return event

    def ends_within(self, seconds: float) -> bool:
        """Whether it ends in this time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def join(self) -> Outcome:
        """Wait for the outcome."""
        self._thread.join(timeout=30)
        assert self.outcome is not None, "the child never ended"
        return self.outcome

    @property
    def lines(self) -> list[str]:
        """The log."""
        return [event.line for event in self.events if isinstance(event, LogLine)]


def test_a_child_that_finishes() -> None:
    run = Run("finish", given=[1, 2])
    assert run.join() == Outcome("done", result={"sum": 6, "given": [1, 2]})
    losses = [event.payload["loss"] for event in run.events if isinstance(event, Partial)]
    assert losses == [1.0, 0.5, None]
    assert run.lines == ["first line", "second line"]
    last = [event for event in run.events if isinstance(event, Progress)][-1]
    assert (last.done, last.total, last.fraction) == (3, 3, 1.0)


def test_a_users_error_is_its_sentence_and_hint() -> None:
    run = Run("fail")
    assert run.join() == Outcome("failed", "P11.mp4 holds no video.", "Choose another file.")
    assert run.lines == []


@pytest.mark.parametrize(("command", "detail"), [("raise_bug", "secret detail"), ("return_odd", "cannot be encoded")])
def test_a_bug_is_one_sentence_and_its_trace_in_the_log(command: str, detail: str) -> None:
    run = Run(command)
    outcome = run.join()
    assert outcome.kind == "failed"
    assert "unexpected error" in outcome.message
    assert detail not in str(outcome)
    assert any(detail in line for line in run.lines)


@posix_only
@pytest.mark.parametrize(
    ("command", "reason", "words"),
    [("abort", "SIGABRT", "about to abort"), ("be_killed", "SIGKILL", "last words"), ("leave", "exit code 3", "")],
)
def test_a_child_that_dies_without_a_word(command: str, reason: str, words: str) -> None:
    outcome = Run(command).join()
    assert outcome.kind == "failed"
    assert outcome.message == f"The process for testing {command} ended unexpectedly ({reason})."
    assert words in outcome.hint
    assert outcome.result["reason"] == reason


def test_a_command_line_that_does_not_exist() -> None:
    child = ChildProcess(JobSpec("scoring", "score", {}), lambda path: ["/no/such/program", str(path)])
    outcome = child.run(lambda event: None)
    assert outcome.kind == "failed"
    assert "could not be started" in outcome.message


def test_stop_keeps_what_was_done(tmp_path: Path) -> None:
    run = Run("work", save=str(tmp_path / "saved"))
    run.wait_for_partial("working")
    run.child.stop()
    outcome = run.join()
    assert outcome.kind == "done"
    assert "Stopped early" in outcome.message
    assert (tmp_path / "saved").exists()


def test_cancel_ends_at_once_and_keeps_nothing(tmp_path: Path) -> None:
    run = Run("work", save=str(tmp_path / "saved"))
    run.wait_for_partial("working")
    run.child.cancel()
    assert run.join().kind == "cancelled"
    assert not (tmp_path / "saved").exists()


def test_cancel_outweighs_stop() -> None:
    run = Run("hang", grace_seconds=0.2)
    run.wait_for_partial("hanging")
    run.child.stop()
    run.child.cancel()
    run.child.cancel()
    assert run.join().kind == "cancelled"


def test_a_child_that_ignores_everything_is_killed_with_all_it_started() -> None:
    run = Run("hang", grace_seconds=0.4)
    pid = run.wait_for_partial("hanging").payload["pid"]
    begin_seconds = time.monotonic()
    run.child.cancel()
    assert run.join().kind == "cancelled"
    assert time.monotonic() - begin_seconds >= 0.4
    assert wait_until(lambda: not is_alive(pid))
    assert "killed" in run.lines[-1]


@posix_only
def test_a_process_that_is_left_behind_does_not_hold_the_outcome_back() -> None:
    outcome = Run("orphan").join()
    assert outcome.kind == "done"
    assert wait_until(lambda: not is_alive(outcome.result["pid"]))


def test_a_child_that_does_not_end_after_its_outcome_is_killed() -> None:
    run = Run("linger", exit_seconds=0.2)
    assert run.join() == Outcome("done", result={"lingers": True})


def test_never_killed_while_a_checkpoint_is_written(tmp_path: Path) -> None:
    run = Run("write_checkpoint", grace_seconds=0.2, seconds=1.0, save=str(tmp_path / "checkpoint"))
    run.wait_for_partial("writing")
    run.child.cancel()
    assert run.join().kind == "cancelled"
    assert (tmp_path / "checkpoint").read_text() == "whole"
    told = [event for event in run.events if isinstance(event, Busy | LogLine)]
    assert told[:2] == [Busy(True, "writing a checkpoint"), Busy(False, "writing a checkpoint")]  # and no kill between


@pytest.mark.parametrize("command", ["flap", "stay_busy"])
def test_a_second_cancel_ends_a_child_that_says_it_is_busy(command: str) -> None:
    run = Run(command, grace_seconds=0.3)
    run.wait_for(lambda event: isinstance(event, Busy))
    run.child.cancel()
    assert not run.ends_within(0.4), "the first cancel waits for the checkpoint"
    begin_seconds = time.monotonic()
    run.child.cancel()
    assert run.join().kind == "cancelled"
    assert time.monotonic() - begin_seconds < 3


def test_chatter_on_both_pipes_blocks_nobody() -> None:
    run = Run("chatter")
    assert run.join() == Outcome("done", result={"lines": 200_000})
    assert len(run.lines) == 200_000
    assert [line for line in run.lines if line.startswith("out")][-1] == "out 99999"


def test_what_is_printed_cannot_break_the_protocol() -> None:
    run = Run("print_garbage")
    assert run.join() == Outcome("done", result={"garbage": True})
    assert any("forged" in line for line in run.lines)
    assert any("from a shell" in line for line in run.lines)


def test_garbage_on_the_events_own_pipe_goes_to_the_log() -> None:
    code = (
        'print(\'hello\'); print(\'{"event":"outcome","kind":"done"}\'); print(\'{"event":"outcome","kind":"failed"}\')'
    )
    events: list[Event] = []
    child = ChildProcess(JobSpec("raw", "raw", {}), lambda path: [sys.executable, "-c", code])
    assert child.run(events.append) == Outcome("done")  # the first outcome counts
    assert events == [LogLine("hello")]


def test_cancelled_before_it_began_nothing_is_started() -> None:
    started: list[Path] = []

    def command(path: Path) -> Sequence[str]:
        started.append(path)
        return children_command(path)

    child = ChildProcess(JobSpec("testing", "finish", {}), command)
    child.cancel()
    assert child.run(lambda event: None).kind == "cancelled"
    assert not started


@posix_only
def test_when_the_window_is_gone_the_child_saves_and_stops(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    code = (
        "import sys; from tests.wce_desktop.jobs.children import children_command\n"
        "from wce_desktop.jobs.child_process import ChildProcess; from wce_desktop.jobs.spec import JobSpec\n"
        f"spec = JobSpec('working', 'work', {{'save': {str(saved)!r}}})\n"
        "ChildProcess(spec, children_command).run(lambda e: print(e, flush=True) if 'pid' in str(e) else None)\n"
    )
    window = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    with window:
        assert window.stdout is not None
        pid = int(window.stdout.readline().decode().rsplit(":", 1)[1].strip(" })\n"))
        assert is_alive(pid)
        os.kill(window.pid, signal.SIGKILL)
    assert wait_until(saved.exists)
    assert wait_until(lambda: not is_alive(pid))


def job_folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(f"wce-job-{os.getpid()}-*"))


def test_the_config_is_gone_as_soon_as_the_child_has_read_it() -> None:
    before = job_folders()
    run = Run("work")
    run.wait_for(lambda event: not isinstance(event, LogLine))
    assert job_folders() == before
    run.child.cancel()
    run.join()
    assert job_folders() == before
