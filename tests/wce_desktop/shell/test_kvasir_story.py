"""The official files of Kvasir-Capsule with images of the test's own making: checked, exported, imported."""

import csv
from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture
from training.commands.shell import main as training
from wce_desktop.__main__ import main as desktop
from wce_desktop.library import Library

SHOWN = 3
"""Images of each class and recording that are made: enough for all classes, few enough for a test."""


@pytest.fixture
def folder(shared_data: Path, tmp_path: Path) -> Path:
    """The tables as published; images for the first rows of each class in each recording."""
    official, root = shared_data / "kvasir_capsule", tmp_path / "kvasir"
    (root / "official_splits").mkdir(parents=True)
    for name in ("metadata.csv", "split_0.csv", "split_1.csv"):
        (root / ("official_splits" if name.startswith("split") else ".") / name).symlink_to(official / name)
    seen: dict[tuple[str, str], int] = {}
    with (root / "metadata.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter=";"):
            key = row["video_id"], row["finding_class"]
            seen[key] = seen.get(key, 0) + 1
            if seen[key] <= SHOWN:
                picture(root / "labelled_images" / row["finding_class"] / row["filename"], 80)
    return root


def test_check_export_import(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert training(["datasets", "check", "kvasir-capsule", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "Blood - hematin" in said
    assert "7 recordings are in both official splits" in " ".join(said.split())

    out, library = tmp_path / "out", tmp_path / "library"
    export = ["datasets", "export", "kvasir-capsule", str(folder), "--out", str(out)]
    assert training(export) == 1
    assert "is not complete" in capsys.readouterr().err
    assert not out.exists()
    assert training([*export, "--set", "partial=true"]) == 0
    capsys.readouterr()

    assert desktop(["import", str(out), "--library", str(library)]) == 0
    said = capsys.readouterr().out
    assert "In all: 43 new studies" in said
    assert "ileocecal valve" in said
    assert said.endswith("Nothing was changed. Add --yes to do it.\n")
    assert desktop(["import", str(out), "--library", str(library), "--yes"]) == 0
    assert "Done" in capsys.readouterr().out
    with Library.open(library, "reader") as opened:
        assert len(opened.studies.all()) == 43
        names = {label.name for study in opened.studies.all() for label in opened.annotations.labels(study.study_id)}
        assert len(names) == 14
        assert any(opened.annotations.boxes(study.study_id) for study in opened.studies.all())
