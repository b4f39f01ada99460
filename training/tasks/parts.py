"""A command whose cells are tasks: trainings of folds, seeds and rows that are computed once and kept on disk.

Each task is the same command with the same settings, which computes the cells that it names and ends. Its other files
lie in a folder of its own; the cells, in the folder of the whole command, which every computer must have at the same
path.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.runs.reporter import Reporter
from training.tasks.executor import Executor, Task, lines_to
from training.texts import Text

PART = "part"
"""Key of a job that computes some cells only."""


class PartDone(Exception):  # noqa: N818 - no error
    """Raised where the cells of a part are computed: what follows is for the whole command."""


@dataclass(frozen=True)
class Part:
    """Which cells a task computes.

    Attributes:
        names: of the cells.
        whole: folder of the whole command.
        own: folder of the task.
        machine: what is kept of the computer as a key of each cell; None: this one's own.
    """

    names: frozenset[str]
    whole: Path
    own: Path
    machine: Mapping[str, str] | None = None

    @classmethod
    def of_job(cls, job: Mapping[str, Any]) -> "Part":
        """Raises KeyError or TypeError where the job has none."""
        part = job[PART]
        return cls(frozenset(part["names"]), Path(part["whole"]), Path(job["config"]["out"]), part["machine"])


@dataclass(frozen=True)
class Work:
    """A command on a cluster: what runs its tasks, and its job."""

    executor: Executor
    job: Mapping[str, Any]
    machine: Mapping[str, str] | None = None

    def compute(self, groups: Sequence[Sequence[str]], reporter: Reporter, what: str) -> dict[str, UserError]:
        """Compute cells, each group by one worker; returns those that could not be, with the reason.

        Args:
            groups: names of cells, as the command calls them; those of a group share what is computed once.
            reporter: hears of every group that is done.
            what: of the progress.
        """
        folder = Path(self.job["config"]["out"])
        place = folder.with_name(f".{folder.name}.tasks")
        tasks = {names[0]: self._task(names, folder, place) for names in groups}
        failures: dict[str, UserError] = {}
        count = sum(map(len, groups))
        done = 0
        names_of = {names[0]: names for names in groups}

        reporter.progress(0, count, "cells", what)
        for task, outcome in self.executor.run(list(tasks.values()), reporter, lines_to(reporter)):
            if outcome.kind == "failed":
                failures |= dict.fromkeys(names_of[task.name], UserError(outcome.message, outcome.hint))
            done += len(names_of[task.name])
            reporter.progress(done, count, "cells", what)
        shutil.rmtree(place, ignore_errors=True)
        return failures

    def _task(self, names: Sequence[str], folder: Path, place: Path) -> Task:
        own = place / hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
        part = {"names": list(names), "whole": str(folder), "machine": dict(self.machine) if self.machine else None}
        config = {**self.job["config"], "out": str(own), "resume": False}
        return Task(names[0], {**self.job, "config": config, PART: part}, (folder,))


_work: list[Work] = []
_parts: list[Part] = []


def current_work() -> Work | None:
    """The cluster that the running command was given; None: it computes here."""
    return _work[-1] if _work else None


def current_part() -> Part | None:
    """What this process computes of a command; None: all of it."""
    return _parts[-1] if _parts else None


@contextmanager
def working(work: Work | None = None, part: Part | None = None) -> Iterator[None]:
    """Let the command that runs in the block hand its cells to a cluster, or compute a part of them."""
    _work.extend([work] if work else [])
    _parts.extend([part] if part else [])
    try:
        yield
    finally:
        _work.clear()
        _parts.clear()


def shared(path: Path) -> Path:
    """Where cells of a command lie: in a part of it, in the folder of the whole."""
    part = current_part()
    if part is None or not path.is_relative_to(part.own):
        return path
    return part.whole / path.relative_to(part.own)


class NotKept(Exception):  # noqa: N818 - no error
    """Raised inside `only_kept` where a cell would be computed."""


_only_kept: list[bool] = []


def check_may_compute() -> None:
    """Raise `NotKept` where cells are only looked for."""
    if _only_kept:
        raise NotKept


def kept_or_none(compute: Callable[[], Any]) -> Any:
    """What `compute` returns where all its cells are kept; None where one is not."""
    _only_kept.append(True)
    try:
        return compute()
    except NotKept:
        return None
    finally:
        _only_kept.pop()


def missing(name: str) -> UserError:
    """A worker says that it is done, and what it kept is not there."""
    return UserError(
        Text("{name}: what the worker kept is not there.", name),
        Text("Put the output folder on a share that every computer has at this path."),
    )
