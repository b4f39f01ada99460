"""Texts for the state and the log lines of a training job."""

from wce_desktop.jobs.job import Job
from wce_desktop.jobs.wording import state_words

_ALARMS = ("collaps", "no better than chance", "random weights", "diverged", "cannot be read")


def for_reader(line: str) -> str:
    """A line of the log without what only helps at the shell."""
    return line.replace("Agree to the download (--set download=true)", "Choose the download under “Start from”")


def is_alarm(line: str) -> bool:
    """Whether a line of the log must not be missed: a collapse, a start that is not the one meant, lost frames."""
    return any(word in line.lower() for word in _ALARMS)


def ended_words(job: Job, kind: str, can_resume: bool) -> str:
    """How the job ended, what is kept, and what comes next."""
    outcome = job.outcome
    result = outcome.result if outcome else {}
    if job.state == "done" and not result.get("finished", True):
        return f"Stopped after step {result.get('steps_done', 0):,} of {result.get('steps', 0):,}; progress is kept."
    if job.state == "done" and kind == "pretrain":
        accuracy = result.get("knn")
        judged = f" kNN accuracy on held-out labels: {accuracy:.2f}." if isinstance(accuracy, float) else ""
        return f"Done, {result.get('steps_done', 0):,} steps.{judged} Fine-tune from it to get a detector."
    if job.state == "done":
        return "Done. The current model stays in use until you choose the new one."
    if job.state == "cancelled":
        return "Cancelled; the last checkpoint is kept." if can_resume else "Cancelled before its first checkpoint."
    return f"Failed: {outcome}" if outcome else state_words(job)
