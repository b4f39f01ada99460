"""A worker of a cluster: a process of Ray that runs one task after the other and keeps its models loaded."""

import importlib
import os
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.compute.plan import limit_cores
from training.runs.events import Event, JsonReporter, Outcome, encode

REACH_SECONDS = 90.0
"""How long a share may take to answer before its files count as out of reach."""
TALK_SECONDS, LEAST_TALK_SECONDS = 5.0, 0.2
"""How long a call for events waits for one, and how often one is answered at most."""
UNREACHABLE = "unreachable"
"""Key in the result of a task whose file this computer cannot open."""


class Collected(JsonReporter):
    """Keeps events until the cluster's driver fetches them."""

    def __init__(self) -> None:
        super().__init__(-1)
        self._lines: list[str] = []
        self._arrived = threading.Event()
        self.ended = threading.Event()

    def _write(self, event: Event) -> None:
        self._lines.append(encode(event))
        self._arrived.set()

    def take(self, seconds: float) -> list[str]:
        """The events since the last call, encoded; waits for one so long, or until the work has ended."""
        self._arrived.wait(seconds)
        with self._lock:
            lines, self._lines = self._lines, []
            if not self.ended.is_set():
                self._arrived.clear()
        return lines

    def ending(self, outcome: Outcome) -> list[str]:
        """The events that nobody has fetched, and the outcome, which no other call gets."""
        with self._lock:
            held_back = [] if self._held_back is None else [encode(self._held_back)]
            lines, self._lines = self._lines, []
            self.ended.set()
            self._arrived.set()
            return [*lines, *held_back, encode(outcome)]


class Worker:
    """Runs tasks; `talk` is called from another thread meanwhile."""

    def __init__(self, run_job: str, cores: int) -> None:
        """`run_job`: "module:function", a `RunJob`; `cores`: threads that the work may use."""
        module, _, name = run_job.partition(":")
        self._run_job = getattr(importlib.import_module(module), name)
        self._reporter = Collected()
        limit_cores(cores)

    def begin(self) -> int:
        """The process's id, once it is there."""
        return os.getpid()

    def run(self, job: Mapping[str, Any], reads: Sequence[str]) -> list[str]:
        """The last events of the job, its outcome at the end."""
        reporter = self._reporter = Collected()
        lacking = next((path for path in reads if not reaches(Path(path))), None)
        if lacking is not None:
            outcome = Outcome("failed", result={UNREACHABLE: lacking})
        else:
            outcome = self._run_job(job, reporter)
        return reporter.ending(outcome)

    def talk(self, stop: bool) -> list[str]:
        """The events since the last call; `stop` asks the work to keep what it has and return."""
        started, reporter = time.monotonic(), self._reporter
        if stop:
            reporter.request_stop()
        lines = reporter.take(TALK_SECONDS)
        reporter.ended.wait(max(0.0, LEAST_TALK_SECONDS - (time.monotonic() - started)))
        return lines


def reaches(path: Path, seconds: float = REACH_SECONDS) -> bool:
    """Whether this computer can open a file or folder; a share that does not answer in time counts as out of reach."""
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(path.exists()), daemon=True)
    thread.start()
    thread.join(seconds)
    return answers == [True]
