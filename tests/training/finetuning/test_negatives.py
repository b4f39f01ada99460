"""Frames of which a reader said that a class is not there: what is learned from them, and what is not."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.finetuning.test_run import Listener, config
from tests.training.pretraining.tiny_studies import SIDE, picture, write_tiny_studies
from training.datasets.labels import LabelRow, read_answers, write_labels
from training.finetuning.start import finetune
from training.inference.torch_engine import score_frames
from training.models.folder import ModelFolder
from training.models.linear_classifier import read_classifier
from training.models.network import load_network
from training.runs.reporter import SilentReporter

KINDS = ("normal", "polyp", "blood")
SHOWN = 12
"""Frames of each study with a polyp and food."""


def polyp_and_food(rng: np.random.Generator) -> NDArray[np.uint8]:
    """(64, 64, 3) RGB: a polyp, and food that looks like blood to the model."""
    image = picture("polyp", rng).astype(np.float64)
    y, x = np.mgrid[:SIDE, :SIDE]
    image[np.hypot(x - rng.uniform(20, 44), y - rng.uniform(14, 22)) < 9] = [120, 15, 10]
    image[np.hypot(x - 31.5, y - 31.5) > 31] = 0
    return image.astype(np.uint8)


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Studies of other patients, which end with frames of polyps and food that have no label yet."""
    folder = write_tiny_studies(tmp_path_factory.mktemp("new"), patients=4, frames=36, kinds=KINDS)
    content = (folder / "manifest.json").read_text().replace('"patient_id": "P', '"patient_id": "Q')
    (folder / "manifest.json").write_text(content)
    rng = np.random.default_rng(1)
    for number in range(4):
        for frame in range(36, 36 + SHOWN):
            bgr = cv2.cvtColor(polyp_and_food(rng), cv2.COLOR_RGB2BGR)
            assert cv2.imwrite(str(folder / f"P{number}" / f"frame{frame:04}.png"), bgr)
    return folder


def labels_of(studies: Path, path: Path, label: str, answer: Any, patients: range = range(4)) -> Path:
    """labels.csv in which the frames with polyps and food have one label more."""
    more = [
        LabelRow(study_id=f"P{number}-study", start=36, stop=36 + SHOWN, label=label, answer=answer)
        for number in patients
    ]
    write_labels(path, [*read_answers(studies / "labels.csv"), *more])
    return path


def trained(old: Path, studies: Path, out: Path, labels: Path, **fields: Any) -> tuple[dict[str, Any], str]:
    plain = {"init": str(old), "input_size": None, "evaluations": 0, "labels": labels}
    listener = Listener()
    return finetune(config(studies, out, **{**plain, **fields}), listener), listener.said


def mean_scores(model: Path | str) -> Mapping[str, float]:
    """Mean score of each class on new pictures of polyps and food."""
    rng = np.random.default_rng(99)
    pixels = np.stack([polyp_and_food(rng) for _ in range(40)])
    network = load_network(ModelFolder.open(Path(model)))
    scores = score_frames(network, pixels, SilentReporter()).scores
    return dict(zip(network.config.classes, scores.mean(axis=0).tolist(), strict=True))


RUNS: dict[str, dict[str, Any]] = {
    "network": {"steps": 20, "learning_rate": 1e-3},
    "classifier": {"preset": "linear", "steps": None},
    "without refitting": {"steps": 20, "learning_rate": 1e-3, "refit": False, "linear_start": False},
}


@pytest.mark.parametrize("fields", RUNS.values(), ids=list(RUNS))
def test_rejecting_food_on_a_frame_with_a_polyp_teaches_nothing_about_polyps(
    fields: dict[str, Any], old: Path, studies: Path, tmp_path: Path
) -> None:
    scores = {}
    for name, label, answer in (("rejected", "blood", "no"), ("normal", "normal", "yes")):
        labels = labels_of(studies, tmp_path / f"{name}.csv", label, answer)
        result, said = trained(old, studies, tmp_path / name, labels, **fields)
        scores[name] = mean_scores(result["model"])
        assert ("Frames on which a class is not there" in said) == (name == "rejected")
    result, _ = trained(old, studies, tmp_path / "without", studies / "labels.csv", **fields)
    scores["without"] = mean_scores(result["model"])
    assert scores["without"]["blood"] > 0.03, "otherwise this test shows nothing"
    assert scores["rejected"]["blood"] < 0.5 * scores["without"]["blood"]
    assert scores["rejected"]["polyp"] > scores["without"]["polyp"] - 0.02
    assert scores["normal"]["polyp"] < scores["without"]["polyp"] - 0.1, "the control: called normal"


def rows_of(model: str) -> Mapping[str, NDArray[np.float32]]:
    folder = ModelFolder.open(Path(model))
    classifier = read_classifier(folder)
    rows = np.column_stack([classifier.weight, classifier.bias])
    return dict(zip(folder.config.classes, rows, strict=True))


@pytest.mark.parametrize("preset", ["linear", "live"])
def test_only_the_row_of_the_rejected_class_differs(preset: str, old: Path, studies: Path, tmp_path: Path) -> None:
    fields = {"preset": preset, "steps": None}
    labels = labels_of(studies, tmp_path / "labels.csv", "blood", "no")
    with_no, without = (
        rows_of(trained(old, studies, tmp_path / path.parent.name, path, **fields)[0]["model"])
        for path in (labels, studies / "labels.csv")
    )
    assert np.abs(with_no["blood"] - without["blood"]).max() > 1e-3
    for name in ("normal", "polyp"):
        assert np.abs(with_no[name] - without[name]).max() < 1e-6


@pytest.mark.parametrize("fields", [RUNS["network"], RUNS["classifier"]], ids=["network", "classifier"])
def test_a_class_of_the_old_model_may_have_rejections_only(
    fields: dict[str, Any], old: Path, studies: Path, tmp_path: Path
) -> None:
    labels = labels_of(studies, tmp_path / "labels.csv", "blood", "no")
    write_labels(labels, [row for row in read_answers(labels) if row.label != "blood" or row.answer == "no"])
    result, said = trained(old, studies, tmp_path / "run", labels, rehearsal_frames=36, **fields)
    assert result["classes"] == list(KINDS)
    assert "blood" not in result["held_out"], "nothing to evaluate it on"
    assert "not there" in said
    assert mean_scores(result["model"])["blood"] < 0.5 * mean_scores(old)["blood"]
    split = json.loads((tmp_path / "run" / "split.json").read_text())
    rehearsed = split.get("rehearsed_frames", {})
    assert not any(set(frames) & set(range(36, 36 + SHOWN)) for frames in rehearsed.values())


@pytest.mark.parametrize("fields", [RUNS["network"], RUNS["classifier"]], ids=["network", "classifier"])
def test_rejections_of_held_out_patients_are_held_out(
    fields: dict[str, Any], old: Path, studies: Path, tmp_path: Path
) -> None:
    labels = labels_of(studies, tmp_path / "labels.csv", "blood", "no")
    result, said = trained(old, studies, tmp_path / "run", labels, **fields)
    split = json.loads((tmp_path / "run" / "split.json").read_text())
    (held_out,) = split["held_out_patients"]
    study = held_out.replace("Q", "P") + "-study"
    assert list(split["held_out_negative_frames"]["blood"]) == [study]
    assert set(split["negative_frames"]["blood"]) == {f"P{number}-study" for number in range(4)} - {study}
    sentence = (
        "Frames on which a class is not there, used for that class only. Learned from: 36 blood. Held out: 12 blood."
    )
    assert sentence in said
    assert ModelFolder.open(Path(result["model"])).card["data"]["not_there"] == sentence
    assert result["held_out"]["blood"]["not_there"] == 12
    assert "not_there" not in result["held_out"]["polyp"]
    compared = json.loads((tmp_path / "run" / "comparison.json").read_text())
    assert compared["new"]["blood"] == result["held_out"]["blood"]
    assert compared["old"]["blood"]["not_there"] == 12


def test_a_patient_with_rejections_only_counts_as_learned_from(old: Path, studies: Path, tmp_path: Path) -> None:
    rows = read_answers(labels_of(studies, tmp_path / "labels.csv", "blood", "no"))
    write_labels(tmp_path / "labels.csv", [row for row in rows if row.study_id != "P3-study" or row.answer == "no"])
    result, _ = trained(old, studies, tmp_path / "run", tmp_path / "labels.csv", **RUNS["classifier"])
    card = ModelFolder.open(Path(result["model"])).card
    assert "Q3" in card["split"]["training_patients"]


def test_with_one_patient_rejections_belong_to_the_nearest_labelled_frames(
    old: Path, studies: Path, tmp_path: Path
) -> None:
    rows = read_answers(labels_of(studies, tmp_path / "labels.csv", "blood", "no"))
    write_labels(tmp_path / "labels.csv", [row for row in rows if row.study_id == "P0-study"])
    trained(old, studies, tmp_path / "run", tmp_path / "labels.csv", **RUNS["classifier"])
    split = json.loads((tmp_path / "run" / "split.json").read_text())
    assert split["kind"] == "time"
    sides = [split[name]["frames"]["P0-study"] for name in ("training", "held_out")]
    side = "negative_frames" if max(sides[0]) > max(sides[1]) else "held_out_negative_frames"
    assert split[side]["blood"]["P0-study"][-1] == 36 + SHOWN - 1


def test_a_class_that_no_model_knows_is_passed_over(old: Path, studies: Path, tmp_path: Path) -> None:
    labels = labels_of(studies, tmp_path / "labels.csv", "erosion", "no")
    result, said = trained(old, studies, tmp_path / "run", labels, **RUNS["classifier"])
    assert result["classes"] == list(KINDS)
    assert "not there" not in said
