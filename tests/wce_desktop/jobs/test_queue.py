"""Which job runs when."""

import pytest

from training.runs.events import Busy, Outcome, Progress
from wce_desktop.jobs.job import Job
from wce_desktop.jobs.queue import JobQueue
from wce_desktop.jobs.spec import JobSpec


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


class Office:
    """A queue whose jobs the test ends by hand."""

    def __init__(self) -> None:
        """Begin empty."""
        self.runners: dict[str, Stand] = {}
        self.ended: list[str] = []
        self.queue = JobQueue(self._start)
        self.queue.ended.connect(self._note)

    def _start(self, job: Job) -> Stand:
        self.runners[job.spec.title] = Stand(job)
        return self.runners[job.spec.title]

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
    office.queue.report_outcome(first, Outcome("done"))
    assert office.running() == ["thumbnails", "b"] or office.running() == ["b", "thumbnails"]
    assert office.ended == ["a done"]


def test_the_next_starts_after_a_failure_too() -> None:
    office = Office()
    first, second = office.submit("a", "b")
    office.queue.report_outcome(first, Outcome("failed", "It died."))
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
    office.queue.stop(second.job_id)
    office.queue.cancel(third.job_id)
    assert office.ended == ["b cancelled", "c cancelled"]
    assert office.running() == ["a"]
    assert "b" not in office.runners


def test_stop_and_cancel_are_acknowledged_at_once() -> None:
    office = Office()
    (job,) = office.submit("a")
    for _ in range(2):
        office.queue.stop(job.job_id)
    assert str(job.state) == "stopping"
    for _ in range(2):
        office.queue.cancel(job.job_id)
    assert str(job.state) == "cancelling"
    office.queue.stop(job.job_id)
    assert office.runners["a"].asked == ["stop", "cancel", "cancel"], "a second cancel insists"
    office.queue.report_outcome(job, Outcome("cancelled"))
    office.queue.cancel(job.job_id)  # too late: nothing happens
    assert job.state == "cancelled"


def test_an_outcome_comes_once() -> None:
    office = Office()
    (job,) = office.submit("a")
    office.queue.report_outcome(job, Outcome("done"))
    with pytest.raises(RuntimeError, match="a ended twice"):
        office.queue.report_outcome(job, Outcome("done"))


def test_a_job_remembers_what_it_told() -> None:
    office = Office()
    (job,) = office.submit("a")
    office.queue.report_progress(job, Progress(1, 2, "frames", "a"))
    office.queue.report_log(job, ["x"] * 3000)
    office.queue.report_busy(job, Busy(True, "writing a checkpoint"))
    assert job.progress == Progress(1, 2, "frames", "a")
    assert (len(job.log), job.line_count) == (2000, 3000)
    assert job.busy == Busy(True, "writing a checkpoint")
    office.queue.report_busy(job, Busy(False))
    assert job.busy is None


def test_a_closed_queue_starts_nothing_more() -> None:
    office = Office()
    first, second = office.submit("a", "b")
    office.queue.close()
    assert second.state == "cancelled"
    office.queue.report_outcome(first, Outcome("done"))
    assert office.running() == []
    with pytest.raises(RuntimeError, match="closing"):
        office.submit("c")
