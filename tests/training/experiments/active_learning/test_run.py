"""The comparison of rules on images of a tiny network: kept draws, the report, what is refused."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.experiments.benchmark.small_sets import Listener, write_images
from training.commands.shell import main
from training.errors import UserError
from training.experiments.active_learning import run
from training.experiments.active_learning.config import ActiveLearningConfig
from training.experiments.active_learning.run import compare_strategies
from training.experiments.engine import Cells
from training.models.backbones import find_backbone

pytestmark = pytest.mark.usefixtures("unrendered_plots")


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """images/ and labels.csv."""
    return write_images(tmp_path / "set", each=4)


def asked(folder: Path, **changed: Any) -> ActiveLearningConfig:
    given: dict[str, Any] = {
        "images": folder / "images", "labels": folder / "labels.csv", "out": folder / "report", "init": "random",
        "input_size": 32, "draws": 2, "counts": (4, 8), "device": "cpu", "strategies": ("random", "window"),
    }  # fmt: skip
    return ActiveLearningConfig.checked(**{**given, **changed})


def test_every_rule_is_evaluated_in_every_draw_and_kept(images: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = compare_strategies(asked(images), Listener())
    assert (result["finished"], result["cells"]) == (True, 4)
    report = json.loads((images / "report" / "report.json").read_text())
    assert [(row["strategy"], row["labels"], row["draws"]) for row in report["rows"]] == [
        ("random", 4, 2), ("random", 8, 2), ("window", 4, 2), ("window", 8, 2),
    ]  # fmt: skip
    window = report["rows"][-1]
    of = {row["strategy"]: row["mean"] for row in report["rows"] if row["labels"] == 8}
    assert window["less"]["random"]["mean"] == pytest.approx(of["window"] - of["random"])
    assert window["less"]["random-by-group"] is None
    assert "What to label next: rules compared" in (images / "report" / "report.html").read_text()
    with (images / "report" / "draws.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 8

    monkeypatch.setattr(run, "frozen_network", None)  # a further rule embeds nothing
    monkeypatch.setattr(run.EmbeddedFrames, "divided", lambda *_: pytest.fail("a kept draw is computed again"))
    assert compare_strategies(asked(images), Listener())["text"] == result["text"]


def test_a_weights_file_embeds_with_its_backbone(images: Path) -> None:
    torch.manual_seed(1)
    torch.save(find_backbone("resnet18").make_trunk().state_dict(), images / "r18.pth")
    config = asked(images, init=str(images / "r18.pth"), backbone="resnet18")
    frames = run.embedded_frames(config, Cells(config.out / "cells", "cpu"), Listener())
    assert frames.embeddings.shape[1] == 512


@pytest.mark.parametrize("start", ["own", "shared"])
def test_pools_have_the_wanted_share_and_no_held_out_group(images: Path, start: str) -> None:
    config = asked(images, positive_share=0.25, start=start)
    compare_strategies(config, Listener())
    frames = run.embedded_frames(config, Cells(config.out / "cells", "cpu"), Listener())
    pool, held_out = frames.divided(config, 1)
    labelled = frames.labelled
    assert not set(labelled.patients[pool]) & set(labelled.patients[held_out])
    assert (labelled.label[pool] > 0).mean() == pytest.approx(0.25, abs=0.05)
    first = frames.first_labels(pool, 6, 1)
    assert len(set(first.tolist())) == 6
    assert {int((labelled.label[pool[first]] == label).sum()) >= 2 for label in (0, 1)} == {True}
    assert frames.mean_auc(None, held_out) == 0.5
    thinned, _ = frames.divided(asked(images, most_of_group=1), 1)
    assert len(thinned) == 2 * len(set(labelled.patients[thinned]))


def test_what_cannot_be_compared_is_refused(images: Path) -> None:
    with pytest.raises(UserError, match="name each rule once"):
        asked(images, strategies=("random", "best"))
    with pytest.raises(UserError, match="must be positive and grow"):
        asked(images, counts=(8, 4))
    with pytest.raises(UserError, match="Give either studies"):
        asked(images, studies=images / "manifest.json")
    with pytest.raises(UserError, match="too few"):
        compare_strategies(asked(images, folds=9), Listener())


def test_it_runs_from_the_shell(images: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "active-learning", "--images", str(images / "images"), "--labels", str(images / "labels.csv"), "--out",
        str(images / "report"), "--init", "random", "--strategies", "random", "--counts", "4", "--draws", "1", "--set",
        "input_size=32",
    ]  # fmt: skip
    assert main(arguments) == 0
    assert "| random" in capsys.readouterr().out
