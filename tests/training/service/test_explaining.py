"""Explanations: as the engine makes them, quick before exact, kept and found again."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.service.reporters import NotingReporter
from training.errors import UserError
from training.inference.explain import explain
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import SIMILARITY
from training.models.folder import ModelFolder
from training.runs.reporter import Cancelled
from training.service.answer_files import ExplanationAnswer
from training.service.requests import ExplainRequest, kept_path
from training.service.workbench import Workbench
from training.video import open_source, study_field_of_view

FEW = "layer2"
"""A layer of 128 channels instead of 512, so that an exact Score-CAM is quick."""


def ask(bench: Workbench, reporter: NotingReporter | None = None, **fields: Any) -> list[ExplanationAnswer]:
    """All answers to a request in float32, in order."""
    request = ExplainRequest.model_validate({"frame_index": 5, "precision": "float32", **fields})
    answers = list(bench.answers(request, reporter or NotingReporter()))
    assert all(isinstance(answer, ExplanationAnswer) for answer in answers)
    return answers  # type: ignore[return-value]


@pytest.mark.parametrize("method", ["cam", "quick", "score-cam"])
def test_an_answer_is_what_the_engine_makes(bench: Workbench, model: ModelFolder, study: Path, method: str) -> None:
    layer = "layer4" if method == "cam" else FEW
    (answer,) = ask(bench, model=model.path, path=study, method=method, class_name="blood", layer=layer)
    with open_source(study) as source:
        frame, view = source.read(5), study_field_of_view(source)
    opened = ExplainedModel.open(model.path, device="cpu", precision="float32")
    wanted = explain(opened, frame, view, method, class_name="blood", layer=layer)  # type: ignore[arg-type]
    np.testing.assert_allclose(answer.explanation.map, wanted.map, atol=1e-5)
    assert answer.explanation.to_json() == wanted.to_json()
    assert (answer.frame_index, answer.model_sha256, answer.is_final) == (5, model.sha256, True)


def test_quick_comes_first_and_exact_replaces_it(bench: Workbench, model: ModelFolder, study: Path) -> None:
    reporter = NotingReporter()
    first, last = ask(bench, reporter, model=model.path, path=study, method="score-cam", layer=FEW, refine=True)
    assert (first.explanation.method, first.is_final) == ("quick", False)
    assert (last.explanation.method, last.is_final) == ("score-cam", True)
    assert first.explanation.agreement is not None
    assert last.explanation.agreement is None
    assert np.corrcoef(first.explanation.map.ravel(), last.explanation.map.ravel())[0, 1] > 0.5
    begins = [total for done, total, what in reporter.told if what == "Score-CAM" and done == 0]
    assert len(begins) == 1, "the exact one goes on where the quick one was"


def test_a_cam_needs_no_refining(bench: Workbench, model: ModelFolder, study: Path) -> None:
    assert len(ask(bench, model=model.path, path=study, method="cam", refine=True)) == 1


def test_what_was_kept_is_found_again_without_study_or_network(
    bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path
) -> None:
    wish: dict[str, Any] = {"model": model.path, "path": study, "method": "score-cam", "layer": FEW, "refine": True}
    wish |= {"keep_in": tmp_path / "kept"}
    made = ask(bench, **wish)
    reporter = NotingReporter()
    kept = ask(Workbench("cpu", 2, reporter), reporter, **{**wish, "path": tmp_path / "gone.mp4"})
    assert len(kept) == 1
    assert kept[0].explanation.to_json() == made[1].explanation.to_json()
    np.testing.assert_allclose(kept[0].explanation.map, made[1].explanation.map, atol=0.0003)
    assert reporter.told == []  # nothing was loaded or opened
    quick = ask(bench, **{**wish, "method": "quick"})
    assert [answer.is_final for answer in quick] == [True]


def test_a_kept_quick_one_is_shown_at_once_while_the_exact_one_is_made(
    bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path
) -> None:
    wish: dict[str, Any] = {"model": model.path, "path": study, "method": "quick", "layer": FEW, "keep_in": tmp_path}
    ask(bench, **wish)
    answers = ask(bench, **{**wish, "method": "score-cam", "refine": True})
    assert [(answer.explanation.method, answer.is_final) for answer in answers] == [
        ("quick", False),
        ("score-cam", True),
    ]


def test_without_a_class_it_is_kept_under_the_one_that_was_chosen_too(
    bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path
) -> None:
    (made,) = ask(bench, model=model.path, path=study, keep_in=tmp_path)
    chosen = made.explanation.class_name
    assert chosen in ("polyp", "blood")
    request = ExplainRequest(model=model.path, path=study, frame_index=5, precision="float32", class_name=chosen)
    assert kept_path(tmp_path, model.sha256, request).is_file()
    assert not list(tmp_path.rglob(".*"))  # nothing half-written is left


def test_a_damaged_kept_one_is_made_anew(bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path) -> None:
    wish: dict[str, Any] = {"model": model.path, "path": study, "keep_in": tmp_path, "class_name": "blood"}
    (made,) = ask(bench, **wish)
    (file,) = tmp_path.rglob("*.npz")
    file.write_bytes(b"half of a fi")
    reporter = NotingReporter()
    (again,) = ask(bench, reporter, **wish)
    np.testing.assert_array_equal(again.explanation.map, made.explanation.map)
    assert any("damaged" in line for line in reporter.lines)
    assert file.stat().st_size > 100


def test_what_cannot_be_kept_is_answered_all_the_same(
    bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path
) -> None:
    (tmp_path / "kept").touch()
    reporter = NotingReporter()
    (answer,) = ask(bench, reporter, model=model.path, path=study, keep_in=tmp_path / "kept")
    assert answer.explanation.has_evidence or answer.explanation.map.max() == 0
    assert any("could not be stored" in line for line in reporter.lines)


def test_a_pretraining_is_explained_by_likeness_to_the_frame_itself(bench: Workbench, run: Path, study: Path) -> None:
    (answer,) = ask(bench, model=run, path=study, method="quick", layer=FEW)
    assert (answer.explanation.class_name, dict(answer.explanation.scores)) == (SIMILARITY, {})
    assert "step 20" in answer.explanation.model_id


def test_nobody_waits_for_what_is_cancelled_half_way(
    bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path
) -> None:
    reporter = NotingReporter(ends_at_check=8)
    with pytest.raises(Cancelled):
        ask(bench, reporter, model=model.path, path=study, method="score-cam", keep_in=tmp_path)
    assert reporter.checks == 8
    assert not list(tmp_path.rglob("*.npz"))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"class_name": "ulcer"}, "no class 'ulcer'"),
        ({"method": "score-cam", "layer": "layer9"}, "no layer 'layer9'"),
        ({"layer": "layer3"}, "CAM explains"),
        ({"frame_index": 20}, "has no frame 20"),
        ({"model": "run"}, "no linear classifier"),
        ({"model": "none"}, "no model folder"),
        ({"path": "none.mp4"}, r"none\.mp4"),
    ],
)
def test_what_cannot_be_explained_is_a_sentence(
    bench: Workbench, model: ModelFolder, run: Path, study: Path, fields: dict[str, Any], words: str
) -> None:
    named: dict[str, Any] = {name: run if value == "run" else value for name, value in fields.items()}
    with pytest.raises(UserError, match=words):
        ask(bench, **{"model": model.path, "path": study, **named})


def test_a_model_that_was_replaced_is_loaded_anew(
    bench: Workbench, model: ModelFolder, run: Path, study: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "m1"
    shutil.copytree(model.path, folder)
    ask(bench, model=folder, path=study)
    (folder / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(UserError, match="wrong hash"):
        ask(bench, model=folder, path=study)
