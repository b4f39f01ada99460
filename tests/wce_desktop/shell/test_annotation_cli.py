"""Annotation formats at a shell: written, read into another library, with the study and the classes said."""

import json
from pathlib import Path

import pytest

from tests.wce_desktop.library.exchange.annotated import add_boxes, add_study, boxes_of, write_study
from wce_desktop.library import Library
from wce_desktop.library.exchange import EXPORT_FORMATS
from wce_desktop.shell.cli.exchange_cli import main

BOXES = [(2, "polyp", 10.5, 8.0, 30.25, 40.0), (3, "blood", 0.0, 0.0, 64.0, 48.0)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library with one study and two boxes."""
    with Library.open(tmp_path / "library", "reader") as library:
        add_study(library, write_study(tmp_path / "study"))
        add_boxes(library, BOXES)
    return tmp_path / "library"


@pytest.mark.parametrize("name", [each.name for each in EXPORT_FORMATS if each.name != "csv"])
def test_a_format_is_exported_and_imported(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    out, other = tmp_path / name, tmp_path / "other"
    assert main(["export", "--library", str(folder), str(out), "--format", name, "--study", "P03a"]) == 0
    assert capsys.readouterr().out.startswith("2 boxes, 2 frames of 1 study")
    with Library.open(other, "reader") as library:
        add_study(library, tmp_path / "study")
    assert main(["import", "--library", str(other), str(out), "--yes"]) == 0
    assert "2 boxes" in capsys.readouterr().out
    with Library.open(other, "reader") as library:
        assert boxes_of(library) == BOXES


def test_study_classes_and_first_frame_are_said_with_options(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library.open(folder, "reader") as library:
        library.studies.add(tmp_path / "away.mp4", study_id="V1", frame_count=30)
    path = tmp_path / "theirs.json"
    document = {
        "images": [{"id": 1, "file_name": "frame_0010.png"}],
        "categories": [{"id": 1, "name": "Foam=A"}, {"id": 2, "name": "Haze"}],
        "annotations": [{"id": at, "image_id": 1, "category_id": at, "bbox": [1, 2, 3, 4]} for at in (1, 2)],
    }
    path.write_text(json.dumps(document), encoding="utf-8")
    base = ["import", "--library", str(folder), str(path), "--yes"]
    assert main(base) == 1
    assert "the names do not say which study they belong to" in capsys.readouterr().err
    assert main([*base, "--study", "P99"]) == 1
    assert "no study 'P99'" in capsys.readouterr().err
    for wrong in ("Haze", "Haze=nessie"):
        assert main([*base, "--study", "V1", "--class", wrong]) == 1
        assert "does not say what a class is called here" in capsys.readouterr().err
    said = ["--study", "V1", "--class", "Foam=A=erosion", "--class", "Haze=", "--first-frame", "1"]
    assert main([*base, *said]) == 0
    assert "The class “Haze” is left out" in capsys.readouterr().out
    with Library.open(folder, "reader") as library:
        assert boxes_of(library, "V1") == [(9, "erosion", 1, 2, 4, 6)]


def test_the_study_of_each_recording_is_said_with_an_option(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Library.open(folder, "reader") as library:
        for name in ("clip", "other"):
            library.studies.add(tmp_path / f"{name}.mp4", study_id=name, frame_count=30)
    path = tmp_path / "theirs.json"
    images = [{"id": at, "file_name": f"{name}/frame_0010.png"} for at, name in enumerate(("clip", "left", "right"))]
    boxes = [{"image_id": at, "category_id": 1, "bbox": [1, 2, 3, 4]} for at in range(3)]
    document = {"images": images, "categories": [{"id": 1, "name": "polyp"}], "annotations": boxes}
    path.write_text(json.dumps(document), encoding="utf-8")
    base = ["import", "--library", str(folder), str(path), "--yes"]
    assert main([*base, "--study", "other"]) == 1
    assert "The files hold several recordings: “clip”, “left”, “right”." in capsys.readouterr().err
    assert main([*base, "--recording", "left"]) == 1
    assert "'left' does not say the study of a recording" in capsys.readouterr().err
    assert main([*base, "--recording", "left=other", "--recording", "right="]) == 0
    said = capsys.readouterr().out
    assert "left is read as other: frame_0010.png is frame 11" in said
    assert "1 image with 1 box left out: their recording was left out (right)." in said
    with Library.open(folder, "reader") as library:
        assert boxes_of(library, "clip") == boxes_of(library, "other") == [(10, "polyp", 1, 2, 4, 6)]


def test_a_full_folder_and_nothing_to_export_are_sentences(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "--library", str(folder), str(tmp_path), "--format", "coco"]) == 1
    assert "is not empty" in capsys.readouterr().err
    with Library.open(tmp_path / "empty", "reader") as library:
        add_study(library, tmp_path / "study")
    assert main(["export", "--library", str(tmp_path / "empty"), str(tmp_path / "o"), "--format", "yolo"]) == 1
    assert "There is nothing to export as YOLO" in capsys.readouterr().err
