"""Cross-validating a model: the way in which it learnt, repeated for parts of the library's patients in turn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from training.errors import UserError
from training.evaluation.evaluate_config import OWN_FIELDS, evaluate_config
from training.finetuning.config import PRESETS, FinetuneConfig
from training.methods.registry import FINETUNING
from wce_desktop.core.label import NORMAL
from wce_desktop.features.learning.model.estimate import DEFAULT_INPUT_SIZE, SpeedBook
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Library, Model
from wce_desktop.library.exchange import export_library
from wce_desktop.library.runs.lineage import Family
from wce_desktop.library.runs.lineage import training_patients as taught_patients
from wce_desktop.library.runs.run_files import (
    JOB_FILE,
    Item,
    inputs_folder,
    method_of,
    read_card,
    read_json,
    read_settings,
)
from wce_desktop.library.work import Run
from wce_desktop.session.session import Session

MOST_FOLDS = 5
FEWEST_FOLDS = 2
SETTLED_BY_FOLDS = frozenset({"minutes", "epochs", "held_out_share", "evaluations", "checkpoint_seconds", "model_name"})
"""Settings of a finetuning that mean nothing in a fold, which takes its steps and patients from the whole."""


@dataclass(frozen=True)
class CrossValidation:
    """What a cross-validation of one model would do, or why it cannot.

    Attributes:
        model: whose way of learning is judged.
        most_folds: into so many parts its patients can be divided at most.
        classes: what is looked for: the classes that at least two patients have.
        left_out: classes that only one patient has.
        patients: patients with any label.
        start: what every fold starts from: the nearest ancestor that learnt from none of these patients, or None for
            random weights.
        passed_over: nearer ancestors that learnt from some of them.
        method, preset, steps, batch_size, settings: how the model learnt; `settings` differ from the preset.
        problem, hint: why it cannot begin, and what to do; empty when it can.
    """

    model: Model
    most_folds: int = 0
    classes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    patients: int = 0
    start: Item | None = None
    passed_over: tuple[Item, ...] = ()
    method: str = "tl-ba"
    preset: str = "default"
    steps: int | None = None
    batch_size: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    hint: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What will be done, for the reader to agree to."""
        steps = f", {self.steps:,} steps each" if self.steps else ""
        how = f"{self.method} (preset {self.preset}{steps})"
        what = f"{self.model.title} learnt by {how}. That is repeated"
        if self.start == self.model:
            what = f"{self.model.title} did not learn here. What is judged is finetuning it by {how}: that is done"
        start = self.start.title if self.start else "random weights"
        said = [
            f"{what} for each part of the {self.patients:,} labelled patients, on the labels of the other parts, and "
            "judged on the part.",
            f"Every training starts from {start}.",
        ]
        if self.passed_over:
            names = ", ".join(item.title for item in self.passed_over)
            said.append(f"Not from {names}, which learnt from patients that are to be judged.")
        if self.left_out:
            said.append(f"Left out, because only one patient has it: {', '.join(self.left_out)}.")
        return tuple(said)


def plan_cross_validation(session: Session, model: Model) -> CrossValidation:
    """What cross-validating a model with the library's labels would do now."""
    by_class = session.library.patients_by_class()
    by_class[NORMAL] = by_class.get(NORMAL, frozenset()) | _finished_patients(session.library)
    wanted = {name: len(patients) for name, patients in by_class.items() if name != NORMAL}
    classes = tuple(sorted(name for name, count in wanted.items() if count >= FEWEST_FOLDS))
    left_out = tuple(sorted(set(wanted) - set(classes)))
    if not classes:
        problem = "Cross-validation needs a finding that is labelled in at least two patients."
        return CrossValidation(model, problem=problem, hint="Label more studies first, of other patients.")
    if len(by_class[NORMAL]) < FEWEST_FOLDS:
        problem = "Cross-validation needs normal frames of at least two patients."
        return CrossValidation(model, problem=problem, hint="Label some with 0, or finish reading a study.")
    patients = frozenset().union(*by_class.values())
    start, passed_over = _start(Family.of(session.library), model, patients)
    most = min(MOST_FOLDS, len(by_class[NORMAL]), *(wanted[name] for name in classes))
    how = {"preset": session.settings["finetune_preset"]} if start == model else _how_it_learnt(model)
    return CrossValidation(model, most, classes, left_out, len(patients), start, passed_over, **how)


def _finished_patients(library: Library) -> frozenset[str]:
    """Patients of finished studies: what was seen there and not labelled is normal."""
    return frozenset(study.patient_id for study in library.studies() if study.state == "finished")


def _start(family: Family, model: Model, patients: frozenset[str]) -> tuple[Item | None, tuple[Item, ...]]:
    """The nearest start that learnt from none of the patients, and those that were passed over.

    A model that was not made here, and learnt elsewhere, is itself the start: what is judged is finetuning it.
    """
    candidates = family.ancestors(model)
    if family.run_of(model) is None and not candidates:
        candidates = [model]
    passed: list[Item] = []
    for item in candidates:
        if not taught_patients(item) & patients:
            return item, tuple(passed)
        passed.append(item)
    return None, tuple(passed)


def _how_it_learnt(model: Model) -> dict[str, Any]:
    """Method, preset, steps and settings from the model's card; what this version does not know is left out."""
    card, settings = read_card(model), read_settings(model)
    preset = str(settings.get("preset", "default"))
    preset = preset if preset in PRESETS else "default"
    steps = card.get("steps_done") or settings.get("steps")
    method = method_of(model)
    method = method if method in FINETUNING else next(iter(FINETUNING))
    known = FinetuneConfig.of(method).model_fields.keys() - OWN_FIELDS - SETTLED_BY_FOLDS
    return {
        "method": method,
        "preset": preset,
        "steps": int(steps) if isinstance(steps, int) and steps > 0 else None,
        "batch_size": settings.get("batch_size"),
        "settings": {key: value for key, value in settings.items() if key in known and value is not None},
    }


def seconds_of_part(session: Session, plan: CrossValidation) -> float:
    """How long the training for one part is likely to take on this computer; judging comes on top."""
    made = read_json(plan.model.folder / "config.json")
    preset = PRESETS[plan.preset]
    fields = FinetuneConfig.model_fields
    backbone = str(made.get("backbone", fields["backbone"].default))
    told = made.get("input_size")
    size = told if type(told) is int and 0 < told <= 2048 else DEFAULT_INPUT_SIZE
    if plan.steps is None:
        minutes = float(preset.get("minutes", fields["minutes"].default))
        return 60 * minutes
    batch = int(plan.batch_size or preset.get("batch_size", fields["batch_size"].default))
    book = SpeedBook(session.library.folder / "speeds.json")
    speed = book.expect(session.settings["device"], backbone, size)
    return plan.steps * batch / speed.images_per_second


def evaluate_job(session: Session, run: Run, plan: CrossValidation, folds: int) -> JobSpec:
    """Write the library's labels beside the run's folder and ask for the cross-validation.

    Changes nothing in the session, so that it may run in another thread.

    Raises:
        UserError: a setting that the cross-validation does not take, or a full disk.
    """
    inputs = inputs_folder(run.folder)
    export_library(session.library, inputs, overwrite=True)
    config = {
        "studies": str(inputs / "manifest.json"),
        "labels": str(inputs / "labels.csv"),
        "out": str(run.folder),
        "method": plan.method,
        "init": str(plan.start.folder) if plan.start else "random",
        "preset": plan.preset,
        "classes": list(plan.classes),
        "steps": plan.steps,
        "batch_size": plan.batch_size,
        "settings": dict(plan.settings),
        "folds": folds,
        "device": session.settings["device"],
    }
    config |= {} if plan.start else _network_of(plan.model)
    evaluate_config(**config)  # told here, not after torch was imported
    spec = JobSpec(title=f"cross-validating {plan.model.title}", command="evaluate", config=config)
    spec.write_config(inputs / JOB_FILE)
    return spec


def resumed_job(session: Session, run: Run, title: str) -> JobSpec:
    """Go on with a cross-validation; the parts that were finished are kept.

    Raises:
        UserError: what it was asked to do is missing or damaged.
    """
    config = read_json(inputs_folder(run.folder) / JOB_FILE).get("config")
    if not isinstance(config, Mapping):
        raise UserError(
            "The cross-validation cannot go on: what it was asked to do is missing or damaged.", "Start a new one."
        )
    asked = {**config, "device": session.settings["device"], "resume": True}
    return JobSpec(title=f"cross-validating {title}", command="evaluate", config=asked)


def _network_of(model: Model) -> dict[str, Any]:
    """Network and input size, which random weights do not bring along."""
    settings = read_settings(model)
    return {key: settings[key] for key in ("backbone", "input_size") if settings.get(key)}
