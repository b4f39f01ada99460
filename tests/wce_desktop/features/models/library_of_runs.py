"""A library with a pretraining, two models that descend from it, a failed run and a cross-validation."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.wce_desktop.sessions import CLASSES, known_scores, write_scores
from training.models.config import ModelConfig
from training.models.folder import write_model_folder
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.library.runs import Run
from wce_desktop.session.session import Session

FIGURES = {
    "polyp": {
        "auc": 0.83, "patients": 6, "positives": 120, "sensitivity_at": {"0.95": 0.5, "0.90": 0.6, "0.80": 0.7},
    },
}  # fmt: skip
REPORT = {
    "pooled": {"auc": 0.89, "low": 0.81, "high": 0.95, "patients": 12},
    "mean": {"auc": {"mean": 0.88, "deviation": 0.05}},
    "warnings": ["Only 12 patients."],
    "review_budget": {
        "patients": 12,
        "sentence": "From 12 patients, each held out once.",
        "rows": [{"share": 0.01, "frame_sensitivity": 0.61, "finding_sensitivity": 0.84}],
    },
}


def write_run(run: Run, settings: dict[str, Any], steps: int = 5) -> None:
    """Settings and a curve."""
    content = {"command": run.kind, "config": settings}
    (run.folder / "config.json").write_text(json.dumps(content), "utf-8")
    lines = "".join(f"{step},{1 / step}\n" for step in range(1, steps + 1))
    (run.folder / "metrics.csv").write_text(f"step,loss\n{lines}", "utf-8")


def add_model(session: Session, folder: Path, name: str, number: int, **row: Any) -> None:
    """A run and the model that came of it, in the library; its card names patients that are in no library."""
    settings = {"method": "tl-ba", "preset": "default", "margin": 0.2 * number, "init": "/somewhere/else"}
    run = session.library.runs.add(f"Fine-tuned {number}", run_id=f"r-{name}", **row)
    write_run(run, settings)
    session.library.runs.finish(run.run_id, "done", {"steps_done": 5})
    card = {
        "method": {"name": "tl-ba", "settings": settings},
        "held_out": FIGURES,
        "warning": "Too few to trust.",
        "split": {"training_patients": ["elsewhere"]},
    }
    config = ModelConfig(model_id=name, classes=CLASSES)
    weights = {"classifier.weight": np.full((3, config.embedding_size), number, dtype=np.float16)}
    made = write_model_folder(folder / name, config, weights, card).path
    parent = row.get("base_model_id")
    session.library.models.register(made, title=f"Fine-tuned {number}", parent_id=parent, run_id=run.run_id)


def fill(session: Session, folder: Path) -> None:
    """ImageNet -> Pretrained 1 -> Fine-tuned 1 -> Fine-tuned 2 with a cross-validation; Fine-tuned 3 failed."""
    library = session.library
    base = library.runs.add("Pretrained 1", kind="pretrain", run_id="r-base")
    write_run(base, {"method": "time-triplet", "init": "imagenet", "steps": 400}, steps=8)
    library.runs.finish("r-base", "done", {"steps_done": 8})
    add_model(session, folder, "f1", 1, base_run_id="r-base")
    add_model(session, folder, "f2", 2, base_model_id="f1")
    failed = library.runs.add("Fine-tuned 3", base_model_id="f2", run_id="r-failed")
    library.runs.finish(failed.run_id, "failed", {}, "The loss is not a number at step 41.")
    judged = library.runs.add("Cross-validation 1", base_model_id="f2", kind="evaluate", run_id="r-cv")
    (judged.folder / "report.json").write_text(json.dumps(REPORT), "utf-8")
    library.runs.finish(judged.run_id, "done", {})


def score_with(session: Session, model_id: str, factor: float) -> None:
    """Scores of the open study by a model: the known ones times a factor."""
    assert session.reading is not None
    study = session.reading.study
    path = session.files(study).scores_path(model_id)
    write_scores(path, model_id, (known_scores() * factor).astype(np.float32))
    session.library.models.note_scoring(study.study_id, model_id, path, is_complete=True)


def label_open_study(session: Session) -> None:
    """Polyp where the scores say so, blood where they do, and some normal frames."""
    spans = {"polyp": Span(10, 14), "blood": Span(40, 42), "normal": Span(20, 30)}
    assert session.reading is not None
    study_id = session.reading.study.study_id
    session.edits.apply("Label", [Add(Label(f"l-{name}", study_id, span, name)) for name, span in spans.items()])
