"""A job in a reader's words."""

import pytest

from training.runs.events import STOPPED_EARLY, Busy, Outcome, Progress
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.threads.job import Job, JobState
from wce_desktop.threads.job_texts import format_wait, progress_words, state_words, stop_words


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0 s"), (8, "8 s"), (59.6, "1:00"), (80, "1:20"), (7500, "2:05:00"), (-3, "0 s")]
)
def test_a_wait(seconds: float, words: str) -> None:
    assert format_wait(seconds) == words


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress(64, 100, "frames", "x", 412.3, 80.2), "64 %   412 frames/s   1:20 left"),
        (Progress(64, 100, "frames", "x"), "64 %"),
        (Progress(31204, 0, "frames", "x", 4.25), "31,204 frames   4.2 frames/s"),
        (Progress(3, 10, "steps", "x", 0.25, 28), "30 %   4 s for each step   28 s left"),
        (Progress(999, 1000, "frames", "x"), "99 %"),
        (Progress(0, 0, "frames", "fitting a linear classifier"), "fitting a linear classifier"),
        (Progress(1000, 1000, "frames", "x", 412.3, 0.0), "preparing the next step"),
    ],
)
def test_progress(progress: Progress, words: str) -> None:
    assert progress_words(progress) == words


def make(state: JobState) -> Job:
    """A job in this state."""
    job = Job(JobSpec("scoring P11", "score", {}))
    job.state = state
    return job


def test_a_job_that_starts_says_for_how_long() -> None:
    job = make("running")
    job.started_seconds = 100.0
    assert state_words(job, 100.5) == "starting"
    assert state_words(job, 104.0) == "starting   4 s"


def test_the_parts_of_a_training_are_named() -> None:
    job = make("running")
    job.progress = Progress(64, 100, "frames", "computing embeddings", 41.0)
    assert state_words(job) == "64 %   41 frames/s"
    job.spec = JobSpec("Fine-tuned 1", "finetune", {})
    assert state_words(job) == "computing embeddings   64 %   41 frames/s"
    job.progress = Progress(0, 0, "frames", "fitting a linear classifier")
    assert state_words(job) == "fitting a linear classifier"
    job.progress = Progress(100, 100, "frames", "computing embeddings")
    assert state_words(job) == "preparing the next step"


def test_stop_says_the_wait_to_expect() -> None:
    job = make("stopping")
    assert state_words(job) == "stopping after this step"
    job.progress = Progress(3, 10, "steps", "x", 0.1, 70)
    assert state_words(job) == "stopping after this step, about 10 s"


def test_a_checkpoint_is_named() -> None:
    job = make("cancelling")
    assert state_words(job) == "cancelling"
    job.busy = Busy(True, "writing a checkpoint")
    assert state_words(job) == "cancelling, writing a checkpoint first"
    job.state = "running"
    assert state_words(job) == "writing a checkpoint"


def test_an_end_carries_its_sentence() -> None:
    assert state_words(make("queued")) == "waiting"
    job = make("failed")
    job.outcome = Outcome("failed", "P11.mp4 is empty.")
    assert state_words(job) == "failed: P11.mp4 is empty."
    job = make("done")
    job.outcome = Outcome("done")
    assert state_words(job) == "done"


def test_a_job_that_was_stopped_is_not_called_done() -> None:
    job = make("done")
    job.outcome = Outcome("done", STOPPED_EARLY)
    assert state_words(job) == "stopped; what is finished is kept"


def test_a_job_that_was_discarded_says_so_once() -> None:
    job = make("cancelled")
    job.outcome, job.is_discarded = Outcome("cancelled", "Cancelled."), True
    assert state_words(job) == "discarded"


@pytest.mark.parametrize(
    ("command", "config", "words"),
    [
        ("score", {}, "what is done is kept, and the job can be resumed"),
        ("score", {"reuse": "a.h5"}, "nothing is kept"),
        ("finetune", {"preset": "quick"}, "the training can be resumed"),
        ("finetune", {"preset": "linear"}, "Stops at once; nothing is kept"),
        ("pretrain", {}, "the training can be resumed"),
        ("evaluate", {}, "finished trainings are kept"),
        ("project", {}, "the job can be resumed"),
        ("project", {"onto": "map-1"}, "nothing is kept"),
        ("evolution", {}, "finished steps are kept"),
        ("embed-clips", {}, "the job can be resumed"),
        ("embed-reid", {}, "nothing is kept"),
    ],
)
def test_stop_says_what_is_kept_of_each_kind_of_job(command: str, config: dict[str, str], words: str) -> None:
    job = Job(JobSpec("x", command, config))
    assert stop_words(job) == "Remove this job from the queue before it starts"
    job.state = "running"
    assert words in stop_words(job)
