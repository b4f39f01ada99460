"""Which job runs when."""

from collections import deque
from pathlib import Path

import pytest

from training.runs.events import Busy, Outcome, Progress
from wce_desktop.jobs.mailbox import Mail
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_queue import JobQueue


class Stand:
    """Runs nothing; remembers what it was asked."""

    def __init__(self, job: Job) -> None:
        """Take the job."""
        self.job = job
        self.asked: list[str] = []

    def stop(self) -> None:
        """Remember it."""
        self.asked.append("stop")

    def cancel(self) -> None:
        """Remember it."""
        self.asked.append("cancel")


class StandQueue(JobQueue):
    """A queue that runs nothing."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self.runners: dict[str, Stand] = {}

    def _start(self, job: Job) -> Stand:
        self.runners[job.spec.title] = Stand(job)
        return self.runners[job.spec.title]


class Office:
    """A queue whose jobs the test ends by hand."""

    def __init__(self) -> None:
        """Begin empty."""
        self.ended: list[str] = []
        self.queue = StandQueue()
        self.runners = self.queue.runners
        self.queue.ended.connect(self._note)

    def _note(self, job: Job) -> None:
        self.ended.append(f"{job.spec.title} {job.state}")

    def submit(self, *titles: str, light: bool = False) -> list[Job]:
        """Submit jobs of these titles."""
        return [self.queue.submit(JobSpec(title, "score", {}, "light" if light else "gpu")) for title in titles]

    def running(self) -> list[str]:
        """Titles of what runs."""
        return [job.spec.title for job in self.queue.running]

    def waiting(self) -> list[str]:
        """Titles of what waits."""
        return [job.spec.title for job in self.queue.waiting]


def test_one_gpu_job_at_a_time_and_light_ones_at_once() -> None:
    office = Office()
    first, _ = office.submit("a", "b")
    office.submit("thumbnails", light=True)
    assert office.running() == ["a", "thumbnails"]
    assert office.waiting() == ["b"]
    first.report_outcome(Outcome("done"))
    office.queue._go_on()
    assert office.running() == ["thumbnails", "b"] or office.running() == ["b", "thumbnails"]
    assert office.ended == ["a done"]


def test_the_next_starts_after_a_failure_too() -> None:
    office = Office()
    first, second = office.submit("a", "b")
    first.report_outcome(Outcome("failed", "It died."))
    office.queue._go_on()
    assert first.state == "failed"
    assert second.state == "running"


def test_waiting_jobs_can_be_put_in_another_order() -> None:
    office = Office()
    _, _, third, fourth = office.submit("a", "b", "c", "d")
    office.queue.move(fourth.job_id, 0)
    assert office.waiting() == ["d", "b", "c"]
    office.queue.move(third.job_id, 99)
    assert office.waiting() == ["d", "b", "c"]
    office.queue.move(office.queue.running[0].job_id, 2)  # what runs stays
    assert office.running() == ["a"]


def test_a_waiting_job_is_taken_out_by_stop_or_cancel() -> None:
    office = Office()
    _, second, third = office.submit("a", "b", "c")
    second.stop()
    third.cancel()
    assert office.ended == ["b cancelled", "c cancelled"]
    assert office.running() == ["a"]
    assert "b" not in office.runners


def test_stop_and_cancel_are_acknowledged_at_once() -> None:
    office = Office()
    (job,) = office.submit("a")
    for _ in range(2):
        job.stop()
    assert str(job.state) == "stopping"
    for _ in range(2):
        job.cancel()
    assert str(job.state) == "cancelling"
    job.stop()
    assert office.runners["a"].asked == ["stop", "cancel", "cancel"], "a second cancel insists"
    job.report_outcome(Outcome("cancelled"))
    office.queue._go_on()
    job.cancel()  # too late: nothing happens
    assert job.state == "cancelled"


def test_an_outcome_comes_once() -> None:
    office = Office()
    (job,) = office.submit("a")
    job.report_outcome(Outcome("done"))
    office.queue._go_on()
    with pytest.raises(RuntimeError, match="a ended twice"):
        job.report_outcome(Outcome("done"))


def test_a_job_remembers_what_it_told() -> None:
    office = Office()
    (job,) = office.submit("a")
    job.take(Mail(Progress(1, 2, "frames", "a"), lines=deque(["x"] * 3000), busy=Busy(True, "writing a checkpoint")))
    assert job.progress == Progress(1, 2, "frames", "a")
    assert (len(job.log), job.line_count) == (2000, 3000)
    assert job.busy == Busy(True, "writing a checkpoint")
    job.take(Mail(busy=Busy(False)))
    assert job.busy is None


def test_a_closed_queue_starts_nothing_more() -> None:
    office = Office()
    first, second = office.submit("a", "b")
    office.queue.stop_all()
    assert second.state == "cancelled"
    first.report_outcome(Outcome("done"))
    office.queue._go_on()
    assert office.running() == []
    with pytest.raises(RuntimeError, match="closing"):
        office.submit("c")


def test_whoever_shows_a_resumed_run_finds_its_job() -> None:
    office = Office()
    folder = Path("library") / "models" / "r-1"
    first, resumed = (office.queue.submit(JobSpec(title, "pretrain", {"out": str(folder)})) for title in "ab")
    assert office.queue.job_writing(folder) is resumed
    assert office.queue.written_names == {"r-1"}
    first.report_outcome(Outcome("cancelled"))
    office.queue._go_on()
    resumed.report_outcome(Outcome("done"))
    office.queue._go_on()
    assert office.queue.job_writing(folder) is resumed, "also after its end"
    assert office.queue.written_names == frozenset()
    assert office.queue.job_writing(folder / "other") is None


def test_a_job_tells_only_whoever_asked_and_its_end_last() -> None:
    office = Office()
    heard: list[str] = []
    first, second = office.submit("a", "b")
    for job in (first, second):
        job.progressed.connect(lambda job: heard.append(f"{job.spec.title} {job.state}"))
    first.ended.connect(lambda job: heard.append(f"{job.spec.title} ended"))
    first.stop()
    assert heard == ["a stopping"]
    first.report_outcome(Outcome("done"))
    office.queue._go_on()
    assert heard == ["a stopping", "a done", "a ended", "b running"]
