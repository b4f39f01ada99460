"""The window's jobs, with real children."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.jobs.children import children_command
from tests.wce_desktop.leaks import no_leaks
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.threads.job_center import JobCenter

__all__ = ["no_leaks"]
pytestmark = pytest.mark.usefixtures("no_leaks")


@pytest.fixture
def center(qtbot: QtBot) -> Iterator[JobCenter]:
    """A centre that is shut down afterwards."""
    center = JobCenter(command=children_command)
    yield center
    center.shut_down()


def test_jobs_run_in_turn_and_each_ends_once(qtbot: QtBot, center: JobCenter) -> None:
    ended: list[str] = []
    partials: list[tuple[str, str]] = []
    center.job_ended.connect(lambda job: ended.append(f"{job.spec.title} {job.state}"))
    center.partial_arrived.connect(lambda job, name, payload: partials.append((job.spec.title, name)))
    with qtbot.waitSignal(center.drained, timeout=20_000):
        first = center.submit(JobSpec("first", "finish", {}))
        second = center.submit(JobSpec("second", "fail", {}))
        assert (first.state, second.state) == ("running", "queued")
    assert ended == ["first done", "second failed"]
    assert partials == [("first", "curve")] * 3
    assert list(first.log) == ["first line", "second line"]
    assert first.progress is not None
    assert not center.is_busy


def test_stopping_a_job_from_the_panel(qtbot: QtBot, center: JobCenter) -> None:
    job = center.submit(JobSpec("working", "work", {}))
    with qtbot.waitSignal(center.partial_arrived, timeout=20_000):
        pass
    center.queue.stop(job.job_id)
    assert job.state == "stopping"  # acknowledged before anything else happens
    with qtbot.waitSignal(center.drained, timeout=20_000):
        pass
    assert job.outcome is not None
    assert job.outcome.kind == "done"


def test_stopping_all_lets_the_running_one_save(qtbot: QtBot, center: JobCenter) -> None:
    running, waiting = (center.submit(JobSpec(title, "work", {})) for title in "ab")
    with qtbot.waitSignal(center.partial_arrived, timeout=20_000):
        pass
    with qtbot.waitSignal(center.drained, timeout=20_000):
        center.stop_all()
    assert (running.state, waiting.state) == ("done", "cancelled")


def test_shutting_down_leaves_no_thread_and_every_job_with_an_outcome(qtbot: QtBot, center: JobCenter) -> None:
    ended: list[object] = []
    center.job_ended.connect(ended.append)
    jobs = [center.submit(JobSpec(title, "work", {})) for title in "abc"]
    jobs.append(center.submit(JobSpec("light", "work", {}, kind="light")))
    assert center.is_busy
    center.shut_down()
    assert not center.is_busy
    assert [job.state for job in jobs] == ["cancelled"] * 4
    assert len(ended) == 4
