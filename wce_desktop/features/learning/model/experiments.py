"""Experiments: tables of the papers, and comparisons of methods, models and explanations, as jobs of the window."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from training.commands.common import find_command
from training.errors import UserError
from training.experiments.reproduce.published import EVERY_TABLE, KEYED_TABLES, find_table
from training.experiments.reproduce.reproduce_config import OF_CLASSES, OF_FRAMES, OF_PAIRS
from training.experiments.reproduce.vats import VATS_TABLES
from training.methods.registry import FRAME_PRETRAINING
from wce_desktop.core.language import to_translate, tr
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Model
from wce_desktop.library.exchange import export_library
from wce_desktop.library.run_files import JOB_FILE, inputs_folder
from wce_desktop.library.runs import Run
from wce_desktop.session.session import Session

Source = Literal["phantom", "library", "folder"]
SOURCES: Mapping[Source, str] = {
    "phantom": to_translate("Synthetic studies"),
    "library": to_translate("Labelled studies of this library"),
    "folder": to_translate("A folder of studies or images"),
}
BUDGETS = {
    "brief": to_translate("Brief: the shortest comparison"),
    "small": to_translate("Small: for a processor"),
    "smoke": to_translate("Trial: only checks that everything works"),
    "paper": to_translate("As in the paper: for a graphics card"),
}
COMPARED = ("random", "imagenet", *FRAME_PRETRAINING)
"""What a comparison of pretrainings offers."""
BESIDE = ("random", "imagenet")
"""Those that are compared in any case."""


@dataclass(frozen=True)
class Experiment:
    """What can be run.

    Attributes:
        command: of `training`.
        title: to translate, or of a paper's table.
        text: what it shows; to translate.
        sources: where its frames may come from.
        table: of a paper; else empty.
        needs_model: whether it evaluates one model.
    """

    command: str
    title: str
    text: str
    sources: tuple[Source, ...] = ("library", "folder")
    table: str = ""
    needs_model: bool = False

    @property
    def has_budget(self) -> bool:
        """Whether network and steps are chosen by a budget."""
        return self.command in ("reproduce", "benchmark")

    @property
    def budgets(self) -> dict[str, str]:
        """Name -> title of the budgets that there are for it."""
        has_brief = not self.table.startswith(("intrator", "xiang"))
        return {name: tr(title) for name, title in BUDGETS.items() if name != "brief" or has_brief}

    @property
    def has_hours(self) -> bool:
        """Whether it can be made to fit into hours."""
        return self.has_budget and not self.table.startswith(("intrator", "xiang"))

    @property
    def has_classes(self) -> bool:
        """Whether a person may say which classes it compares."""
        return self.table in (*OF_FRAMES, *OF_CLASSES) or self.command in ("benchmark", "evaluate-explanations")

    @property
    def has_normal(self) -> bool:
        """Whether images may have another name for normal."""
        return self.table in OF_FRAMES or self.command in ("benchmark", "few-labels", "evaluate-explanations")

    @property
    def has_seeds(self) -> bool:
        """Whether trainings are repeated."""
        return self.has_budget


def _of_table(name: str) -> Experiment:
    paper, _, number = name.partition("-")
    table = KEYED_TABLES[name] if name in KEYED_TABLES else find_table(name)
    sources: tuple[Source, ...] = ("phantom", "folder")
    if paper in ("pascual", "laiz", "vats"):
        sources = ("phantom", "library", "folder")
    kind, digits = number.rstrip("0123456789").capitalize(), number.lstrip("abcdefghijklmnopqrstuvwxyz")
    title = f"{paper.capitalize()} et al., {tr(kind)} {digits}"
    return Experiment("reproduce", title, table.title, sources, name)


def every_experiment() -> tuple[Experiment, ...]:
    """Those that the window offers, in their order."""
    compare = (
        Experiment(
            "benchmark",
            tr("Compare pretrainings"),
            tr("Which pretraining gives the better embedding: kNN, linear classifier, few labels."),
        ),
        Experiment(
            "few-labels",
            tr("Compare by number of labels"),
            tr("How good a model becomes with 40, 80, 160, 320 and all labels, on patients held out."),
        ),
        Experiment(
            "evaluate-explanations",
            tr("Evaluate explanations"),
            tr("Whether explanations point at the boxes of findings."),
            ("folder",),
            needs_model=True,
        ),
        Experiment(
            "evaluate-neighbours",
            tr("Evaluate similar frames"),
            tr("How often the most similar frames of other patients have the same label."),
            ("folder",),
            needs_model=True,
        ),
    )
    return (*compare, *map(_of_table, EVERY_TABLE))


@dataclass(frozen=True)
class Choice:
    """What is to be run, on what, and at which cost; None: as the budget says."""

    experiment: Experiment
    source: Source
    folder: Path | None = None
    budget: str = "small"
    seeds: int | None = None
    hours: float | None = None
    methods: tuple[str, ...] = ()
    model: Model | None = None
    classes: tuple[str, ...] = ()
    normal_label: str = ""


def folder_settings(folder: Path, table: str = "") -> dict[str, Any]:
    """The frames of a folder that an export wrote: studies with a manifest, else images; with what lies beside them.

    The export of a public set has both; it is read as studies for a `table` that compares what studies show.

    Raises:
        UserError: there are no labels in it.
    """
    manifest, images = folder / "manifest.json", folder / "images.csv"
    if manifest.is_file() and (table in OF_PAIRS or not images.is_file()):
        settings, names = {"studies": manifest}, {"labels": "labels", "boxes": "boxes", "pairs": "pairs"}
    else:
        settings = {"images": folder}
        names = {"labels": "images" if images.is_file() else "labels", "boxes": "image_boxes"}
        if not (folder / "image_boxes.csv").is_file():
            names["boxes"] = "boxes"
    settings |= {name: path for name, stem in names.items() if (path := folder / f"{stem}.csv").is_file()}
    if "labels" not in settings:
        raise UserError(
            "{folder} has no labels.csv.",
            "Choose a folder that an export wrote: manifest.json or images, with labels.csv.",
            folder.name,
        )
    return {name: str(path) for name, path in settings.items()}


def _settings(session: Session, choice: Choice, out: Path, frames: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the command; those that it does not have are left out."""
    experiment = choice.experiment
    given = {
        **frames,
        "table": experiment.table or None,
        "phantom": True if choice.source == "phantom" else None,
        "budget": choice.budget if experiment.has_budget else None,
        "seeds": choice.seeds if experiment.has_seeds else None,
        "hours": choice.hours if experiment.has_hours else None,
        "methods": list(choice.methods) or None,
        "model": str(choice.model.folder) if choice.model is not None else None,
        "out": str(out / "neighbours.json" if experiment.command == "evaluate-neighbours" else out),
        "device": session.settings["device"],
    }
    if experiment.has_classes and choice.source != "phantom":
        given["classes"] = list(choice.classes) or None
    if experiment.has_normal and "images" in frames:
        given["normal_label"] = choice.normal_label or None
    config, _, _ = find_command(experiment.command)
    known = config.model_fields
    if experiment.table and not experiment.table.startswith("intrator"):
        given.pop("boxes", None)
    if experiment.table not in OF_PAIRS:
        given.pop("pairs", None)
    return {name: value for name, value in given.items() if value is not None and name in known}


def experiment_job(session: Session, run: Run, choice: Choice) -> JobSpec:
    """Write what the job reads beside the run folder, and return it.

    Does not change the session, so it may run in another thread.

    Raises:
        UserError: an invalid setting, a folder without labels, or a full disk.
    """
    inputs = inputs_folder(run.folder)
    inputs.mkdir(parents=True, exist_ok=True)
    frames: dict[str, Any] = {}
    if choice.source == "library":
        export_library(session.library, inputs, overwrite=True, has_paths=True)
        frames = folder_settings(inputs, choice.experiment.table)
    elif choice.source == "folder":
        if choice.folder is None:
            raise UserError("No folder is chosen.", "Choose a folder that an export wrote.")
        frames = folder_settings(choice.folder, choice.experiment.table)
    config = _settings(session, choice, run.folder, frames)
    find_command(choice.experiment.command)[0].checked(**config)  # report errors before the job starts
    spec = JobSpec(title=run.title, command=choice.experiment.command, config=config)
    spec.write_config(inputs / JOB_FILE)
    return spec


def expected_time(session: Session, choice: Choice) -> tuple[float, float] | None:
    """Seconds that it takes on this computer, and the factor by which it may be longer; see `SpeedBook`.

    None where hours are given, or where nothing can be said before it begins.
    """
    cost = None if choice.hours and choice.experiment.has_hours else _cost(session, choice)
    if cost is None:
        return None
    images, backbone, size = cost
    speed = session.speeds.expect(session.settings["device"], backbone, size)
    return images / speed.value, speed.doubt


def _cost(session: Session, choice: Choice) -> tuple[float, str, int] | None:
    """Images of all trainings, and network and size; torch is not imported."""
    from training.experiments.benchmark import comparison, plan
    from training.experiments.reproduce import budgets, reproduction, tables, triplet_tables

    table = choice.experiment.table
    if table in triplet_tables.TABLES:
        budget = budgets.of_table(budgets.BUDGETS[choice.budget], triplet_tables.TABLES[table])
        rows = [row for row in tables.planned_rows(triplet_tables.TABLES[table], weights_there=True) if row.training]
        seeds = tuple(range(choice.seeds or budget.seeds))
        images = reproduction.Plan(triplet_tables.TABLES[table], budget, tuple(rows), seeds).images()
        return images, budget.backbone, budget.input_size
    if table in VATS_TABLES or choice.experiment.command == "benchmark":
        compared = comparison.COMPARISONS[choice.budget]
        if choice.source == "phantom":
            phantom = budgets.BUDGETS[choice.budget].phantom
            labelled = phantom.patients * phantom.frames
        elif choice.source == "folder":  # nobody has counted its frames yet
            return None
        else:
            labelled = sum(row.new_frames for row in session.library.annotations.label_counts_by_study())
        methods = VATS_TABLES[table].methods if table else choice.methods
        repeats = tuple(range(choice.seeds or compared.seeds))
        frames = plan.Plan(compared.sized(labelled), methods, repeats, labelled).frames()
        return frames, compared.backbone, compared.input_size
    return None
