"""Which background jobs the window asks for: scoring a study, finetuning, scoring with the candidate."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wce_desktop.app.places import is_there
from wce_desktop.app.session import Session
from wce_desktop.core.study import Study
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.exchange import export_library


def score_job(session: Session, study: Study, model_dir: Path, model_id: str, title: str = "") -> JobSpec:
    """Score one study with a model into the library; a job that was stopped goes on where it was."""
    return JobSpec(
        title=title or f"scoring {study.name}",
        command="score",
        config={
            "path": str(study.path),
            "model": str(model_dir),
            "out": str(session.files(study).scores_path(model_id)),
            "index": str(session.files(study).index_path),
            "resume": True,
            "device": session.settings["device"],
        },
        study_id=study.study_id,
    )


def inputs_folder(run: Path) -> Path:
    """Where what a run learns from is written for it: beside its folder, which must be empty when it begins."""
    return run.with_name(f"{run.name}.inputs")


def finetune_job(session: Session, run: Path, preset: str, details: Mapping[str, Any]) -> JobSpec:
    """Finetune the present model on every label of the library, written down beside the run's folder.

    Changes nothing in the session, so that it may run in another thread: 100,000 labels take a second and a half.

    `details` are settings of the run that win over the preset (see `training.runs.finetune_config`).
    """
    inputs = inputs_folder(run)
    written = export_library(session.library, inputs)
    model = session.current_model
    return JobSpec(
        title="finetuning",
        command="finetune",
        config={
            "studies": str(inputs / "manifest.json"),
            "labels": str(inputs / "labels.csv"),
            "boxes": str(inputs / "boxes.csv") if written.boxes else None,
            "init": str(model.folder) if model else "random",
            "out": str(run),
            "preset": preset,
            "device": session.settings["device"],
            **details,
        },
    )


def studies_to_score(session: Session) -> list[Study]:
    """The studies of the library that the present model has not scored and whose video is there."""
    return [study for study in session.library.studies() if not session.is_scored(study) and is_there(study.path)]
