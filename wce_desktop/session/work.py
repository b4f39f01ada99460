"""Which background jobs the window asks for: scoring a study, pretraining, finetuning, resuming either."""

import re
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from training.datasets.synthetic import is_synthetic
from training.errors import UserError
from training.files.json_text import read_json_object
from training.models.config import MODEL_ID
from training.models.linear_classifier import same_network
from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.jobs.spec import JobKind, JobSpec
from wce_desktop.library import Library, Model
from wce_desktop.library.exchange import export_library
from wce_desktop.library.exchange.export_formats import ExportSummary
from wce_desktop.library.run_files import JOB_FILE, inputs_folder, is_imported, read_card
from wce_desktop.library.runs import EXPERIMENTS, Run
from wce_desktop.session.model_notes import training_note
from wce_desktop.session.places import is_there
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings
from wce_desktop.session.study_files import StudyFiles

CLASSIFIER_ONLY = ("linear", "live")
"""The presets that train the classifier only; they take seconds and wait for no other job."""


_PLACE_SETTINGS = {
    **dict.fromkeys(("score", "embed-clips", "embed-reid"), "score_on"),
    **dict.fromkeys(("pretrain", "finetune", "train-reid", "evaluate", *EXPERIMENTS), "train_on"),
}


def place_of(settings: Settings, spec: JobSpec) -> str:
    """Address of the cluster that a job runs on, as the settings say for its kind; empty: this computer."""
    setting = _PLACE_SETTINGS.get(spec.command)
    is_elsewhere = spec.kind == "gpu" and setting is not None and settings[setting] == "cluster"
    return str(settings["cluster_address"]) or "auto" if is_elsewhere else ""


def score_job(session: Session, study: Study, model: Model, title: str = "") -> JobSpec:
    """Score one study with a model into the library; a job that was stopped goes on where it was.

    If a model with the same network has scored it, its stored embeddings are scored; for the open study at once.
    """
    files, model_id = session.files(study), model.model_id
    reuse = None if files.has_scores(model_id) else files.made_with(network_of(model))
    config = {
        "model": str(model.folder),
        "out": str(files.scores_path(model_id)),
        "reuse": str(reuse) if reuse else None,
        "resume": files.refusal_of_scores(model_id) is None,
        "storage": session.settings["storage"],
    }
    kind: JobKind = "light" if reuse and session.open_id == study.study_id else "gpu"
    return study_job(session, study, title or tr("scoring {study}", study=study.shown_name), "score", config, kind)


def study_job(
    session: Session, study: Study, title: str, command: str, config: Mapping[str, Any], kind: JobKind = "gpu"
) -> JobSpec:
    """A job that makes a file of the library from one study."""
    common = {**study_settings(session.files(study), study), "device": session.settings["device"]}
    return JobSpec(title=title, command=command, config={**common, **config}, kind=kind, study_id=study.study_id)


def study_settings(files: StudyFiles, study: Study) -> dict[str, Any]:
    """What every job takes that makes a file of the library from one study."""
    index = files.usable_index
    return {
        "path": str(study.path),
        "index": str(index) if index else None,  # an imported study was never opened
        "numbering": study.frame_numbering,
        "overwrite": True,  # the library's own file, damaged ones too
    }


def import_settings(
    library: Library, files: StudyFiles, study: Study, table: Path, model_id: str, classes: Collection[str]
) -> dict[str, Any]:
    """The settings of `import-embeddings` for a study of the library.

    Args:
        library: of the study.
        files: of the study.
        study: whose embeddings or scores are imported.
        table: the file that has them.
        model_id: of the model, which may be new.
        classes: that there are in the library.

    Raises:
        UserError: the model has a network, or no model can have this name.
    """
    known = next((model for model in library.models.all() if model.model_id == model_id), None)
    if known is not None and not is_imported(known):
        raise UserError(
            "The model {model} computes its scores: none can be imported for it.", "Give another name.", known.title
        )
    if not re.fullmatch(MODEL_ID, model_id):
        raise UserError(
            "A model cannot be called “{name}”.", "Use letters, digits, points, hyphens and underscores.", model_id
        )
    folder, out = library.folder / "models" / model_id, files.scores_path(model_id)
    if known is None:
        shutil.rmtree(folder, ignore_errors=True)  # of an import that was killed
    like = files.with_colors(out)
    return {
        **study_settings(files, study),
        "table": str(table),
        "model": str(folder),
        "out": str(out),
        "like": str(like) if like else None,
        "classes": list(classes),
    }


def import_job(session: Session, study: Study, table: Path, model_id: str) -> JobSpec:
    """Import a table of embeddings or scores of a study; see `import_settings`."""
    files, names = session.files(study), session.vocabulary.names
    config = import_settings(session.library, files, study, table, model_id, names)
    title = tr("importing {file}", file=table.name)
    return JobSpec(title=title, command="import-embeddings", config=config, kind="light", study_id=study.study_id)


def can_score(session: Session, study: Study, model: Model) -> bool:
    """Whether a model has a network, or a classifier of imported embeddings that this study has."""
    files = session.files(study)
    is_open = not files.has_scores(model.model_id) and files.made_with(network_of(model)) is not None
    return is_open or not is_imported(model)


def network_of(model: Model) -> frozenset[str]:
    """SHA-256 of the weights that have this model's network, whatever their classifier."""
    return frozenset({model.weights_sha256}) | same_network(read_card(model))


def finetuning_start(session: Session, preset: str, study_ids: Collection[str] | None = None) -> dict[str, str]:
    """The settings `init` and `replaces` of a fine-tuning that should improve on the model in use.

    It starts from that model, or from ImageNet weights if there is none. These are better, too, where a model of
    synthetic images meets labels of real studies (docs/results/labels.md): it is then only compared with.

    Args:
        session: library and model in use.
        preset: of `training.finetuning.config`.
        study_ids: whose labels; None for all.
    """
    model = session.current_model
    if model is None:
        return {"init": "imagenet"}
    if preset in CLASSIFIER_ONLY or not learns_anew(session, study_ids):
        return {"init": str(model.folder)}
    return {"init": "imagenet", "replaces": str(model.folder)}


def learns_anew(session: Session, study_ids: Collection[str] | None = None) -> bool:
    """Whether the model in use was trained on synthetic images only, and some of the labels are of real studies."""
    if session.current_model is None or not training_note(session.current_model):
        return False
    labelled = {row.study_id for row in session.library.annotations.label_counts_by_study()}
    return any(
        study.study_id in labelled and not is_synthetic(study.path)
        for study in session.library.studies.all()
        if study_ids is None or study.study_id in study_ids
    )


def finetune_job(
    session: Session,
    run: Path,
    preset: str,
    details: Mapping[str, Any],
    study_ids: Collection[str] | None = None,
    init: str = "",
) -> JobSpec:
    """Finetune on the labels of the studies named, or of the whole library, written down beside the run's folder.

    Changes nothing in the session, so it can run in another thread: 100,000 labels take a second and a half.

    Args:
        session: library and settings.
        run: the run's folder.
        preset: of `training.finetuning.config`.
        details: settings of the run that win over the preset.
        study_ids: whose labels; None for all.
        init: what to start from; empty: see `finetuning_start`.
    """
    inputs = inputs_folder(run)
    written = _export(session, inputs, study_ids)
    config = {
        "labels": str(inputs / "labels.csv"),
        "boxes": str(inputs / "boxes.csv") if written.counts["boxes"] else None,
        "embeddings": str(session.library.folder / "studies"),
        **({"init": init} if init else finetuning_start(session, preset, study_ids)),
        "preset": preset,
        **details,
    }
    return _run_job(
        session, run, tr("fine-tuning"), "finetune", config, "light" if preset in CLASSIFIER_ONLY else "gpu"
    )


def _export(session: Session, folder: Path, study_ids: Collection[str] | None) -> ExportSummary:
    """Write studies with their labels for a training on this computer."""
    return export_library(session.library, folder, study_ids, overwrite=True, has_paths=True)


def _run_job(
    session: Session,
    run: Path,
    title: str,
    command: str,
    config: Mapping[str, Any],
    kind: JobKind = "gpu",
) -> JobSpec:
    """A training of what was exported for a run, written down beside the run's folder."""
    inputs = inputs_folder(run)
    common = {"studies": str(inputs / "manifest.json"), "out": str(run), "device": session.settings["device"]}
    spec = JobSpec(title=title, command=command, config={**common, **config}, kind=kind)
    spec.write_config(inputs / JOB_FILE)
    return spec


def pretrain_job(
    session: Session, run: Path, details: Mapping[str, Any], study_ids: Collection[str], evaluation_ids: Collection[str]
) -> JobSpec:
    """Pretrain on the studies named; the manifest's spans say where small bowel and colon are.

    Args:
        session: library and settings.
        run: the run's folder.
        details: settings of the run, its preset, method and start among them.
        study_ids: whose frames are learned from.
        evaluation_ids: labelled studies of other patients, on which kNN accuracy is measured; may be empty.
    """
    inputs = inputs_folder(run)
    _export(session, inputs, study_ids)
    held_out: dict[str, Any] = {}
    if evaluation_ids:
        judging = inputs / "judging"
        _export(session, judging, evaluation_ids)
        patients = {session.library.studies.get(study_id).patient_id for study_id in evaluation_ids}
        held_out = {
            "labels": str(judging / "labels.csv"),
            "label_studies": str(judging / "manifest.json"),
            "held_out_patients": sorted(patients),
        }
    return _run_job(session, run, tr("pretraining"), "pretrain", {**held_out, **details})


def train_reid_job(session: Session, run: Path, details: Mapping[str, Any], study_ids: Collection[str]) -> JobSpec:
    """Train re-identification on the studies named: their findings with boxes, or their flags by the model in use.

    Args:
        session: library, settings and model in use.
        run: the run's folder.
        details: settings of the run, its preset and start among them.
        study_ids: whose tracklets.
    """
    inputs, model = inputs_folder(run), session.current_model
    counts = _export(session, inputs, study_ids).counts
    config = {
        "labels": str(inputs / "labels.csv"),
        **{name: str(inputs / f"{name}.csv") if counts[name] else None for name in ("boxes", "links")},
        "embeddings": str(session.library.folder / "studies"),
        "scored_by": model.weights_sha256 if model is not None else "",
        **details,
    }
    return _run_job(session, run, tr("training re-identification"), "train-reid", config)


def resume_job(session: Session, run: Run) -> JobSpec:
    """Resume a run that was stopped, cancelled, or interrupted by a crash.

    A run that has written its settings is resumed from them; otherwise from the inputs written for it.

    Raises:
        UserError: neither is there.
    """
    titles = {"pretrain": tr("pretraining"), "train-reid": tr("training re-identification")}
    title = titles.get(run.kind, tr("fine-tuning"))
    device = session.settings["device"]
    if (run.folder / "config.json").is_file():
        started = _read_job(run.folder / "config.json")
        names = ("studies", "labels", *(("boxes", "links") if run.kind == "train-reid" else ()))
        config = {key: started["config"][key] for key in names if started["config"].get(key)}
        inside = {key: str(run.folder / "inputs" / Path(value).name) for key, value in config.items()}
        if run.kind == "train-reid":
            inside["embeddings"] = str(session.library.folder / "studies")
        name = {"model_name": _free_name(session, run)} if run.kind == "finetune" else {}
        config = {**inside, "out": str(run.folder), "device": device, "resume": True, **name}
        return JobSpec(title=title, command=run.kind, config=config)
    started = _read_job(inputs_folder(run.folder) / JOB_FILE)
    config = in_present_place(started["config"], run.folder, session.library.folder)
    return JobSpec(title=title, command=run.kind, config={**config, "device": device, "resume": True})


def in_present_place(config: Mapping[str, Any], run: Path, library: Path) -> dict[str, Any]:
    """A stored configuration whose paths lead into the library where it is now; it may have been moved since.

    Args:
        config: as stored; its `out` is the run's folder of then.
        run: the run's folder, in the library.
        library: its folder.
    """
    then, now = str(config.get("out", "")), str(run)
    below_library = now.removeprefix(str(library))
    if then == now or not then.endswith(below_library):
        return dict(config)
    before = Path(then.removesuffix(below_library))

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [moved(one) for one in value]
        if isinstance(value, str) and Path(value).is_relative_to(before):
            return str(library / Path(value).relative_to(before))
        return value

    return {name: moved(value) for name, value in config.items()}


def _free_name(session: Session, run: Run) -> str | None:
    """A name for the model of a resumed finetuning, whose model of the time it was stopped is in the library already.

    None where it left none: then the run names its model itself.
    """
    result = [model for model in session.library.models.all() if model.run_id == run.run_id]
    return f"{run.run_id}-{len(result) + 1}" if result else None


def _read_job(path: Path) -> dict[str, Any]:
    try:
        content = read_json_object(path)
        return {"command": content["command"], "config": dict(content["config"])}
    except (UserError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            "The run cannot be resumed: its configuration ({name}) is missing or damaged.",
            "Start a new run; nothing else is lost.",
            path.name,
        ) from error


def studies_to_score(session: Session) -> list[Study]:
    """The studies of the library that the current model has not scored, but can, and whose video is there."""
    model = session.current_model
    return [
        study
        for study in session.library.studies.all()
        if not session.scores.is_scored(study)
        and is_there(study.path)
        and (model is None or can_score(session, study, model))
    ]
