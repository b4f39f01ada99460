"""Scoring many small studies on a Ray cluster of this computer, by turns with one process.

    python -m tests.benchmarks.bench_cluster MODEL [--studies 40] [--frames 120] [--turns 2]

Prints frames a second with 1, 2 and 4 workers (each with one core), and the share of linear; whether all files are
those of one process, bit for bit, also where a worker was killed on the way; and the overhead of 1,000 sleeping tasks
on 64 workers.
"""

import argparse
import math
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import h5py
import pytest

from tests.ray_cluster import FAKE_JOB, Started, local_cluster
from training.commands.common import find_command
from training.commands.work import run_command
from training.runs.events import Event
from training.runs.reporter import Reporter, SilentReporter
from training.tasks.executor import Task
from training.tasks.ray_cluster import RayExecutor


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("--studies", type=int, default=40)
    parser.add_argument("--frames", type=int, default=120)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--sleepers", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--only", choices=("score", "sleep"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wce", dir="/tmp") as place:
        folder = Path(place)
        if options.only != "sleep":
            score_by_turns(folder, options)
        if options.only != "score":
            sleep(folder, options.sleepers, options.seconds)


def score_by_turns(folder: Path, options: argparse.Namespace) -> None:
    """Rates of 1, 2 and 4 workers, and whether their files are those of one process."""
    config, run, _ = find_command("phantom")
    phantom = config(out=folder / "phantom", studies=options.studies, frames=options.frames)  # type: ignore[call-arg]
    run(phantom, SilentReporter())
    manifest = folder / "phantom" / "manifest.json"
    rates: dict[int, list[float]] = {1: [], 2: [], 4: []}
    costs: dict[int, list[float]] = {1: [], 2: [], 4: []}
    started = time.perf_counter()
    score(manifest, options.model, folder / "one")
    print(f"one process, all cores: {options.studies} studies in {time.perf_counter() - started:.1f} s, {load()}")
    for turn in range(options.turns):
        for workers in rates:
            out = folder / f"{turn}-{workers}"
            with pytest.MonkeyPatch.context() as patch, local_cluster(workers, folder / f"r{turn}{workers}"):
                begun, ends = Started(patch), Ends(workers)
                score(manifest, options.model, out, ends)
                rates[workers].append(ends.rate * options.frames)
                costs[workers].append(1000 * begun.cpu_seconds / (options.studies * options.frames))
            print(
                f"turn {turn + 1}, {workers} workers: {rates[workers][-1]:.1f} frames/s once all work, "
                f"{costs[workers][-1]:.1f} ms of a core for a frame, {load()}; {equal(folder / 'one', out)}"
            )
    for workers in rates:
        linear = median(rates[1]) * min(workers, os.cpu_count() or 1)
        print(
            f"{workers} workers: {median(rates[workers]):.1f} frames/s, {median(rates[workers]) / linear:.2f} of linear"
            f"; by time of cores {median(costs[1]) / median(costs[workers]):.2f}"
        )
    with pytest.MonkeyPatch.context() as patch, local_cluster(4, folder / "rk"):
        begun = Started(patch)
        score(manifest, options.model, folder / "killed", Ends(4, at=options.studies // 3, call=begun.kill_first))
        print(f"4 workers, one killed ({begun.count} were started): {equal(folder / 'one', folder / 'killed')}")


def load() -> str:
    """The load of the machine."""
    return f"load {os.getloadavg()[0]:.1f}"


class Ends(SilentReporter):
    """Notes when studies are finished; after `at` of them calls `call`."""

    def __init__(self, workers: int, at: int = 0, call: Callable[[], None] = lambda: None) -> None:
        self._workers, self._at, self._call = workers, at, call
        self._seconds: list[float] = []

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Once for each study."""
        if done:
            self._seconds.append(time.perf_counter())
        if done == self._at and done:
            self._call()

    @property
    def rate(self) -> float:
        """Studies a second, from when every worker has finished two until the last ones begin."""
        first, last = 2 * self._workers, len(self._seconds) - self._workers
        return (last - first) / (self._seconds[last - 1] - self._seconds[first - 1])


def score(manifest: Path, model: Path, out: Path, reporter: Reporter | None = None) -> None:
    """Score here, or with a reporter on the cluster that is open."""
    config = find_command("score")[0](studies=manifest, model=model, out=out, device="cpu")  # type: ignore[call-arg]
    result = run_command("score", config, reporter or SilentReporter(), "open" if reporter else "")
    assert result["complete"], result


def equal(first: Path, second: Path) -> str:
    """Whether two folders have the same files with the same numbers."""
    names = sorted(path.name for path in first.glob("*.h5"))
    if names != sorted(path.name for path in second.iterdir()):
        return "NOT complete"
    for name in names:
        with h5py.File(first / name) as one, h5py.File(second / name) as other:
            if [*one] != [*other] or any(one[each][...].tobytes() != other[each][...].tobytes() for each in one):
                return f"NOT equal ({name})"
    return f"{len(names)} studies, equal bit for bit"


def sleep(folder: Path, workers: int, seconds: float, count: int = 1000) -> None:
    """The overhead of handing out tasks, where workers do nothing but wait: they begin together, once all are there."""
    gate, there, begun = folder / "gate", 0, 0.0
    waiting = [Task(f"first {number}", _job(until=str(gate))) for number in range(workers)]
    work = [Task(str(number), _job(seconds=seconds)) for number in range(count)]

    def hear(task: Task, _: Event) -> None:
        nonlocal there, begun
        there += task.name.startswith("first")
        if there == workers and not begun:
            begun = time.perf_counter()
            gate.touch()

    with local_cluster(workers, folder / "rs"):
        started = time.perf_counter()
        list(RayExecutor("open", FAKE_JOB).run([*waiting, *work], SilentReporter(), hear))
        took = time.perf_counter() - begun
    ideal = math.ceil(count / workers) * seconds
    print(
        f"{count} tasks of {seconds:g} s on {workers} workers (there in {begun - started:.0f} s): {took:.1f} s, best "
        f"{ideal:.1f} s: overhead {took / ideal - 1:.1%}; {load()}"
    )


def _job(**config: Any) -> dict[str, Any]:
    return {"command": "", "config": config}


if __name__ == "__main__":
    main()
