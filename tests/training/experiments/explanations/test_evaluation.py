"""A whole evaluation: who explains whom, what is kept, what the report says, and what is refused."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.models import write_untrained_model
from tests.training.experiments.explanations.images import GROUPS, SIDE, write_boxed_images
from training.commands.shell import main
from training.errors import UserError
from training.experiments.explanations import evaluation, fold_models
from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.experiments.explanations.evaluation import evaluate_explanations
from training.experiments.explanations.explainers import (
    BoxedFrame,
    Explainer,
    Question,
    central_overlay,
    random_overlay,
)
from training.runs.reporter import Cancelled, SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")

QUICK: dict[str, Any] = {
    "init": "random",
    "backbone": "tiny",
    "normal_label": "clear",
    "folds": 2,
    "steps": 1,
    "input_size": 64,
    "batch_size": 4,
    "explain": ("cam", "quick", "center", "random"),
    "sample": 3,
    "curve_steps": 2,
    "bootstraps": 20,
    "shown": 2,
    "threads": 1,
}


def config_of(data: Path, out: Path, **changes: Any) -> EvaluateExplanationsConfig:
    """A quick evaluation of the images in `data`."""
    given = {"images": data / "images", "labels": data / "labels.csv", "boxes": data / "boxes.csv", "out": out}
    return EvaluateExplanationsConfig(**(given | QUICK | changes))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four groups of four images."""
    return write_boxed_images(tmp_path_factory.mktemp("boxed") / "set")


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report folder of an evaluation by folds."""
    out = tmp_path_factory.mktemp("report") / "out"
    assert evaluate_explanations(config_of(data, out), SilentReporter())["finished"]
    return out


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that knows blood, untrained."""
    return write_untrained_model(tmp_path_factory.mktemp("models"), "plain", ("normal", "blood"))


def rows_of(out: Path) -> list[dict[str, str]]:
    """frames.csv."""
    with (out / "frames.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_frame_is_explained_by_the_model_that_never_saw_its_group(finished: Path) -> None:
    held_out = {}
    for number in range(2):
        told = json.loads((finished / "models" / f"fold-0{number}" / "fold.json").read_text(encoding="utf-8"))
        held_out[f"fold-{number + 1}-of-2"] = set(told["held_out"])
        card = json.loads((finished / "models" / f"fold-0{number}" / "model" / "card.json").read_text(encoding="utf-8"))
        assert set(card["split"]["training_patients"]) == set(GROUPS) - set(told["held_out"])
    rows = rows_of(finished)
    assert {row["group"] for row in rows} == set(GROUPS)
    assert all(row["group"] in held_out[row["model"]] for row in rows)


def test_slow_ways_are_tried_on_the_sample_and_all_others_on_every_frame(finished: Path) -> None:
    rows = rows_of(finished)
    sampled = {row["filename"] for row in rows if row["sampled"] == "1"}
    assert len(sampled) == 3
    for kind, wanted in (("cam", 8), ("center", 8), ("random", 8), ("quick", 3)):
        assert sum(row["explain"] == kind for row in rows) == wanted
    assert {row["filename"] for row in rows if row["explain"] == "quick"} == sampled
    assert {row["filename"] for row in rows if row["deletion"]} == sampled


def test_the_report_says_what_was_asked_and_found_without_paths(finished: Path, data: Path) -> None:
    text = (finished / "report.json").read_text(encoding="utf-8")
    report = json.loads(text)
    assert str(data) not in text
    assert "Research use only" in report["notice"]
    assert report["data"] | {"recognised": 0} == {
        "frames": 8,
        "sampled": 3,
        "recognised": 0,
        "groups": 4,
        "labelled": {"normal": 8, "blood": 8},
        "labelled_groups": 4,
        "kinds": {"blood": {"frames": 8, "sampled": 3}},
    }
    row = report["table"]["all"]["center"]
    assert row["chance"]["value"] == pytest.approx((16 / SIDE) ** 2)
    assert row["over_chance"]["value"] == pytest.approx(row["pointing"]["value"] - row["chance"]["value"])
    assert set(report["table"]["sample"]) == {"cam", "quick", "center", "random"}


def test_the_page_shows_the_sampled_frames_and_names_the_models(finished: Path) -> None:
    page = (finished / "report.html").read_text(encoding="utf-8")
    pictures = sorted(path.name for path in (finished / "pictures").iterdir())
    assert len(pictures) == 2
    assert all(f"pictures/{name}" in page for name in pictures)
    assert "fold-1-of-2" in page
    assert page.count("<svg") == 3
    assert "classified correctly" in page
    assert "Kind by kind" not in page


def test_a_second_call_takes_models_and_maps_that_are_there(
    finished: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = json.loads((finished / "report.json").read_text(encoding="utf-8"))

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("this was there already")

    monkeypatch.setattr(fold_models, "run_fold", never)
    monkeypatch.setattr("training.experiments.explanations.explainers.quick_score_cam", never)
    monkeypatch.setattr("training.experiments.explanations.frame_evaluation.changed_scores", never)
    after = evaluate_explanations(config_of(data, finished, resume=True), SilentReporter())
    assert after["table"] == before["table"]


def test_maps_of_another_processor_are_explained_anew(
    finished: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(finished, tmp_path / "out")
    asked: list[str] = []

    def explain(*_: Any, **__: Any) -> Any:
        asked.append("quick")
        raise Cancelled

    monkeypatch.setattr("training.experiments.explanations.explainers.quick_score_cam", explain)
    monkeypatch.setattr("training.experiments.engine.processor", lambda: "another processor")
    with pytest.raises(Cancelled):
        evaluate_explanations(config_of(data, tmp_path / "out", resume=True), SilentReporter())
    assert asked == ["quick"]


def test_another_folder_takes_the_same_models(finished: Path, data: Path, tmp_path: Path) -> None:
    asked = config_of(data, tmp_path / "out", models=finished / "models", explain=("center",), curve_steps=0)
    report = evaluate_explanations(asked, SilentReporter())
    assert not (tmp_path / "out" / "models").exists()
    assert list(report["table"]["all"]) == ["center"]


@pytest.mark.parametrize(("setting", "value"), [("steps", 2), ("fold_seed", 5), ("method", "cross-entropy")])
def test_models_of_other_settings_are_refused(
    finished: Path, data: Path, tmp_path: Path, setting: str, value: Any
) -> None:
    asked = config_of(data, tmp_path / "out", **{"models": finished / "models", setting: value})
    with pytest.raises(UserError, match=f"was trained with {setting} = "):
        evaluate_explanations(asked, SilentReporter())


def test_a_model_given_explains_every_frame(data: Path, model: Path, tmp_path: Path) -> None:
    asked = config_of(data, tmp_path / "out", folds=None, model=model, explain=("cam",), curve_steps=0)
    report = evaluate_explanations(asked, SilentReporter())
    assert report["models"][0]["model_id"] == "plain"
    assert report["table"]["all"]["cam"]["frames"] == 8


def test_a_map_that_knows_the_boxes_wins(
    data: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def knowing(boxed: BoxedFrame, question: Question) -> NDArray[np.float32]:
        return np.asarray(boxed.prepared[..., 0].astype(np.float32) - boxed.prepared[..., 1] > 100, np.float32)

    def make(kind: str, *_: Any) -> Explainer:
        return knowing if kind == "cam" else lambda boxed, question: random_overlay(64, 0, boxed.row)

    monkeypatch.setattr(evaluation, "make_explainer", make)
    asked = config_of(data, tmp_path / "out", folds=None, model=model, explain=("cam", "random"), curve_steps=0)
    rows = evaluate_explanations(asked, SilentReporter())["table"]["all"]
    assert rows["cam"]["pointing"]["value"] > 0.95  # the border of a square is blurred when frames are scaled
    assert rows["cam"]["iou"]["value"] > 0.8 > rows["random"]["iou"]["value"]


def test_a_stop_keeps_what_is_done_and_resume_goes_on(data: Path, finished: Path, tmp_path: Path) -> None:
    class Stopping(SilentReporter):
        """Asks to stop while the second frame is explained."""

        stop_requested = False

        def progress(self, done: int, total: int, unit: str, what: str) -> None:
            """One frame is done."""
            self.stop_requested |= unit == "frames" and done == 1

    asked = config_of(data, tmp_path / "out", models=finished / "models")
    stopped = evaluate_explanations(asked, Stopping())
    assert stopped == {"finished": False, "frames_done": 2, "frames": 8}
    assert not (tmp_path / "out" / "report.json").exists()
    whole = evaluate_explanations(asked.model_copy(update={"resume": True}), SilentReporter())
    assert whole["table"] == json.loads((finished / "report.json").read_text(encoding="utf-8"))["table"]


def test_the_shell_prints_the_table(
    data: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--images", data / "images", "--labels", data / "labels.csv", "--boxes", data / "boxes.csv"]
    given += ["--model", model, "--explain", "cam,center", "--out", tmp_path / "out", "--sample", "2"]
    given += ["--set", "normal_label=clear", "--set", "curve_steps=0", "--set", "shown=0"]
    assert main(["evaluate-explanations", *map(str, given)]) == 0
    printed = capsys.readouterr().out
    assert "pointing" in printed
    assert "center" in printed


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"class_name": "ulcer"}, "has no class ulcer"),
        ({"boxes": "nowhere.csv"}, "cannot be read"),
        ({"boxes": "labels.csv"}, "has no column x_min"),
        ({"boxes": "empty.csv"}, "holds no boxes"),
        ({"boxes": "turned.csv"}, "line 2: a box needs x_min < x_max"),
        ({"boxes": "others.csv"}, "No image with a finding has a box"),
        ({"boxes": "outside.csv"}, r"A box of the image g\d_\d\.png reaches beyond it"),
        ({"model": Path("nowhere")}, "no model folder"),
    ],
)
def test_bad_input_is_a_sentence(data: Path, model: Path, tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    header = "filename,x_min,y_min,x_max,y_max\n"
    lines = {"empty": "", "turned": "g0_0.png,9,1,2,8\n", "others": "x.png,1,1,2,2\ng0_1.png,1,1,2,2\n"}
    with (data / "boxes.csv").open(encoding="utf-8") as file:
        lines["outside"] = f"{next(csv.DictReader(file))['filename']},1,1,5000,9\n"
    for name, text in lines.items():
        (data / f"{name}.csv").write_text(header + text, encoding="utf-8")
    if "boxes" in changes:
        changes = {"boxes": data / changes["boxes"]}
    asked = config_of(data, tmp_path / "out", **({"folds": None, "model": model} | changes))
    with pytest.raises(UserError, match=said):
        evaluate_explanations(asked, SilentReporter())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--set", "layer=layer9"], "layer"),
        (["--explain", "cam,magic"], "explain"),
        (["--sample-by", "colour"], "sample_by"),
        (["--folds", "2"], "either model"),
    ],
)
def test_settings_that_cannot_be_are_a_sentence(
    data: Path, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    given = ["--images", data / "images", "--labels", data / "labels.csv", "--boxes", data / "boxes.csv"]
    given += ["--model", model, "--out", tmp_path / "out", *options]
    assert main(["evaluate-explanations", *map(str, given)]) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_folder_with_something_else_in_it_is_left_alone(data: Path, model: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    for resume, said in ((False, "not empty"), (True, "is incomplete")):
        asked = config_of(data, tmp_path, folds=None, model=model, resume=resume)
        with pytest.raises(UserError, match=said):
            evaluate_explanations(asked, SilentReporter())
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_unusable_boxes_and_a_device_that_is_not_there_are_said(data: Path, model: Path, tmp_path: Path) -> None:
    said: list[str] = []

    class Listening(SilentReporter):
        """Hears what is logged."""

        def log(self, line: str) -> None:
            """Keep it."""
            said.append(line)

    text = "filename,x_min,y_min,x_max,y_max\nx.png,1,1,2,2\ng0_0.png,1,1,9,9\ng0_1.png,1,1,2,2\n"
    (tmp_path / "some.csv").write_text(text, encoding="utf-8")
    asked = config_of(data, tmp_path / "out", folds=None, model=model, boxes=tmp_path / "some.csv", explain=("cam",))
    asked = asked.model_copy(update={"device": "mps"})
    assert evaluate_explanations(asked, Listening())["data"]["frames"] == 1
    told = " ".join(said)
    assert "1 images with boxes are not among the labelled ones, such as x.png" in told
    assert "1 images with boxes are labelled normal" in told
    assert "7 images with a finding have no box" in told
    assert torch.backends.mps.is_available() or "No mps device was found" in told


def test_the_maps_that_know_nothing() -> None:
    centre = central_overlay(64)
    assert centre.max() == centre[31, 31] == centre[32, 32] > centre[30, 31]
    assert (centre > 0).all()
    assert random_overlay(224, 0, 3).shape == (7, 7)
    assert (random_overlay(224, 0, 3) == random_overlay(224, 0, 3)).all()
    assert (random_overlay(224, 0, 3) != random_overlay(224, 0, 4)).any()
