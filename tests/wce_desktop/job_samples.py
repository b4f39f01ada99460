"""Jobs in every state, and the classes that they speak of."""

from training.runs.events import Outcome, Progress
from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.threads.job import Job, JobState

CLASSES = {
    "normal": ClassName("normal", "Normal", "0", "#9aa0a6", "bar"),
    "polyp": ClassName("polyp", "Polyp", "1", "#e69f00", "circle"),
    "blood": ClassName("blood", "Blood", "4", "#d55e00", "square"),
}


def make_job(title: str, state: JobState, progress: Progress | None = None, outcome: Outcome | None = None) -> Job:
    """A job in this state."""
    job = Job(JobSpec(title, "score", {}))
    job.state, job.progress, job.outcome = state, progress, outcome
    return job


def failed_job(title: str = "scoring P03") -> Job:
    """A job that failed, with a log."""
    job = make_job(title, "failed", outcome=Outcome("failed", "P03.mp4 holds <no> video.", "Choose another file."))
    job.log.extend(["line 1", "line 2"])
    job.line_count = 2
    return job


def running_job(title: str = "scoring P11") -> Job:
    """A job at 64 %."""
    return make_job(title, "running", Progress(64, 100, "frames", title, 412.0, 80.0))
