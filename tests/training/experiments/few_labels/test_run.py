"""The comparison with real trainings of a tiny network."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.tiny_backbone import TINY
from tests.training.experiments.benchmark.small_sets import Listener, write_images
from training.commands.shell import main
from training.datasets.image_set import write_image_folders
from training.datasets.manifest import Manifest, save_manifest
from training.errors import UserError
from training.experiments.few_labels import run
from training.experiments.few_labels.config import FewLabelsConfig
from training.experiments.few_labels.run import compare_few_labels

pytestmark = pytest.mark.usefixtures("unrendered_plots")

QUICK = {
    "backbone": TINY.name, "preset": "whole", "steps": 2, "batch_size": 8, "input_size": 32, "evaluations": 0,
    "checkpoint_seconds": 0,
}  # fmt: skip


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """images/ and labels.csv."""
    return write_images(tmp_path / "set", each=4)


def asked(folder: Path, **changed: Any) -> FewLabelsConfig:
    """A comparison on `images`."""
    given: dict[str, Any] = {
        "images": folder / "images", "labels": folder / "labels.csv", "out": folder / "report", "folds": 2, "draws": 1,
        "counts": (8, 0), "rows": ("random:linear", "random:cross-entropy"), "settings": {"random": QUICK},
        "threads": 1, "device": "cpu",
    }  # fmt: skip
    return FewLabelsConfig.checked(**{**given, **changed})


def test_every_row_is_trained_on_the_same_labels_and_kept(images: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = asked(images)
    result = compare_few_labels(config, Listener())
    assert (result["finished"], result["cells"]) == (True, 8)
    report = json.loads((images / "report" / "report.json").read_text())
    assert [(row["row"], row["count"], row["trainings"]) for row in report["rows"]] == [
        ("random:linear", 8, 2), ("random:linear", 0, 2), ("random:cross-entropy", 8, 2),
        ("random:cross-entropy", 0, 2),
    ]  # fmt: skip
    assert {cell["labels"] for cell in report["cells"] if cell["count"] == 8} == {8}
    assert all(0 <= cell["auc"] <= 1 for cell in report["cells"])
    assert not (images / "report" / "run").exists()
    assert "| random:linear" in result["text"]

    monkeypatch.setattr(run, "finetune", None)  # a second call trains nothing
    again = compare_few_labels(config, Listener())
    assert again["text"] == result["text"]


def test_a_stop_reports_what_is_there(images: Path) -> None:
    listener = Listener()
    listener.stop_requested = True
    result = compare_few_labels(asked(images), listener)
    assert (result["finished"], result["cells"]) == (False, 0)


def test_a_training_that_a_stop_cut_short_is_not_kept(images: Path) -> None:
    class StopsInTraining(Listener):
        def progress(self, done: int, total: int, unit: str, what: str) -> None:
            self.stop_requested = self.stop_requested or unit == "steps"

    config = asked(images, rows=("random:cross-entropy",), counts=(8,))
    assert compare_few_labels(config, StopsInTraining())["cells"] == 0
    assert not list((images / "report" / "cells").glob("*"))
    assert compare_few_labels(config, Listener())["finished"]


def test_images_to_evaluate_on_can_be_given_apart(images: Path, tmp_path: Path) -> None:
    other = write_images(tmp_path / "other", each=3)
    config = asked(
        images, rows=("random:linear",), counts=(8,), test_images=other / "images", test_labels=other / "labels.csv"
    )
    compare_few_labels(config, Listener())
    report = json.loads((images / "report" / "report.json").read_text())
    (cell,) = report["cells"]
    assert cell["frames"] == 30  # all of them
    labels = other / "labels.csv"
    labels.write_text(labels.read_text().replace("blood", "polyp"))
    with pytest.raises(UserError, match="other classes"):
        compare_few_labels(asked(images, test_images=other / "images", test_labels=labels), Listener())


def test_a_model_to_start_from_and_missing_images(images: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="need a model folder"):
        asked(images, rows=("model:tl-ba",))
    with pytest.raises(UserError, match="START:METHOD"):
        asked(images, rows=("imagenet:unknown",))
    shutil.rmtree(images / "images")
    with pytest.raises(UserError):
        compare_few_labels(asked(images), Listener())


def test_a_pretraining_of_each_split_leaves_its_held_out_groups_out(
    images: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = {f"group {number}": sorted((images / "images").glob(f"g{number}_*.png")) for number in range(5)}
    manifest = images / "videos.json"
    save_manifest(manifest, Manifest(studies=write_image_folders(groups, images / "videos")))
    tiny = {
        "backbone": TINY.name, "init": "random", "input_size": 32, "steps": 2, "sequences": 4, "workers": 0,
        "checkpoints_kept": 1,
    }  # fmt: skip
    given: dict[str, Any] = {
        "rows": ("simclr:linear", "random:linear"), "counts": (8,), "pretrain_studies": manifest,
        "pretrain_settings": {"simclr": tiny}, "settings": {"random": QUICK, "simclr": QUICK},
    }  # fmt: skip
    config = asked(images, **given)
    result = compare_few_labels(config, Listener())
    assert (result["finished"], result["cells"]) == (True, 4)
    runs = sorted((images / "report" / "pretrainings").glob("simclr-*/split.json"))
    trained_on = [set(json.loads(path.read_text())["training_patients"]) for path in runs]
    assert len(runs) == 2
    assert all(0 < len(patients) < 5 for patients in trained_on)
    assert trained_on[0] | trained_on[1] == set(groups)

    monkeypatch.setattr("training.experiments.engine.keep_result", None)  # a second call trains and pretrains nothing
    assert compare_few_labels(config, Listener())["text"] == result["text"]

    monkeypatch.undo()
    monkeypatch.setattr("training.pretraining.run.pretrain", None)
    more = asked(images, **{**given, "draws": 2, "rows": ("simclr:linear",)})
    assert compare_few_labels(more, Listener())["cells"] == 4  # the second draw uses the same pretrainings
    assert len(list((images / "report" / "pretrainings").glob("simclr-*/split.json"))) == 2


def test_splits_share_a_pretraining_on_other_patients_and_draws_can_have_their_own(images: Path) -> None:
    others = {"another patient": sorted((images / "images").glob("*.png"))}
    manifest = images / "videos.json"
    save_manifest(manifest, Manifest(studies=write_image_folders(others, images / "videos")))
    tiny = {
        "backbone": TINY.name, "init": "random", "input_size": 32, "steps": 1, "sequences": 4, "workers": 0,
        "checkpoints_kept": 1,
    }  # fmt: skip
    config = asked(
        images, rows=("simclr:linear",), counts=(8,), pretrain_studies=manifest, pretrain_each_draw=True, draws=2,
        pretrain_settings={"simclr": tiny}, settings={"simclr": QUICK},
    )  # fmt: skip
    assert compare_few_labels(config, Listener())["cells"] == 4
    configs = (images / "report" / "pretrainings").glob("simclr-*/config.json")
    assert sorted(json.loads(path.read_text())["config"]["seed"] for path in configs) == [0, 1]


def test_rows_that_start_from_a_pretraining_need_videos(images: Path) -> None:
    with pytest.raises(UserError, match="need videos"):
        asked(images, rows=("simclr:tl-ba",))
    with pytest.raises(UserError, match="given by pretraining"):
        asked(images, pretrain_settings={"imagenet": {"steps": 3}})


def test_from_the_shell(images: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([
        "few-labels", "--images", str(images / "images"), "--labels", str(images / "labels.csv"), "--out",
        str(images / "report"), "--rows", "random:linear", "--counts", "8", "--draws", "1", "--folds", "2",
        "--device", "cpu", "--set", "threads=1", "--set", f"settings={json.dumps({'random': QUICK})}",
    ])  # fmt: skip
    assert code == 0
    assert "| random:linear" in capsys.readouterr().out
