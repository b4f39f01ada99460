"""Cross-validating a model: its training is repeated on the library's patients, one fold at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from training.commands.common import find_command
from training.errors import UserError
from training.evaluation.evaluate_config import OWN_FIELDS, evaluate_config
from training.finetuning.config import PRESETS, FinetuneConfig
from training.methods.registry import FINETUNING, method_title
from training.models.backbones import BACKBONES
from training.runs.provenance import first_start
from wce_desktop.core.annotation import label, vocabulary
from wce_desktop.core.language import number_text, to_translate, tr, tr_count
from wce_desktop.features.learning.model import estimate, speed_book
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Model, lineage, runs
from wce_desktop.library.exchange import export_library
from wce_desktop.library.run_files import JOB_FILE, Item, inputs_folder, method_of, read_card, read_json, read_settings
from wce_desktop.session.presets import PRESET_TITLES
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import patients_note
from wce_desktop.session.work import in_present_place

MOST_FOLDS = 5
NAMED_STARTS = {
    "imagenet": to_translate("Every training starts from ImageNet weights."),
    "random": to_translate("Every training starts from random weights."),
}
FEWEST_FOLDS = 2
SETTLED_BY_FOLDS = frozenset(
    {
        "minutes", "epochs", "held_out_share", "evaluations", "checkpoint_seconds", "model_name", "log_to",
        "record_host",
    }
)  # fmt: skip
"""Fine-tuning settings that do not apply to a fold, whose steps and patients the cross-validation sets."""


@dataclass(frozen=True)
class CrossValidation:
    """The plan of a cross-validation of one model, or why it cannot start.

    Attributes:
        model: whose training is evaluated.
        most_folds: the largest possible number of folds.
        classes: classes that at least two patients have.
        left_out: classes that only one patient has.
        patients: number of labelled patients.
        start: of every fold: the nearest ancestor trained on none of these patients; None: `named_start`.
        named_start: "imagenet" or "random" weights, where no ancestor is the start.
        passed_over: nearer ancestors that were trained on some of them.
        method, preset, steps, batch_size, settings: how the model was trained; `settings` differ from the preset.
        problem, hint: why it cannot start, and what to do; empty when it can.
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
    named_start: str = "imagenet"
    patients_note: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """A description for the reader to confirm."""
        start = tr("Every training starts from {start}.", start=self.start.title) if self.start else ""
        sentences = [self._repeated, start or tr(NAMED_STARTS[self.named_start])]
        if self.passed_over:
            names = ", ".join(item.title for item in self.passed_over)
            sentences.append(
                tr("It does not start from {names}, trained on patients that are evaluated here.", names=names)
            )
        if self.left_out:
            names = ", ".join(map(vocabulary.shown_name, self.left_out))
            sentences.append(tr("Left out, because only one patient has it: {names}.", names=names))
        return (*sentences, *filter(None, [self.patients_note]))

    @property
    def _repeated(self) -> str:
        """How the model was trained, and what is repeated."""
        method = tr(method_title(self.method))
        preset = tr(PRESET_TITLES[self.preset])
        how = tr("{method} (preset “{preset}”)", method=method, preset=preset)
        if self.steps:
            how = tr_count(
                "{method} (preset “{preset}”, {count} step each)",
                "{method} (preset “{preset}”, {count} steps each)",
                self.steps,
                method=method,
                preset=preset,
            )
        values = {"model": self.model.title, "how": how, "patients": number_text(self.patients)}
        if self.start == self.model:
            return tr(
                "{model} was not trained here. Fine-tuning it by {how} is evaluated: it is run once per fold of the "
                "{patients} labelled patients: trained on the other folds, evaluated on this one.",
                **values,
            )
        return tr(
            "{model} was trained by {how}. This training is repeated once per fold of the {patients} labelled "
            "patients: trained on the other folds, evaluated on this one.",
            **values,
        )


def plan_cross_validation(session: Session, model: Model) -> CrossValidation:
    """The plan for cross-validating a model with the library's labels."""
    library = session.library
    by_class = library.annotations.patients_by_class()
    finished = [study for study in library.studies.all() if study.state == "finished"]  # what was seen there is normal
    by_class[label.NORMAL] = by_class.get(label.NORMAL, frozenset()) | {study.patient_id for study in finished}
    wanted = {name: len(patients) for name, patients in by_class.items() if name != label.NORMAL}
    classes = tuple(sorted(name for name, count in wanted.items() if count >= FEWEST_FOLDS))
    left_out = tuple(sorted(set(wanted) - set(classes)))
    if not classes:
        problem = tr("Cross-validation needs a finding labelled in at least two patients.")
        return CrossValidation(model, problem=problem, hint=tr("Label studies of other patients first."))
    if len(by_class[label.NORMAL]) < FEWEST_FOLDS:
        problem = tr("Cross-validation needs normal frames of at least two patients.")
        return CrossValidation(model, problem=problem, hint=tr("Label some with 0, or finish reading a study."))
    patients = frozenset().union(*by_class.values())
    start, passed_over = _start(lineage.Family.of(session.library), model, patients)
    most = min(MOST_FOLDS, len(by_class[label.NORMAL]), *(wanted[name] for name in classes))
    how = {"preset": session.settings["finetune_preset"]} if start == model else _training_of(model)
    how["named_start"] = _named_start(model)
    labelled = {row.study_id for row in library.annotations.label_counts_by_study()} | {
        study.study_id for study in finished
    }
    how["patients_note"] = patients_note(session, frozenset(labelled))
    return CrossValidation(model, most, classes, left_out, len(patients), start, passed_over, **how)


def _start(family: lineage.Family, model: Model, patients: frozenset[str]) -> tuple[Item | None, tuple[Item, ...]]:
    """The nearest ancestor trained on none of the patients, and the nearer ones that were passed over.

    A model that was trained elsewhere is itself the start: fine-tuning it is evaluated.
    """
    candidates = family.ancestors(model)
    if family.run_of(model) is None and not candidates:
        candidates = [model]
    passed: list[Item] = []
    for item in candidates:
        if not lineage.training_patients(item) & patients:
            return item, tuple(passed)
        passed.append(item)
    return None, tuple(passed)


def _named_start(model: Model) -> str:
    """What the model's own lineage began with; where its card does not say so, ImageNet weights if they are here."""
    named = first_start(read_card(model))
    if named in NAMED_STARTS:
        return named
    backbone = read_json(model.folder / "config.json").get("backbone")
    return "imagenet" if backbone in BACKBONES and BACKBONES[str(backbone)].weights_package else "random"


def _training_of(model: Model) -> dict[str, Any]:
    """Method, preset, steps and settings from the model's card, without settings unknown to this version."""
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


def fold_seconds(session: Session, plan: CrossValidation) -> float:
    """Expected time to train one fold on this computer, without the evaluation."""
    result = read_json(plan.model.folder / "config.json")
    preset = PRESETS[plan.preset]
    fields = FinetuneConfig.model_fields
    backbone = str(result.get("backbone", fields["backbone"].default))
    stored = result.get("input_size")
    size = stored if type(stored) is int and 0 < stored <= 2048 else estimate.DEFAULT_INPUT_SIZE
    steps = plan.steps or int(preset.get("most_steps", fields["most_steps"].default))
    batch = int(plan.batch_size or preset.get("batch_size", fields["batch_size"].default))
    book = speed_book.SpeedBook(session.library.folder / "speeds.json")
    layers = plan.settings.get("trained_layers", speed_book.ALL_LAYERS)  # older versions trained all of them
    return steps * batch / book.expect(session.settings["device"], backbone, size, layers).value


def evaluate_job(session: Session, run: runs.Run, plan: CrossValidation, folds: int) -> JobSpec:
    """Write the library's labels beside the run folder and return the job.

    Does not change the session, so it may run in another thread.

    Raises:
        UserError: an invalid setting, or a full disk.
    """
    inputs = inputs_folder(run.folder)
    export_library(session.library, inputs, overwrite=True, has_paths=True)
    config = {
        "studies": str(inputs / "manifest.json"),
        "labels": str(inputs / "labels.csv"),
        "out": str(run.folder),
        "method": plan.method,
        "init": str(plan.start.folder) if plan.start else plan.named_start,
        "preset": plan.preset,
        "classes": list(plan.classes),
        "steps": plan.steps,
        "batch_size": plan.batch_size,
        "settings": dict(plan.settings),
        "folds": folds,
        "device": session.settings["device"],
    }
    if plan.start is None:  # a fold starts from ImageNet or random weights
        settings = read_settings(plan.model)
        config |= {key: settings[key] for key in ("backbone", "input_size") if settings.get(key)}
    evaluate_config(**config)  # report errors before the job starts
    spec = JobSpec(title=tr("cross-validating {model}", model=plan.model.title), command="evaluate", config=config)
    spec.write_config(inputs / JOB_FILE)
    return spec


def resume_evaluation_job(session: Session, run: runs.Run, title: str) -> JobSpec:
    """A job that resumes a cross-validation or an experiment; what is finished is kept.

    Raises:
        UserError: its stored configuration is missing or damaged.
    """
    job = read_json(inputs_folder(run.folder) / JOB_FILE)
    config, command = job.get("config"), job.get("command")
    if not isinstance(config, Mapping) or command not in ("evaluate", *runs.EXPERIMENTS):
        raise UserError("This run cannot be resumed: its configuration is missing or damaged.", "Start a new one.")
    config = in_present_place(config, run.folder, session.library.folder)
    config |= {"device": session.settings["device"]}
    if "resume" in find_command(command)[0].model_fields:
        config["resume"] = True
    words = tr("cross-validating {model}", model=title) if command == "evaluate" else title
    return JobSpec(title=words, command=command, config=config)
