"""Models, embeddings and evaluation through the public interface give what the command line gives."""

import csv
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

import tests.tiny_backbone
import training
from tests.videos import numbered_frame, write_video
from training.commands.common import find_command
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models")
    torch.manual_seed(0)
    config = ModelConfig(classes=("normal", "polyp"), backbone=tests.tiny_backbone.TINY.name, input_size=64)
    save_network(FrameClassifier(config), path / "model", {"method": "none"})
    write_video(path / "a.mp4", 30)
    write_video(path / "b.mp4", 10)
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> training.Model:
    return training.load_model(str(folder / "model"), device="cpu")


def test_a_model_says_what_it_is(model: training.Model) -> None:
    assert (model.classes, model.input_size, model.embedding_size) == (("normal", "polyp"), 64, 32)
    assert model.card["method"] == "none"


def test_embeddings_are_those_of_the_command(folder: Path, model: training.Model) -> None:
    config, run, _ = find_command("score")
    run(
        config.model_validate(
            {"path": folder / "a.mp4", "model": folder / "model", "out": folder / "c.h5", "device": "cpu"}
        ),
        SilentReporter(),
    )
    events: list[object] = []
    with model.embed(folder / "a.mp4", on_event=events.append) as table:
        command = training.open_embeddings(folder / "c.h5")
        np.testing.assert_array_equal(table.to_numpy(), command.to_numpy())
        np.testing.assert_array_equal(table.scores, command.scores)
        assert (table.frame_index.tolist(), table.seconds[1], len(table)) == ([*range(30)], pytest.approx(0.04), 30)
        temporary = table.path
        np.testing.assert_array_equal(model.score(training.open_study(folder / "a.mp4")), table.scores)
    assert not temporary.exists()
    assert any(isinstance(event, training.Progress) for event in events)


def test_prepared_pictures_are_scored_as_frames_are(folder: Path, model: training.Model) -> None:
    study = training.open_study(folder / "b.mp4")
    pictures = np.stack([study.prepared(number, 64) for number in range(10)])
    with model.embed(study) as table:
        assert np.abs(model.score(pictures) - np.asarray(table.scores)).max() < 5e-3
    with pytest.raises(ValueError, match=r"\(N, 64, 64, 3\)"):
        model.score(pictures[0])


def test_embeddings_become_a_table(folder: Path, model: training.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    with model.embed(folder / "b.mp4") as table:
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(training.UserError, match="pip install pandas"):
            table.to_pandas()
        monkeypatch.undo()
        pytest.importorskip("pandas")
        frame = table.to_pandas()
        assert list(frame.columns[:5]) == ["frame", "seconds", "score_normal", "score_polyp", "e0"]
        assert frame.shape == (10, 4 + 32)


def test_neighbours_are_the_nearest_embeddings(folder: Path, model: training.Model) -> None:
    with model.embed(folder / "a.mp4") as table, model.embed(folder / "b.mp4") as other:
        vectors = table.to_numpy()
        distances = np.linalg.norm(vectors - vectors[4], axis=1)
        distances[4] = np.inf
        found = table.neighbours(4, k=3).items
        assert [item.distance for item in found] == pytest.approx(sorted(distances)[:3], rel=1e-3, abs=1e-4)
        assert {item.study_id for item in table.neighbours(4, k=5, among=[other]).items} == {"b"}
        assert {item.study_id for item in table.neighbours(4, k=39, among=[table, other]).items} == {"a", "b"}
        with pytest.raises(training.UserError, match="30"):
            table.neighbours(30)
        with pytest.raises(TypeError, match="among"):
            table.neighbours(4, among=[folder])  # type: ignore[list-item]


def test_an_existing_file_of_somebody_else_is_kept(folder: Path, model: training.Model) -> None:
    (folder / "mine.h5").write_text("mine")
    with pytest.raises(training.UserError):
        model.embed(folder / "b.mp4", folder / "mine.h5")
    assert (folder / "mine.h5").read_text() == "mine"


def test_an_explanation_lies_over_the_frame(folder: Path, model: training.Model) -> None:
    explanation = model.explain(folder / "a.mp4", 3, class_name="polyp")
    assert (explanation.class_name, explanation.overlay(64, 64).shape) == ("polyp", (64, 64))
    with pytest.raises(training.UserError, match="ulcer"):
        model.explain(folder / "a.mp4", 3, class_name="ulcer")


def test_evaluation_on_images(tmp_path: Path, model: training.Model) -> None:
    rows = []
    for number in range(24):
        name = f"{number}.png"
        cv2.imwrite(str(tmp_path / name), numbered_frame(number))
        rows.append((name, "polyp" if number % 3 == 0 else "normal", f"P{number % 4}"))
    with (tmp_path / "labels.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("filename", "label", "group"), *rows])
    evaluation = training.evaluate(model, images=str(tmp_path), labels=tmp_path / "labels.csv", by="group")
    positives = np.array([label == "polyp" for label in evaluation.labels])
    scores = 1 - evaluation.scores[:, 0].astype(float)
    wins = scores[positives][:, None] - scores[~positives]
    assert evaluation.figures["any"]["auc"]["value"] == pytest.approx(((wins > 0) + (wins == 0) / 2).mean(), abs=1e-5)
    assert (evaluation.classes, set(evaluation.groups)) == (("normal", "polyp"), {"P0", "P1", "P2", "P3"})
    assert sorted(map(str, evaluation.frames)) == sorted(f"{number}.png" for number in range(24))
    page = evaluation.report(str(tmp_path / "report"))
    assert page == tmp_path / "report" / "report.html"
    assert "polyp" in page.read_text()
    with (tmp_path / "report" / "scores.csv").open(newline="") as file:
        assert len([*csv.DictReader(file)]) == 24
    with pytest.raises(training.UserError, match="split by group"):
        training.evaluate(model, images=tmp_path, labels=tmp_path / "labels.csv", by="image")
    with pytest.raises(training.UserError, match="hospital"):
        training.evaluate(model, images=tmp_path, labels=tmp_path / "labels.csv", by="hospital")
