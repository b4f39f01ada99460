"""The window's jobs, with real children."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from tests.wce_desktop.jobs.children import children_command
from tests.wce_desktop.leaks import no_leaks
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_queue import JobQueue
from wce_desktop.workspace import guard

__all__ = ["no_leaks"]
pytestmark = pytest.mark.usefixtures("no_leaks")


@pytest.fixture
def queue(qtbot: QtBot) -> Iterator[JobQueue]:
    """A queue that is shut down afterwards."""
    queue = JobQueue(command=children_command)
    yield queue
    queue.shut_down()


def test_jobs_run_in_turn_and_each_ends_once(qtbot: QtBot, queue: JobQueue) -> None:
    ended: list[str] = []
    partials: list[tuple[str, str]] = []
    queue.ended.connect(lambda job: ended.append(f"{job.spec.title} {job.state}"))
    with qtbot.waitSignal(queue.drained, timeout=20_000):
        first = queue.submit(JobSpec("first", "finish", {}))
        second = queue.submit(JobSpec("second", "fail", {}))
        for job in (first, second):
            job.partial_arrived.connect(lambda name, _, job=job: partials.append((job.spec.title, name)))
        assert (first.state, second.state) == ("running", "queued")
    assert ended == ["first done", "second failed"]
    assert partials == [("first", "curve")] * 3
    assert list(first.log) == ["first line", "second line"]
    assert first.progress is not None
    assert not queue.is_busy


def test_stopping_a_job_from_the_panel(qtbot: QtBot, queue: JobQueue) -> None:
    job = queue.submit(JobSpec("working", "work", {}))
    with qtbot.waitSignal(job.partial_arrived, timeout=20_000):
        pass
    job.stop()
    assert job.state == "stopping"  # acknowledged before anything else happens
    with qtbot.waitSignal(queue.drained, timeout=20_000):
        pass
    assert job.outcome is not None
    assert job.outcome.kind == "done"


def test_stopping_all_lets_the_running_one_save(qtbot: QtBot, queue: JobQueue) -> None:
    running, waiting = (queue.submit(JobSpec(title, "work", {})) for title in "ab")
    with qtbot.waitSignal(running.partial_arrived, timeout=20_000):
        pass
    with qtbot.waitSignal(queue.drained, timeout=20_000):
        queue.stop_all()
    assert (running.state, waiting.state) == ("done", "cancelled")


def test_shutting_down_leaves_no_thread_and_every_job_with_an_outcome(qtbot: QtBot, queue: JobQueue) -> None:
    ended: list[object] = []
    queue.ended.connect(ended.append)
    jobs = [queue.submit(JobSpec(title, "work", {})) for title in "abc"]
    jobs.append(queue.submit(JobSpec("light", "work", {}, kind="light")))
    assert queue.is_busy
    queue.shut_down()
    assert not queue.is_busy
    assert [job.state for job in jobs] == ["cancelled"] * 4
    assert len(ended) == 4


class Asker(QObject):
    """Notes what its own job says, in order."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        super().__init__()
        self.heard: list[str] = []

    def follow(self, job: Job) -> None:
        """Connect to a job."""
        job.progressed.connect(self._progressed)
        job.partial_arrived.connect(self._partial_arrived)
        job.ended.connect(self._ended)

    def _progressed(self, job: Job) -> None:
        self.heard.append(job.state)

    def _partial_arrived(self, name: str, _: object) -> None:
        self.heard.append(name)

    def _ended(self, job: Job) -> None:
        self.heard.append(f"ended {job.state}")


@pytest.mark.parametrize(("command", "state"), [("finish", "done"), ("fail", "failed"), ("be_killed", "failed")])
def test_the_outcome_comes_once_and_last_also_after_a_crash(
    qtbot: QtBot, queue: JobQueue, command: str, state: str
) -> None:
    asker, other = Asker(), Asker()
    with qtbot.waitSignal(queue.drained, timeout=20_000):
        asker.follow(queue.submit(JobSpec("asked for", command, {})))
        other.follow(queue.submit(JobSpec("another", "finish", {})))
    assert [word for word in asker.heard if word.startswith("ended")] == [asker.heard[-1]] == [f"ended {state}"]
    assert asker.heard.count("curve") == (3 if command == "finish" else 0), "nothing of the other job"
    assert other.heard[-1] == "ended done"


def test_a_connection_ends_with_the_object_that_asked(qtbot: QtBot, queue: JobQueue) -> None:
    plain, guarded = Asker(), Asker()
    heard = (plain.heard, guarded.heard)
    job = queue.submit(JobSpec("working", "work", {}))
    plain.follow(job)
    job.ended.connect(guard(partial(guarded._ended), print))
    with qtbot.waitSignal(job.partial_arrived, timeout=20_000):
        pass
    delete(plain)
    delete(guarded)
    for words in heard:
        words.clear()
    with qtbot.waitSignal(queue.drained, timeout=20_000):
        job.stop()
    assert heard == ([], [])
    assert job.state == "done"


def test_a_listener_with_a_fault_holds_nothing_up(qtbot: QtBot, queue: JobQueue) -> None:
    heard: list[str] = []

    def break_down(_: Job) -> None:
        raise ValueError("a fault")

    with qtbot.captureExceptions() as faults, qtbot.waitSignal(queue.drained, timeout=20_000):
        first = queue.submit(JobSpec("first", "finish", {}))
        second = queue.submit(JobSpec("second", "finish", {}))
        first.ended.connect(break_down)
        first.ended.connect(lambda job: heard.append(job.spec.title))
    assert heard == ["first"]
    assert second.state == "done", "the next job started"
    assert len(faults) == 1


def test_jobs_on_the_cluster_run_beside_one_here(qtbot: QtBot) -> None:
    queue = JobQueue(command=children_command, place=lambda spec: "auto" if spec.title.startswith("far") else "")
    jobs = [queue.submit(JobSpec(title, "work", {})) for title in ("far 1", "near 1", "far 2", "near 2")]
    jobs += [queue.submit(JobSpec(f"far {number}", "work", {})) for number in range(3, 6)]
    try:
        assert [job.state for job in jobs] == [
            "running",
            "running",
            "running",
            "queued",
            "running",
            "running",
            "queued",
        ]
        assert [(job.spec.title, job.spec.cluster) for job in jobs[:2]] == [("far 1 (cluster)", "auto"), ("near 1", "")]
    finally:
        queue.shut_down()
