"""Tasks on a real Ray cluster of this computer: events, outcomes, lost workers, stops, and what is refused.

Ray ends the process that uses a cluster when the cluster is lost, and with it all tests of that process; so these run
alone: uv run pytest -n 0 tests/training/tasks/test_ray_cluster.py
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import pytest

pytest.importorskip("ray", reason="the extra “cluster” is not installed")

from tests.models import write_untrained_model
from tests.ray_cluster import FAKE_JOB, TINY_JOB, Started, local_cluster
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training import version
from training.commands import work
from training.commands.common import find_command
from training.commands.work import run_command
from training.errors import UserError
from training.evaluation.evaluate_config import evaluate_config
from training.runs.events import Event, LogLine, Outcome, decode
from training.runs.reporter import Cancelled, SilentReporter
from training.tasks.executor import Task
from training.tasks.ray_cluster import RayExecutor, connected
from training.tasks.ray_worker import Collected

pytestmark = [
    pytest.mark.skipif("PYTEST_XDIST_WORKER" in os.environ, reason="a cluster needs the cores: run with -n 0"),
    pytest.mark.filterwarnings("ignore"),  # of Ray, on resources that it closes itself
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Two workers with a core each."""
    # A short path: it becomes the name of a socket.
    with (
        tempfile.TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as folder,
        local_cluster(2, Path(folder)),
    ):
        yield


class Listener(SilentReporter):
    """Keeps the log; stops or cancels once a task says something."""

    stop_requested = False
    is_cancelled = False

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)

    def check(self) -> None:
        if self.is_cancelled:
            raise Cancelled


def task(name: str, *, reads: tuple[Path, ...] = (), **config: Any) -> Task:
    return Task(name, {"command": "", "config": {"name": name, **config}}, reads)


def run(tasks: Sequence[Task], reporter: Listener) -> tuple[dict[str, Outcome], list[tuple[str, Event]]]:
    events: list[tuple[str, Event]] = []
    executor = RayExecutor("the tests", FAKE_JOB)
    outcomes = executor.run(tasks, reporter, lambda task, event: events.append((task.name, event)))
    return {each.name: outcome for each, outcome in outcomes}, events


def test_each_task_has_its_events_and_one_outcome() -> None:
    outcomes, events = run([task("a"), task("b", fails="The disk is full."), task("c")], Listener())
    assert {name: outcome.kind for name, outcome in outcomes.items()} == {"a": "done", "b": "failed", "c": "done"}
    assert outcomes["b"].message == "The disk is full."
    assert sorted(events) == [(name, LogLine(f"{name} began")) for name in "abc"]


def test_many_short_tasks_each_have_their_outcome() -> None:
    outcomes, _ = run([task(str(number)) for number in range(60)], Listener())
    assert [outcome.kind for outcome in outcomes.values()] == ["done"] * 60


def test_the_outcome_is_not_lost_to_a_call_for_events() -> None:
    """Such a call may wait for an event in the very moment in which the task ends."""
    reporter, taken = Collected(), list[str]()
    waits = threading.Thread(target=lambda: taken.extend(reporter.take(0.2)))
    waits.start()
    lines = reporter.ending(Outcome("done"))
    waits.join()
    assert (taken, [decode(line) for line in lines]) == ([], [Outcome("done")])


def test_a_call_for_events_does_not_outlive_the_work() -> None:
    """The driver waits for it before it hands out the next task."""
    reporter = Collected()
    threading.Timer(0.1, lambda: reporter.ending(Outcome("done"))).start()
    began = time.monotonic()
    assert reporter.take(60) == reporter.take(60) == []
    assert time.monotonic() - began < 30


def test_a_task_whose_worker_is_lost_is_run_again(tmp_path: Path) -> None:
    reporter = Listener()
    outcomes, _ = run([task("a", dies=str(tmp_path / "died")), task("b")], reporter)
    assert {outcome.kind for outcome in outcomes.values()} == {"done"}
    assert any("was lost; a goes on elsewhere" in line for line in reporter.lines)


def test_a_task_that_ends_its_worker_again_and_again_fails() -> None:
    outcomes, _ = run([task("a", dies="always"), task("b")], Listener())
    assert (outcomes["a"].kind, outcomes["b"].kind) == ("failed", "done")
    assert outcomes["a"].message.startswith("3 workers were lost with it")


def test_a_file_that_no_worker_reaches_is_named(tmp_path: Path) -> None:
    lacking = tmp_path / "elsewhere.mp4"
    outcomes, _ = run([task("a", reads=(lacking,)), task("b", reads=(tmp_path,))], Listener())
    assert outcomes["b"].kind == "done"
    assert str(outcomes["a"]).startswith(f"{lacking} is not within reach of any worker (")


def test_a_stop_ends_what_runs_and_begins_nothing_else() -> None:
    reporter = Listener()
    threading.Timer(3.0, lambda: setattr(reporter, "stop_requested", True)).start()
    outcomes, _ = run([task(str(number), seconds=60) for number in range(5)], reporter)
    assert len(outcomes) <= 2
    assert all(outcome.result["complete"] is False for outcome in outcomes.values())


def test_a_cancellation_ends_the_workers() -> None:
    reporter = Listener()
    threading.Timer(3.0, lambda: setattr(reporter, "is_cancelled", True)).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        run([task("a", seconds=120)], reporter)
    assert time.monotonic() - began < 60


def test_a_computer_with_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "code_digest", lambda: "0" * 64)
    with pytest.raises(UserError, match="has another version of this program") as refused:
        run([task("a")], Listener())
    assert refused.value.hint == "Install the same version on all computers."


def test_scoring_is_that_of_one_process_though_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tiny_studies(tmp_path / "studies", patients=8, frames=24, labelled=False)
    model = write_untrained_model(tmp_path, "model", ("normal", "polyp"))
    manifest, started = tmp_path / "studies" / "manifest.json", Started(monkeypatch)

    class Kills(Listener):
        def progress(self, done: int, total: int, unit: str, what: str) -> None:
            if done == 2 and started.count == 2:
                started.kill_first()

    for out, cluster in (("one", ""), ("many", "the tests")):
        given: Any = {"studies": manifest, "model": model, "out": tmp_path / out, "device": "cpu"}
        result = run_command("score", find_command("score")[0](**given), Kills(), cluster)
        assert (result["studies"], result["scored"], result["complete"]) == (8, 8, True)
    assert started.count > 2
    files = sorted(path.name for path in (tmp_path / "many").iterdir())
    assert files == [f"P{number}-study.h5" for number in range(8)]
    for name in files:
        with h5py.File(tmp_path / "one" / name) as one, h5py.File(tmp_path / "many" / name) as many:
            assert all(one[key][...].tobytes() == many[key][...].tobytes() for key in one)
    with pytest.raises(UserError, match="has files of 8 of these studies already"):
        run_command("score", find_command("score")[0](**given), Listener(), cluster)


def test_folds_on_a_cluster_give_the_report_of_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unrendered_plots: None
) -> None:
    monkeypatch.setattr(work, "RUN_JOB", TINY_JOB)
    write_tiny_studies(tmp_path)
    reports = []
    for out, cluster in (("one", ""), ("many", "the tests")):
        config = evaluate_config(
            studies=tmp_path / "manifest.json", labels=tmp_path / "labels.csv", out=tmp_path / out, init="random",
            backbone="tiny", steps=2, input_size=32, batch_size=8, folds=3, bootstraps=50, shown=0, threads=1,
            device="cpu",
        )  # fmt: skip
        run_command("evaluate", config, Listener(), cluster)
        reports.append(json.loads((tmp_path / out / "report.json").read_text(encoding="utf-8")))
    assert reports[0]["mean"] == reports[1]["mean"]
    assert reports[0]["folds_detail"] == reports[1]["folds_detail"]
    assert not list(tmp_path.glob(".many*"))


def test_an_address_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"ray://127.0.0.1:{free.getsockname()[1]}"
    began = time.monotonic()
    for wrong, words in ((address, "does not answer"), ("http://host:1", "is not the address"), ("ray://", "is not")):
        with pytest.raises(UserError, match=words), connected(wrong):
            pass
    assert time.monotonic() - began < 30


def test_ray_is_imported_only_where_a_cluster_was_asked_for() -> None:
    code = """if True:
        import sys
        import training.commands.work, training.commands.score_studies, training.tasks.parts, training.commands.shell
        import training.evaluation.cross_validation, training.experiments.engine, wce_desktop.shell.main_window
        sys.exit("ray" in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_a_task_of_a_kind_that_there_is_none_of_fails_and_the_others_run() -> None:
    kinds = RayExecutor("the tests", FAKE_JOB).kinds(Listener())
    assert list(kinds.values()) == [2]
    tasks = [replace(task("a"), kind=next(iter(kinds))), replace(task("b"), kind="another processor")]
    outcomes, _ = run(tasks, Listener())
    assert (outcomes["a"].kind, outcomes["b"].kind) == ("done", "failed")
    assert str(outcomes["b"]) == "No computer of the cluster has a worker of another processor."


def test_the_token_of_this_computer_is_sent_to_a_cluster(tmp_path: Path) -> None:
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("a" * 64)
    code = "import os; from training.tasks import ray_cluster; print(os.environ['RAY_AUTH_MODE'])"
    env = {**os.environ, "HOME": str(tmp_path)}
    env.pop("RAY_AUTH_MODE", None)
    said = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert said.stdout == "token\n"
