"""A job of the session: its spec, progress, log and outcome."""

from collections import deque
from typing import Literal, TypeAlias

from training.runs.events import Busy, Outcome, Progress
from wce_desktop.jobs.mailbox import LOG_LINES
from wce_desktop.jobs.spec import JobSpec

JobState: TypeAlias = Literal["queued", "running", "stopping", "cancelling", "done", "failed", "cancelled"]
RUNNING_STATES: tuple[JobState, ...] = ("running", "stopping", "cancelling")
ENDED_STATES: tuple[JobState, ...] = ("done", "failed", "cancelled")


class Job:
    """The state of one job; only the queue changes it, in the window's thread."""

    def __init__(self, spec: JobSpec) -> None:
        """A job that waits."""
        self.spec = spec
        self.state: JobState = "queued"
        self.progress: Progress | None = None
        self.busy: Busy | None = None
        self.outcome: Outcome | None = None
        self.log: deque[str] = deque(maxlen=LOG_LINES)  # the last lines
        self.line_count = 0  # all lines, also those no longer kept
        self.started_seconds: float | None = None  # on the monotonic clock
        self.is_discarded = False  # what it has done so far is not wanted

    @property
    def job_id(self) -> str:
        """The id that its spec carries."""
        return self.spec.job_id

    @property
    def is_running(self) -> bool:
        """True while it has a process, also when it was asked to end."""
        return self.state in RUNNING_STATES

    @property
    def has_ended(self) -> bool:
        """True once its outcome is known."""
        return self.state in ENDED_STATES
