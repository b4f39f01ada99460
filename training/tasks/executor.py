"""What runs tasks: one after the other in this process, or on the workers of a cluster."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from training.runs.events import Busy, Event, JsonReporter, LogLine, Outcome, Partial, Progress
from training.runs.reporter import PassedOn, Reporter

RunJob: TypeAlias = Callable[[Mapping[str, Any], Reporter], Outcome]
"""Runs what a job file holds, {"command": name, "config": settings}, to its outcome; raises nothing."""


AGAIN = "again"
"""Key of a job whose worker was lost: a run that was begun is resumed."""


@dataclass(frozen=True)
class Task:
    """One part of a command: a job of its own.

    Attributes:
        name: what the log calls it; no two tasks of a run have the same.
        job: what the file of such a job holds, JSON values; its paths are absolute.
        reads: what a worker must be able to open, such as the video of a study.
        kind: of the workers that may run it, see `Executor.kinds`; empty: any.
    """

    name: str
    job: Mapping[str, Any]
    reads: tuple[Path, ...] = ()
    kind: str = ""


OnEvent: TypeAlias = Callable[[Task, Event], None]


class Executor(Protocol):
    """Runs tasks; results come in the order in which they are finished."""

    def kinds(self, reporter: Reporter) -> dict[str, int]:
        """The kinds of workers, and how many there are of each."""

    def run(self, tasks: Sequence[Task], reporter: Reporter, on_event: OnEvent) -> Iterator[tuple[Task, Outcome]]:
        """Each task with its outcome. A stop ends the running tasks early, and begins no other.

        Args:
            tasks: independent of each other.
            reporter: log of the executor itself; asks for a stop.
            on_event: what a task reports while it runs.

        Raises:
            UserError: no task can run any more.
            Cancelled: the reporter asked to end at once.
        """


class ThisProcess:
    """Runs tasks one after the other."""

    def __init__(self, run_job: RunJob) -> None:
        self._run_job = run_job

    def kinds(self, reporter: Reporter) -> dict[str, int]:
        """See `Executor`."""
        return {"": 1}

    def run(self, tasks: Sequence[Task], reporter: Reporter, on_event: OnEvent) -> Iterator[tuple[Task, Outcome]]:
        """See `Executor`."""
        for task in tasks:
            if reporter.stop_requested:
                return
            yield task, self._run_job(task.job, _Relay(reporter, task, on_event))
            reporter.check()


class _Relay(PassedOn):
    """Hands the events of a task on; stops with the command."""

    def __init__(self, inner: Reporter, task: Task, on_event: OnEvent) -> None:
        super().__init__(inner)
        self._task, self._on_event = task, on_event

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self._on_event(self._task, Progress(done, total, unit, what))

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        self._on_event(self._task, Partial(name, payload))

    def log(self, line: str) -> None:
        self._on_event(self._task, LogLine(line))


def lines_to(reporter: Reporter) -> OnEvent:
    """Logs the lines of tasks, each after the name of its task."""

    def hear(task: Task, event: Event) -> None:
        if isinstance(event, LogLine):
            reporter.log(f"{task.name}: {event.line}")

    return hear


def pass_on(event: Event, reporter: Reporter) -> None:
    """Report an event of a task as if this process did its work."""
    if isinstance(event, Progress):
        reporter.progress(event.done, event.total, event.unit, event.what)
    elif isinstance(event, Partial):
        reporter.partial(event.name, event.payload)
    elif isinstance(event, LogLine):
        reporter.log(event.line)
    elif isinstance(event, Busy) and isinstance(reporter, JsonReporter):
        reporter.busy(event.is_busy, event.what)
