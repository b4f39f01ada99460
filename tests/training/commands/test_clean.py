"""The list of `clean`: planted wrong labels, copies and outliers are in it, of images and of embedding files."""

import csv
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.models import write_untrained_model
from tests.training.embeddings.studies import write_study
from training.commands.clean import CleanCommand, run_clean
from training.commands.shell import main
from training.datasets.labels import LabelRow, write_labels
from training.files.kinds import CLEANING_LIST
from training.runs.reporter import SilentReporter


def _rows(path: Path, kind: str) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == kind]


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five studies of 40 frames, ten seconds apart: a wrong label, a copy, and a frame like no other are planted."""
    folder = tmp_path_factory.mktemp("studies")
    rng = np.random.default_rng(0)
    labels, every = [], {}
    for name in "abcde":
        points = rng.normal(0, 1, (40, 16))
        points[:20, 0] += 8
        every[name] = points
        labels += [LabelRow(study_id=name, start=0, stop=20, label="polyp")]
        labels += [LabelRow(study_id=name, start=20, stop=38, label="normal")]
    every["b"][30] = every["a"][25]
    every["c"][39, 5] = 40
    every["d"][25] = [8, *rng.normal(0, 1, 15)]  # called normal, looks like a polyp
    for name, points in every.items():
        write_study(folder, name, points.astype(np.float32), seconds=np.linspace(0.0, 390.0, 40))
    write_labels(folder / "labels.csv", labels)
    return folder


def _clean(folder: Path, out: Path, **settings: Any) -> dict[str, Any]:
    files = tuple(sorted(folder.glob("*.h5")))
    config = CleanCommand.model_validate({"embeddings": files, "out": out, **settings})
    return run_clean(config, SilentReporter())


def test_what_was_planted_is_listed_first(studies: Path, tmp_path: Path) -> None:
    out = tmp_path / "list.csv"
    result = _clean(studies, out, labels=studies / "labels.csv")
    assert result["frames"] == 200
    assert CLEANING_LIST.is_ours(out)
    wrong, copy, outlier = (_rows(out, kind)[0] for kind in ("label", "duplicate", "outlier"))
    assert (wrong["study"], wrong["frame"], wrong["label"], wrong["suggested_label"]) == ("d", "25", "normal", "polyp")
    assert float(wrong["margin"]) < 0
    assert (copy["study"], copy["frame"], copy["other_study"], copy["other_frame"]) == ("a", "25", "b", "30")
    assert copy["distance"] == "0.0"
    assert (outlier["study"], outlier["frame"], outlier["seconds"]) == ("c", "39", "390.0")
    assert float(outlier["distance"]) > 3


def test_without_labels_and_with_a_choice(studies: Path, tmp_path: Path) -> None:
    out = tmp_path / "list.csv"
    result = _clean(studies, out, find=("outliers",), sample=50)
    assert (result["frames"], set(result)) == (50, {"out", "frames", "outliers"})
    assert "labels" not in _clean(studies, out, share=0.3)
    with pytest.raises(ValueError, match="images, embedding files or a manifest"):
        _clean(studies, out, labels=studies / "labels.csv", manifest="x")


def test_images_by_group(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    rows = ["filename,label,group"]
    for number in range(24):
        label = "blood" if number % 2 else "clear"
        colour = (20, 20, 200) if label == "blood" else (120, 120, 120)
        picture = np.clip(np.array(colour) + random.normal(0, 8, (48, 48, 3)), 0, 255).astype(np.uint8)
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), picture)
        if number == 9:
            label = "clear"  # red, but called clear
        rows.append(f"{number:02}.png,{label},g{number // 4}")
    shutil.copyfile(tmp_path / "00.png", tmp_path / "22.png")
    (tmp_path / "labels.csv").write_text("\n".join(rows))
    model = write_untrained_model(tmp_path / "models", "model", ("normal", "blood"), input_size=32)
    out = tmp_path / "out" / "list.csv"
    command = ["clean", "--images", str(tmp_path), "--labels", str(tmp_path / "labels.csv"), "--model", str(model)]
    assert main([*command, "--out", str(out)]) == 0
    wrong, copy = _rows(out, "label")[0], _rows(out, "duplicate")[0]
    assert (wrong["filename"], wrong["label"], wrong["suggested_label"]) == ("09.png", "clear", "blood")
    assert (copy["filename"], copy["other_filename"]) == ("00.png", "22.png")
    (tmp_path / "labels.csv").write_text("\n".join(rows).replace("group", "patient", 1))
    assert main([*command, "--by", "patient", "--overwrite", "--out", str(out)]) == 0
    assert _rows(out, "label")[0]["filename"] == "09.png"
