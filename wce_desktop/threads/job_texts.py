"""Texts that describe a job: its progress, its state, its log lines and how it ended."""

import time

from training.methods.registry import PRETRAINING
from training.runs.events import STOPPED_EARLY, Progress
from wce_desktop.core.language import names_to_translate, number_text, to_translate, tr, tr_count
from wce_desktop.threads.job import Job

AFTER_CLIPS = to_translate(
    "It can compare places of studies ({find_place}), and a training of clips can start from it."
)
"""Keys in braces are named where the texts are shown."""
REMOVE_TIP = to_translate("Remove this job from the queue before it starts")
_NOTHING = to_translate("Stops at once; nothing is kept of this job")
_RESUMABLE = to_translate("Stops after the current step; what is done is kept, and the job can be resumed")
_TRAINING = to_translate(
    "Stops after the current step; the training can be resumed from there (before its first step nothing is kept)"
)
_STEPS = to_translate("Stops after the current step; finished steps are kept")
_TRAININGS = to_translate(
    "Stops after the current step; finished trainings are kept, the one that runs starts anew when the job is resumed"
)
_KEPT = {
    "score": _RESUMABLE,
    "embed-clips": _RESUMABLE,
    "project": _RESUMABLE,
    "evolution": _STEPS,
    "pretrain": _TRAINING,
    "finetune": _TRAINING,
    "train-reid": _TRAINING,
    **dict.fromkeys(("evaluate", "reproduce", "benchmark", "few-labels", "evaluate-explanations"), _TRAININGS),
}
"""Command -> what *Stop* does; nothing is kept of other commands."""
_CLASSIFIER_ONLY = ("linear", "live")
_STATES = {
    "queued": to_translate("waiting"),
    "done": to_translate("done"),
    "failed": to_translate("failed"),
    "cancelled": to_translate("cancelled"),
}
_AGREE = to_translate("Agree to the download (--set download=true)")
"""How a hint of `training` begins."""
_ALARMS = ("collaps", "no better than chance", "random weights", "diverged", "cannot be read")


def format_wait(seconds: float) -> str:
    """A duration as text: "8 s", "1:20", "2:05:00"."""
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_UNITS = names_to_translate("frame, step, image, clip, study, training, channel, file, box, track, seek, pass")
"""One of what jobs count, for `singular`."""
NEXT_STEP = to_translate("preparing the next step")


def progress_words(progress: Progress) -> str:
    """ "64 %   412 frames/s   1:20 left"; parts that are not known are left out; what is done where nothing is counted.

    A job that still runs is never at 100 %: what was counted is done, and the next step is being prepared.
    """
    parts = []
    if progress.fraction == 1:
        return tr(NEXT_STEP)
    if progress.fraction is not None:
        parts.append(f"{int(progress.fraction * 100)} %")
    elif not progress.done:
        return tr(progress.what)
    else:
        parts.append(f"{number_text(progress.done)} {tr(progress.unit)}")
    if progress.rate:
        is_slow = progress.rate < 1
        unit = tr(singular(progress.unit))
        slow = tr("{time} for each {unit}", time=format_wait(1 / progress.rate), unit=unit)
        rate = number_text(progress.rate, ",.0f" if progress.rate >= 10 else ",.1f")
        parts.append(slow if is_slow else f"{rate} {tr(progress.unit)}/s")
    if progress.seconds_left is not None:
        parts.append(tr("{time} left", time=format_wait(progress.seconds_left)))
    return "   ".join(parts)


def singular(unit: str) -> str:
    """ "frame" for "frames", "study" for "studies"."""
    if unit.endswith("ies"):
        return f"{unit[:-3]}y"
    return unit.removesuffix("es" if unit.endswith(("xes", "sses")) else "s")


def stop_words(job: Job | None) -> str:
    """What *Stop* does to a job: when it ends, and what is kept of it."""
    if job is None:
        return ""
    if job.state == "queued":
        return tr(REMOVE_TIP)
    command, config = job.spec.command, job.spec.config
    is_short = (
        (command == "finetune" and config.get("preset") in _CLASSIFIER_ONLY)
        or (command == "score" and bool(config.get("reuse")))
        or (command == "project" and bool(config.get("onto")))
    )
    return tr(_NOTHING if is_short else _KEPT.get(command, _NOTHING))


def state_words(job: Job, now_seconds: float | None = None) -> str:
    """What the job does now: its progress, that it is ending, or how it ended, as one line.

    `now_seconds` (monotonic) is used to show how long a job has been starting; None means now.
    """
    if job.state == "stopping":
        rate = (job.progress and job.progress.rate) or 2.0  # not known: too short to matter
        wait = format_wait(1 / rate)
        return tr("stopping after this step, about {time}", time=wait) if rate <= 1 else tr("stopping after this step")
    if job.state == "cancelling":
        return tr("cancelling, {what} first", what=tr(job.busy.what)) if job.busy else tr("cancelling")
    if job.state == "running":
        if job.busy:
            return tr(job.busy.what)
        if job.progress:
            words, name = progress_words(job.progress), tr(job.progress.what)
            # The parts of a training begin at 0 % again, so each is named. Scoring has only one.
            is_enough = job.spec.command == "score" or words in (name, tr(NEXT_STEP))
            return words if is_enough else f"{name}   {words}"
        now_seconds = time.monotonic() if now_seconds is None else now_seconds
        waited_seconds = 0.0 if job.started_seconds is None else now_seconds - job.started_seconds
        return f"{tr('starting')}   {format_wait(int(waited_seconds))}" if waited_seconds >= 2 else tr("starting")
    if job.state == "cancelled" and job.is_discarded:
        return tr("discarded")
    if job.outcome and job.outcome.message == STOPPED_EARLY:
        return tr("stopped; what is finished is kept")
    if job.outcome and job.outcome.message:
        return f"{tr(_STATES[job.state])}: {tr(job.outcome.message)}"
    return tr(_STATES[job.state])


def for_reader(line: str) -> str:
    """A line of the log in the chosen language, without hints for the command line."""
    return tr(line).replace(tr(_AGREE), tr("Choose the download under “Start from”"))


def is_alarm(line: str) -> bool:
    """Whether a line of the log is a warning: collapse, unintended initialization, lost frames."""
    return any(word in line.lower() for word in _ALARMS)


def ended_words(job: Job, kind: str, can_resume: bool) -> str:
    """How the job ended, what was kept, and the next step."""
    outcome = job.outcome
    result = outcome.result if outcome else {}
    if job.state == "done" and not result.get("finished", True):
        return tr(
            "Stopped after step {step} of {steps}; progress is kept.",
            step=result.get("steps_done", 0),
            steps=result.get("steps", 0),
        )
    if job.state == "done" and kind == "pretrain":
        accuracy = result.get("knn")
        method = PRETRAINING.get(str(result.get("method")))
        is_of_clips = method is not None and method.encodes_clips
        sentences = [tr_count("Done, {count} step.", "Done, {count} steps.", int(result.get("steps_done", 0)))]
        if isinstance(accuracy, float):
            sentences.append(tr("kNN accuracy on held-out labels: {accuracy}.", accuracy=number_text(accuracy, ".2f")))
        sentences.append(tr(AFTER_CLIPS) if is_of_clips else tr("Fine-tune from it to get a detector."))
        return " ".join(sentences)
    if job.state == "done" and kind == "train-reid":
        return tr("Done. To use it: Reading > Group flags by… ({group_by}).")
    if job.state == "done":
        return tr("Done. The current model stays in use until you choose the new one.")
    if job.state == "cancelled":
        kept, lost = tr("Cancelled; the last checkpoint is kept."), tr("Cancelled before its first checkpoint.")
        return kept if can_resume else lost
    return tr("Failed: {why}", why=str(outcome)) if outcome else state_words(job)
