"""`sweep`: a training with every combination of some settings, in a table and a picture; each is a run like any other.

On a cluster each run is a task of its own; here they follow each other. What is finished is not trained again.
"""

import itertools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from training.commands.common import CommandConfig, find_command, make_config
from training.commands.work import job_of, job_outcome
from training.errors import UserError, not_written
from training.files import json_text
from training.files.marks import OutputFolder
from training.files.outputs import write_text
from training.files.terminal import in_columns
from training.runs.folder import write_json
from training.runs.reporter import Reporter
from training.tasks.executor import Task, ThisProcess, lines_to
from training.tasks.parts import current_work
from training.texts import Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_RUNS = 500
RESULT = "sweep.json"


class SweepCommand(CommandConfig):
    """What to train with which settings."""

    assignments_field: ClassVar[str] = "vary"

    train: Literal["finetune", "pretrain"] = Field("finetune", description="The training.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON).")
    labels: Path | None = Field(None, description="Labels (CSV).")
    images: Path | None = Field(None, description="Folder of labelled images, instead of studies.")
    method: str | None = Field(None, description="Method of the training.")
    init: str | None = Field(None, description="What it starts from.")
    preset: str | None = Field(None, description="Preset of the training: values for several settings.")
    out: Annotated[Path, OutputFolder("folder of the sweep")] = Field(description="Folder for the table and the runs.")
    vary: tuple[str, ...] = Field(
        (), description="Settings and their values, KEY=VALUE,VALUE; one with a single value holds for all runs."
    )
    resume: bool = Field(False, description="Continue: runs that are finished stay.")


def run_sweep(config: SweepCommand, reporter: Reporter) -> dict[str, Any]:
    """Train with all combinations; the result has the table as `text`, and the folder of the best run.

    Raises:
        UserError: a setting or value that there is none of, too many runs, or no run could be finished.
    """
    varied = _values(config.vary)
    runs = [dict(zip(varied, values, strict=True)) for values in itertools.product(*varied.values())]
    if len(runs) > MOST_RUNS:
        raise UserError("{count:,} runs are too many.", "Give fewer values: {most} runs at most.", len(runs), MOST_RUNS)
    tasks = [_task(config, number, run) for number, run in enumerate(runs, 1)]
    _make_folder(config)
    rows = _trained(tasks, runs, reporter)
    names = [name for name, values in varied.items() if len(values) > 1]
    rows.sort(key=lambda row: -row["figure"] if row["figure"] is not None else float("inf"))
    best = next((row for row in rows if row["figure"] is not None), None)
    if best is None and not reporter.stop_requested:
        raise UserError("No run of the sweep was finished.", "The log says why; mend it and use --resume.")
    write_json(config.out / RESULT, {"train": config.train, "varied": names, "runs": rows})
    with suppress(ImportError):  # the reading edition has no plots
        write_text(config.out / "sweep.svg", _picture(names, rows))
    return {
        "text": _table(names, rows),
        "best": best["run"] if best else None,
        "runs": len(rows),
        "finished": len(rows) == len(runs),
    }


def _values(vary: Sequence[str]) -> dict[str, list[str]]:
    """ "learning_rate=1e-4,3e-4" -> {"learning_rate": ["1e-4", "3e-4"]}."""
    varied = {}
    for each in vary:
        name, equals, values = each.partition("=")
        if not equals or not values:
            raise UserError("{assignment} is not of the form KEY=VALUE,VALUE.", "Write --set key=1,2.", repr(each))
        varied[name.strip().replace("-", "_")] = [value.strip() for value in values.split(",") if value.strip()]
    return varied


def _task(config: SweepCommand, number: int, run: Mapping[str, str]) -> Task:
    """One training; its settings are checked now, before any begins."""
    config_class, _, presets = find_command(config.train)
    out = (config.out / f"run-{number:03}").absolute()
    shared = ("studies", "labels", "images", "method", "init", "device", "seed")
    given = {name: getattr(config, name) for name in shared} | {"out": out}
    given |= {"resume": True} if (out / "config.json").is_file() else {}
    assignments = [f"{name}={value}" for name, value in run.items()]
    settings = make_config(config_class, given, assignments=assignments, preset=config.preset, presets=presets)
    name = ", ".join(assignments) or "the defaults"
    return Task(f"{number}: {name}", job_of(config.train, settings))


def _make_folder(config: SweepCommand) -> None:
    try:
        config.out.mkdir(parents=True, exist_ok=True)
        is_used = any(config.out.iterdir())
    except OSError as error:
        raise not_written(config.out, error) from error
    if is_used and not config.resume:
        raise UserError("The folder {folder} is not empty.", "Choose another one, or use --resume.", config.out)


def _trained(tasks: Sequence[Task], runs: Sequence[Mapping[str, str]], reporter: Reporter) -> list[dict[str, Any]]:
    """A row for each run that ended."""
    settings = {task.name: run for task, run in zip(tasks, runs, strict=True)}
    finished = {task.name: result for task in tasks if (result := _kept(task)) is not None}
    rows = [_row(task, settings[task.name], finished[task.name]) for task in tasks if task.name in finished]

    work = current_work()
    executor = work.executor if work else ThisProcess(job_outcome)
    reporter.progress(len(rows), len(tasks), "runs", "sweep")
    for task, outcome in executor.run(
        [task for task in tasks if task.name not in finished], reporter, lines_to(reporter)
    ):
        if outcome.kind == "failed":
            reporter.log(Text("{run} failed: {reason}", task.name, outcome))
            rows.append({**_row(task, settings[task.name], {}), "failed": str(outcome.message)})
        elif outcome.kind == "done" and outcome.result.get("finished", True):
            write_json(Path(task.job["config"]["out"]) / RESULT, dict(outcome.result))
            rows.append(_row(task, settings[task.name], outcome.result))
        reporter.progress(len(rows), len(tasks), "runs", "sweep")
    return rows


def _kept(task: Task) -> dict[str, Any] | None:
    """The result of a run that was finished before."""
    try:
        return json_text.read_json_object(Path(task.job["config"]["out"]) / RESULT)
    except UserError:
        return None


def _row(task: Task, run: Mapping[str, str], result: Mapping[str, Any]) -> dict[str, Any]:
    return {"run": task.job["config"]["out"], "settings": dict(run), "figure": figure_of(result)}


def figure_of(result: Mapping[str, Any]) -> float | None:
    """By which runs are compared: the mean AUC on held-out patients, or the share of right neighbours; None: neither.

    Args:
        result: of `finetune` or `pretrain`.
    """
    classes = dict(result.get("held_out") or {})
    areas = [each["auc"] for each in classes.values() if isinstance(each, Mapping) and each.get("auc") is not None]
    if areas:
        return float(sum(areas) / len(areas))
    knn = result.get("knn")
    return float(knn) if isinstance(knn, int | float) else None


def _table(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    lines = [("run", *names, "AUC or kNN")]
    for row in rows:
        figure = "failed" if "failed" in row else "-" if row["figure"] is None else f"{row['figure']:.4f}"
        lines.append((Path(row["run"]).name, *(row["settings"][name] for name in names), figure))
    return in_columns(lines)


def _picture(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Parallel coordinates: an axis for each varied setting and one for the figure, a line for each run."""
    from training.evaluation.page import svg

    shown = [row for row in rows if row["figure"] is not None]
    axes_values = {name: list(dict.fromkeys(row["settings"][name] for row in shown)) for name in names}
    with suppress(ValueError):  # values that are no numbers stay in their order
        axes_values = {name: sorted(values, key=float) for name, values in axes_values.items()}
    figures = [row["figure"] for row in shown]
    low, high = min(figures, default=0.0), max(figures, default=1.0)

    def draw(axes: "Axes") -> None:
        for rank, row in enumerate(shown):
            heights = [_share(axes_values[name].index(row["settings"][name]), len(axes_values[name])) for name in names]
            heights.append((row["figure"] - low) / (high - low) if high > low else 1.0)
            axes.plot(heights, color="#0072b2" if rank == 0 else "#9aa5b1", linewidth=2.5 if rank == 0 else 1)
        for place, name in enumerate(names):
            for number, value in enumerate(axes_values[name]):
                axes.annotate(value, (place, _share(number, len(axes_values[name]))))
        for height, figure in ((0.0, low), (1.0, high)):
            axes.annotate(f"{figure:.3f}", (len(names), height))
        axes.set_xticks(range(len(names) + 1), [*names, "AUC or kNN"])
        axes.set_yticks([])

    return svg(draw, 2.0 + 1.6 * len(names))


def _share(number: int, count: int) -> float:
    return number / (count - 1) if count > 1 else 0.5
