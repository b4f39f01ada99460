"""Running a command from what a job file holds: here, or on a cluster.

A job is {"command": name, "config": its settings}, with "cluster", an address, where its work is to be done there.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from training.commands import COMMANDS
from training.commands.common import find_command, inputs_of
from training.errors import UserError
from training.runs.events import Outcome
from training.runs.failure import outcome_of
from training.runs.reporter import Cancelled, Reporter
from training.settings import first_wrong
from training.tasks.executor import AGAIN, Task, pass_on
from training.tasks.parts import PART, Part, PartDone, Work, working

RUN_JOB = f"{__name__}:job_outcome"
"""How a worker of a cluster finds `job_outcome`."""


def job_outcome(job: Mapping[str, Any], reporter: Reporter) -> Outcome:
    """What becomes of a job, see `run_job_data`."""
    return outcome_of(lambda: run_job_data(job, reporter), reporter)


def run_job_data(job: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
    """Run a job; returns its result.

    Raises:
        UserError: there is no such command, or it refuses a setting, which is named.
        KeyError, TypeError, ValueError: it is no job.
    """
    name, settings = str(job["command"]), dict(job["config"])
    if job.get(AGAIN) and (Path(settings.get("out", "")) / "config.json").is_file():
        settings["resume"] = True
    config_class, _, _ = find_command(name)
    try:
        config = config_class.stored(**settings)
    except ValidationError as error:
        setting, said = first_wrong(error, "a setting")
        raise UserError("{setting} of {command} is not valid: {said}.", "", setting, name, said) from error
    reporter.check()
    if PART not in job:
        return run_command(name, config, reporter, str(job.get("cluster", "")))
    with working(part=Part.of_job(job)), suppress(PartDone):
        run_command(name, config, reporter)
    return {"finished": not reporter.stop_requested}


def run_command(name: str, config: BaseModel, reporter: Reporter, cluster: str = "") -> dict[str, Any]:
    """Run a command here, or on the cluster of an address: as one task, or in those that it splits into.

    Raises:
        UserError: what the command says, or the cluster cannot be used.
        Cancelled: the reporter asked to end at once.
    """
    _, run, _ = find_command(name)
    if not cluster:
        return run(config, reporter)
    from training.tasks.ray_cluster import RayExecutor, connected

    splits = COMMANDS[name].splits if getattr(config, "path", None) is None else ""  # one study is one task
    cores = 1 if splits == "cores" else getattr(config, "threads", None)
    with connected(cluster):
        executor = RayExecutor(cluster, RUN_JOB, cores)
        if splits:
            machine = executor.machine(reporter) if splits == "threads" else None
            with working(Work(executor, job_of(name, config, **_out(config)), machine)):
                return run(config, reporter)
        task = Task(name, job_of(name, config), tuple(path.absolute() for path in inputs_of(config) if path.exists()))
        for _, outcome in executor.run([task], reporter, lambda _, event: pass_on(event, reporter)):
            return result_of(outcome)
    return {"finished": False}


def result_of(outcome: Outcome) -> dict[str, Any]:
    """The result of a task; raises what ended it."""
    if outcome.kind == "failed":
        raise UserError(outcome.message, outcome.hint)
    if outcome.kind == "cancelled":
        raise Cancelled
    return dict(outcome.result)


def job_of(name: str, config: BaseModel, **changes: Any) -> dict[str, Any]:
    """The job of a command whose settings are these, with `changes`; its paths are absolute."""
    settings = {field: _absolute(getattr(config, field)) for field in config.model_fields_set}
    return {"command": name, "config": {**settings, **changes}}


def _out(config: BaseModel) -> dict[str, str]:
    """The folder of a command, which may be its default."""
    return {"out": str(Path(str(getattr(config, "out"))).absolute())}  # noqa: B009


def _absolute(value: Any) -> Any:
    """JSON values; a path, or a text that names something that is there, as an absolute path."""
    if isinstance(value, Path) or (isinstance(value, str) and value and "/" in value and Path(value).exists()):
        return str(Path(value).absolute())
    if isinstance(value, Mapping):
        return {key: _absolute(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_absolute(each) for each in value]
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
