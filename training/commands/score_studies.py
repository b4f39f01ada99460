"""`score --studies`: every study of a manifest, a task each, in this process or on a cluster."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from training.commands.work import job_of, job_outcome
from training.datasets.manifest import StudyEntry, load_manifest
from training.errors import UserError, not_written
from training.runs.reporter import Reporter
from training.tasks.executor import Task, ThisProcess, lines_to
from training.tasks.parts import current_work
from training.texts import Text

if TYPE_CHECKING:
    from training.commands.score import ScoreCommand


def score_studies(config: "ScoreCommand", reporter: Reporter) -> dict[str, Any]:
    """Score all studies; one that cannot be scored does not keep the others from it.

    Returns:
        studies, how many are scored, frames and seconds of this call.

    Raises:
        UserError: studies could not be scored, with the first reason; the others are finished.
    """
    assert config.studies is not None
    started = time.monotonic()
    studies = load_manifest(config.studies).studies
    tasks = [_task(config, study) for study in studies]
    _check_folder(config, tasks)
    work = current_work()
    executor = work.executor if work else ThisProcess(job_outcome)
    frames, scored, failures = 0, 0, list[str]()

    reporter.progress(0, len(tasks), "studies", "scoring")
    for task, outcome in executor.run(tasks, reporter, lines_to(reporter)):
        if outcome.kind == "failed":
            failures.append(task.name)
            reporter.log(Text("{study} is not scored: {reason}", task.name, outcome))
        elif outcome.result.get("complete"):
            scored += 1
            frames += int(outcome.result["frames"]) if outcome.result["seconds"] else 0  # not those of an earlier call
        reporter.progress(scored + len(failures), len(tasks), "studies", "scoring")
    if failures and not reporter.stop_requested:
        raise UserError(
            "{failed:,} of {count:,} studies could not be scored: {names}.",
            "The others are finished. Mend the cause that the log names, and start it again with --resume.",
            len(failures),
            len(tasks),
            ", ".join(failures[:5]),
        )
    seconds = time.monotonic() - started
    return {
        "out": str(config.out),
        "studies": len(tasks),
        "scored": scored,
        "frames": frames,
        "complete": scored == len(tasks),
        "seconds": seconds,
        "frames_per_second": frames / max(seconds, 1e-9),
    }


def _task(config: "ScoreCommand", study: StudyEntry) -> Task:
    """The scoring of one study, as `score` with its path does it; a worker continues what another one began."""
    out = (config.out / f"{study.study_id}.h5").absolute()
    if out.parent != config.out.absolute():
        raise UserError("The study {study} cannot name a file.", "Rename it in the manifest.", repr(study.study_id))
    changes = {"path": str(study.path.absolute()), "out": str(out), "numbering": study.frame_numbering, "studies": None}
    job = job_of("score", config, **changes, resume=not config.overwrite)
    return Task(study.study_id, job, (study.path.absolute(), config.model.absolute()))


def _check_folder(config: "ScoreCommand", tasks: Sequence[Task]) -> None:
    """Make the folder; `UserError` where it has files of these studies and it is not said what becomes of them."""
    try:
        config.out.mkdir(parents=True, exist_ok=True)
        names = {path.name.removesuffix(".partial") for path in config.out.iterdir()}
    except OSError as error:
        raise not_written(config.out, error) from error
    there = sum(f"{task.name}.h5" in names for task in tasks)
    if there and not (config.resume or config.overwrite):
        raise UserError(
            "{folder} has files of {count:,} of these studies already.",
            "Continue with --resume, score them again with --overwrite, or name another folder.",
            config.out,
            there,
        )
