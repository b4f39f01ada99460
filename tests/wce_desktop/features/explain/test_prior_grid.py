"""The explanation of models that were derived from a pretraining with PGCon or WINCon."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.explain.test_explaining import corner
from tests.wce_desktop.features.explain.windows import explaining_window
from tests.wce_desktop.sessions import known_scores, write_model, write_scores
from tests.wce_desktop.windows import press
from training.inference.explanation import SIMILARITY
from wce_desktop.library.runs import Run
from wce_desktop.shell.main_window import MainWindow


def titles(window: MainWindow) -> list[str]:
    methods = window.features.explain.panel.method
    return [methods.itemText(row) for row in range(methods.count())]


def use_model_from(window: MainWindow, folder: Path, method: str) -> Run:
    """Use a model that was fine-tuned from a pretraining with this method."""
    session = window.session
    pretraining = session.library.runs.add("Pretrained 1", kind="pretrain")
    weights = pretraining.folder / "kept" / "step-000100.safetensors"
    weights.parent.mkdir(parents=True)
    weights.touch()
    (pretraining.folder / "card.json").write_text(json.dumps({"method": {"name": method}}), encoding="utf-8")
    finetuning = session.library.runs.add("Fine-tuned 1", base_run_id=pretraining.run_id)
    session.library.models.register(
        write_model(folder / "models", "m2", 1.0), title="Model 2", run_id=finetuning.run_id
    )
    assert session.reading is not None
    write_scores(session.files(session.reading.study).scores_path("m2"), "m2", known_scores())
    session.scores.use_model("m2")
    return pretraining


@pytest.mark.parametrize(("method", "is_offered"), [("pgcon", True), ("wincon", True), ("time-triplet", False)])
def test_it_is_offered_only_where_the_pretraining_was_of_that_kind(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, is_offered: bool
) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, _):
        assert "Like the reddest part" not in titles(window)
        use_model_from(window, tmp_path, method)
        assert ("Like the reddest part" in titles(window)) is is_offered


def test_the_pretraining_is_asked_not_the_model(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with explaining_window(qtbot, tmp_path, monkeypatch) as (window, client):
        run = use_model_from(window, tmp_path, "wincon")
        for _ in range(3):
            press(window, "next_method")
        press(window, "explain_frame")
        request = client.asked[-1]
        assert (request.method, request.model, request.class_name) == ("prior-grid", run.folder, SIMILARITY)
        client.answer()
        assert corner(window) == "Like the reddest part, pretraining of Model 2"
        assert window.features.explain.notes_of(12).score_text == "", "no class is explained"
        assert not window.features.explain.panel.boxes.suggest.isEnabled(), "a box needs a class"
        press(window, "next_class")
        assert corner(window) == "Like the reddest part, pretraining of Model 2", "the same for every class"
        window.session.scores.use_model("m1")
        assert "Like the reddest part" not in titles(window)
        assert window.features.explain.explaining.cams.method == "cam"
        assert corner(window) == "CAM, Model 1"
