"""Texts that describe a job: its progress, its state, its log lines and how it ended."""

import time

from training.methods.registry import PRETRAINING
from training.runs.events import Progress
from wce_desktop.core.clock import counted
from wce_desktop.jobs.job import Job

AFTER_CLIPS = "It can compare places of studies (X), and a training of clips can start from it."
_STATES = {"queued": "waiting", "done": "done", "failed": "failed", "cancelled": "cancelled"}
_ALARMS = ("collaps", "no better than chance", "random weights", "diverged", "cannot be read")


def format_wait(seconds: float) -> str:
    """A duration as text: "8 s", "1:20", "2:05:00"."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


NEXT_STEP = "preparing the next step"


def progress_words(progress: Progress) -> str:
    """ "64 %   412 frames/s   1:20 left"; parts that are not known are left out.

    A job that still runs is never at 100 %: what was counted is done, and the next step is being prepared.
    """
    parts = []
    if progress.fraction == 1:
        return NEXT_STEP
    if progress.fraction is not None:
        parts.append(f"{int(progress.fraction * 100)} %")
    else:
        parts.append(f"{progress.done:,} {progress.unit}")
    if progress.rate:
        is_slow = progress.rate < 1
        slow = f"{format_wait(1 / progress.rate)} for each {progress.unit.removesuffix('s')}"
        parts.append(slow if is_slow else f"{progress.rate:,.{0 if progress.rate >= 10 else 1}f} {progress.unit}/s")
    if progress.seconds_left is not None:
        parts.append(f"{format_wait(progress.seconds_left)} left")
    return "   ".join(parts)


def state_words(job: Job, now_seconds: float | None = None) -> str:
    """What the job does now: its progress, that it is ending, or how it ended, as one line.

    `now_seconds` (monotonic) is used to show how long a job has been starting; None means now.
    """
    if job.state == "stopping":
        return f"stopping after this step{_expected_wait(job.progress)}"
    if job.state == "cancelling":
        return f"cancelling, {job.busy.what} first" if job.busy else "cancelling"
    if job.state == "running":
        if job.busy:
            return job.busy.what
        return progress_words(job.progress) if job.progress else _starting(job, now_seconds)
    if job.outcome and job.outcome.message:
        return f"{_STATES[job.state]}: {job.outcome.message}"
    return _STATES[job.state]


def _starting(job: Job, now_seconds: float | None) -> str:
    """ "starting", with the seconds after a while."""
    now_seconds = time.monotonic() if now_seconds is None else now_seconds
    waited_seconds = now_seconds - job.started_seconds if job.started_seconds is not None else 0.0
    return f"starting   {format_wait(int(waited_seconds))}" if waited_seconds >= 2 else "starting"


def _expected_wait(progress: Progress | None) -> str:
    """The duration of a step, if long enough to matter."""
    if progress is None or not progress.rate or progress.rate > 1:
        return ""
    return f", about {format_wait(1 / progress.rate)}"


def for_reader(line: str) -> str:
    """A line of the log without hints for the command line."""
    return line.replace("Agree to the download (--set download=true)", "Choose the download under “Start from”")


def is_alarm(line: str) -> bool:
    """Whether a line of the log is a warning: collapse, unintended initialization, lost frames."""
    return any(word in line.lower() for word in _ALARMS)


def ended_words(job: Job, kind: str, can_resume: bool) -> str:
    """How the job ended, what was kept, and the next step."""
    outcome = job.outcome
    result = outcome.result if outcome else {}
    if job.state == "done" and not result.get("finished", True):
        return f"Stopped after step {result.get('steps_done', 0):,} of {result.get('steps', 0):,}; progress is kept."
    if job.state == "done" and kind == "pretrain":
        accuracy = result.get("knn")
        accuracy_text = f" kNN accuracy on held-out labels: {accuracy:.2f}." if isinstance(accuracy, float) else ""
        method = PRETRAINING.get(str(result.get("method")))
        next_step = (
            AFTER_CLIPS if method is not None and method.encodes_clips else "Fine-tune from it to get a detector."
        )
        return f"Done, {counted(int(result.get('steps_done', 0)), 'step')}.{accuracy_text} {next_step}"
    if job.state == "done" and kind == "train-reid":
        return "Done. To use it: Reading > Group flags by… (Ctrl+Alt+R)."
    if job.state == "done":
        return "Done. The current model stays in use until you choose the new one."
    if job.state == "cancelled":
        return "Cancelled; the last checkpoint is kept." if can_resume else "Cancelled before its first checkpoint."
    return f"Failed: {outcome}" if outcome else state_words(job)
