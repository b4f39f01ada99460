"""Cross-validating a model repeats the way it learnt, from a start that saw none of the judged patients."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.wce_desktop.sessions import CLASSES, make_session, write_model
from training.evaluation.evaluate_config import EvaluateConfig
from training.models.config import ModelConfig
from training.models.folder import write_model_folder
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.features.learning.model.cross_validation import (
    NAMED_STARTS,
    CrossValidation,
    _named_start,
    evaluate_job,
    plan_cross_validation,
)
from wce_desktop.library import Model
from wce_desktop.session.session import Session


def label(session: Session, folder: Path, patient: str, *names: str) -> None:
    """A study of a patient with one label of each name."""
    study = session.library.studies.add(folder / f"{patient}.mp4", patient_id=patient, frame_count=60)
    spans = [Span(10 * number, 10 * number + 5) for number in range(len(names))]
    labels = [
        Label(new_id("l-"), study.study_id, span, name, "reader", None, "r", None)
        for span, name in zip(spans, names, strict=True)
    ]
    session.library.annotations.edit(study.study_id, "Label", [Add(label) for label in labels])


def trained_model(session: Session, folder: Path, name: str, patients: list[str], **row: Any) -> Model:
    """A model whose card says by what method it learnt, and from whom."""
    import numpy as np

    config = ModelConfig(model_id=name, classes=CLASSES)
    weights = {"classifier.weight": np.full((3, config.embedding_size), len(name), dtype=np.float16)}
    settings = {"preset": "quick", "margin": 0.5, "minutes": 1.0, "of_another_version": 3, "batch_size": 32}
    card = {
        "method": {"name": "tl_ba", "preset": "quick", "settings": settings},
        "split": {"training_patients": patients},
        "steps_done": 250,
    }
    return session.library.models.register(write_model_folder(folder / name, config, weights, card).path, **row)


@pytest.fixture
def session(tmp_path: Path) -> Any:
    made = make_session(tmp_path)
    yield made
    made.library.close()


def test_it_begins_from_the_nearest_ancestor_that_knows_none_of_the_patients(session: Session, tmp_path: Path) -> None:
    for patient in ("P1", "P2", "P3"):
        label(session, tmp_path, patient, "polyp", "normal")
    label(session, tmp_path, "P4", "blood")
    trained_model(session, tmp_path, "first", ["P1"], parent_id="m1", run_id="gone")
    model = trained_model(session, tmp_path, "second", ["P1", "P2"], parent_id="first", run_id="gone")
    plan = plan_cross_validation(session, model)
    assert plan.problem == ""
    assert plan.start is not None
    assert plan.start.title == "Model 1"
    assert [item.title for item in plan.passed_over] == ["first"]
    assert (plan.most_folds, plan.classes, plan.left_out, plan.patients) == (3, ("polyp",), ("blood",), 4)
    assert (plan.method, plan.preset, plan.steps, plan.settings) == ("tl-ba", "quick", 250, {"margin": 0.5})
    assert "not start from first" in " ".join(plan.sentences)


def test_a_model_that_came_from_elsewhere_is_itself_the_start(session: Session, tmp_path: Path) -> None:
    for patient in ("P1", "P2"):
        label(session, tmp_path, patient, "polyp", "normal")
    known, unknown = (trained_model(session, tmp_path, name, [name]) for name in ("P1", "P9"))
    plan = plan_cross_validation(session, unknown)
    assert plan.start == unknown
    assert (plan.preset, plan.steps, plan.settings) == ("default", None, {})
    assert "was not trained here" in plan.sentences[0]
    assert plan_cross_validation(session, known).start is None


def test_it_says_what_is_missing(session: Session, tmp_path: Path) -> None:
    model = session.current_model
    assert model is not None
    assert "at least two patients" in plan_cross_validation(session, model).problem
    for patient in ("P1", "P2"):
        label(session, tmp_path, patient, "polyp")
    assert "normal frames" in plan_cross_validation(session, model).problem
    session.library.studies.update(session.library.studies.all()[0].study_id, state="finished")
    label(session, tmp_path, "P3", "normal")
    plan = plan_cross_validation(session, model)
    assert (plan.problem, plan.most_folds) == ("", 2)


def test_the_job_is_one_that_the_command_takes(session: Session, tmp_path: Path) -> None:
    for patient in ("P1", "P2"):
        label(session, tmp_path, patient, "polyp", "normal")
    model = trained_model(session, tmp_path, "P1", ["P1"])
    run = session.library.runs.add("Cross-validation 1", base_model_id="P1", kind="evaluate")
    spec = evaluate_job(session, run, plan_cross_validation(session, model), folds=2)
    config = EvaluateConfig(**json.loads(json.dumps(spec.config)))
    assert (spec.command, config.folds, config.init) == ("evaluate", 2, "random"), "a ResNet-18 of an older version"
    assert (config.steps, config.batch_size) == (250, 32)
    assert config.labels.is_file()
    assert not any(run.folder.iterdir()), "the run's folder must be empty when it begins"


def test_a_model_with_an_empty_card_is_cross_validated_by_the_defaults(session: Session, tmp_path: Path) -> None:
    for patient in ("P1", "P2"):
        label(session, tmp_path, patient, "polyp", "normal")
    model = session.library.models.register(write_model(tmp_path, "bare", 3.0))
    plan = plan_cross_validation(session, model)
    assert (plan.method, plan.preset, plan.steps, plan.settings) == ("tl-ba", "default", None, {})


@pytest.mark.parametrize(
    ("lineage", "backbone", "wanted"),
    [
        ({"init": "imagenet"}, "resnet18", "imagenet"),
        ({"init": "model", "first_start": "random"}, "efficientnet_lite0", "random"),
        ({}, "efficientnet_lite0", "imagenet"),
        ({}, "resnet18", "random"),  # its ImageNet weights would have to be downloaded
    ],
)
def test_folds_start_as_the_models_lineage_did(
    session: Session, lineage: dict[str, str], backbone: str, wanted: str
) -> None:
    model = session.current_model
    assert model is not None
    (model.folder / "card.json").write_text(json.dumps({"lineage": lineage}), encoding="utf-8")
    (model.folder / "config.json").write_text(json.dumps({"backbone": backbone}), encoding="utf-8")
    assert _named_start(model) == wanted
    plan = CrossValidation(model, 4, ("polyp",), (), 7, named_start=wanted)
    assert NAMED_STARTS[wanted] in plan.sentences
