"""Images through a real, untrained network: shares beside chance, and models of folds are asked about unseen groups."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.models import write_untrained_model
from training.commands.neighbours import EvaluateNeighboursCommand, run_evaluate_neighbours
from training.commands.shell import main
from training.errors import UserError
from training.runs.reporter import SilentReporter

GROUPS = 6


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six groups of four images: red ones are called blood, grey ones clear."""
    folder = tmp_path_factory.mktemp("images")
    random = np.random.default_rng(0)
    rows = ["filename,label,group"]
    for number in range(4 * GROUPS):
        label = "blood" if number % 2 else "clear"
        colour = (20, 20, 200) if label == "blood" else (120, 120, 120)
        picture = np.clip(np.array(colour) + random.normal(0, 8, (48, 48, 3)), 0, 255).astype(np.uint8)
        cv2.imwrite(str(folder / f"{number:02}.png"), picture)
        rows.append(f"{number:02}.png,{label},g{number // 4}")
    (folder / "labels.csv").write_text("\n".join(rows))
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_untrained_model(tmp_path_factory.mktemp("model"), "model", ("normal", "blood"), input_size=32)


def asked(images: Path, labels: str | Path = "labels.csv", **settings: Any) -> dict[str, Any]:
    config = EvaluateNeighboursCommand.model_validate({"images": images, "labels": images / labels, **settings})
    return run_evaluate_neighbours(config, SilentReporter())


def test_shares_beside_chance(images: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    result = asked(images, model=model, queries=8, out=out)
    assert result["labels"] == ["clear", "blood"]
    found = result["all_other_groups"]
    assert (found["queries"], found["query_groups"], found["chance"]) == (8, GROUPS, 0.5)
    assert found["share_at_1"] == found["share_at_5"] == found["share_at_10"] == 1.0  # red is not grey
    queries = json.loads(out.read_text())["queries"]["all_other_groups"]
    assert sorted(query["label"] for query in queries) == ["blood"] * 4 + ["clear"] * 4
    assert result == asked(images, model=model, queries=8)


def test_models_of_folds_are_asked_about_unseen_groups_only(images: Path, model: Path, tmp_path: Path) -> None:
    for number, held_out in enumerate((["g0", "g1", "g2", "g3"], ["g2", "g3", "g4", "g5"])):
        fold = tmp_path / f"fold-{number:02}"
        fold.mkdir()
        (fold / "fold.json").write_text(json.dumps({"held_out": held_out}))
        (fold / "model").symlink_to(model)
    out = tmp_path / "report.json"
    command = ["evaluate-neighbours", "--images", str(images), "--labels", str(images / "labels.csv")]
    assert main([*command, "--models", str(tmp_path), "--queries", "6", "--out", str(out)]) == 0
    queries = json.loads(out.read_text())["queries"]
    assert {query["group"] for query in queries["unseen_groups"][:6]} == {"g0", "g1", "g2", "g3"}
    assert {query["group"] for query in queries["unseen_groups"][6:]} == {"g2", "g3", "g4", "g5"}
    assert len(queries["all_other_groups"]) == 12


def test_what_cannot_be_used_is_a_sentence(images: Path, model: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no finished fold"):
        asked(images, models=tmp_path)
    one = tmp_path / "one.csv"
    one.write_text("filename,label,group\n00.png,clear,g0\n")
    with pytest.raises(UserError, match="fewer than two different labels"):
        asked(images, one, model=model)
    few = tmp_path / "few.csv"
    few.write_text("filename,label,group\n00.png,clear,g0\n01.png,blood,g1\n")
    with pytest.raises(UserError, match="Only 1 frames of groups other"):
        asked(images, few, model=model)
