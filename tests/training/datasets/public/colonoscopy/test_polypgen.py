"""PolypGen: sequences with boxes or masks, and sequences without a polyp."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import mask, picture, text
from training.commands.studies import DatasetsCommand, run_datasets
from training.datasets.findings import read_boxes
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.datasets.public.box_files import read_polypgen as read
from training.errors import UserError
from training.runs.reporter import SilentReporter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sequence with a text file, a mask, an empty text file and nothing; one without polyps; a single frame."""
    inside = tmp_path / "in"
    positive = inside / "sequenceData" / "positive" / "seq1"
    for number in (8, 9, 10, 12):
        picture(positive / "images_seq1" / f"seq1_{number}.jpg")
    text(positive / "bbox_seq1" / "seq1_8.txt", "polyp 4 5 20 30\n")
    text(positive / "bbox_seq1" / "seq1_10_mask.txt", "\n")
    for number in (8, 9):
        mask(positive / "masks_seq1" / f"seq1_{number}_mask.jpg", [(8, 8, 24, 24)])
    text(positive / "masks_seq1" / "stray.txt", "polyp 1 1 2 2")
    for number in (1, 2):
        picture(inside / "sequenceData" / "negativeOnly" / "seq1_neg" / f"n{number}.jpg")
    picture(inside / "data_C1" / "images_C1" / "1.jpg")
    return inside


def test_boxes_come_from_text_files_else_from_masks(folder: Path) -> None:
    found = read(folder)
    assert found.missing == ()
    by_name = {image.path.rsplit("/", 1)[-1]: image for image in found.images}
    assert [by_name[f"seq1_{number}.jpg"].labels for number in (8, 9, 10, 12)] == [("polyp",), ("polyp",), (), ()]
    (box,) = by_name["seq1_8.jpg"].boxes
    assert (box.x_min, box.y_min, box.x_max, box.y_max, box.finding) == (4, 5, 20, 30, "")
    (box,) = by_name["seq1_9.jpg"].boxes
    assert [box.x_min, box.y_min, box.x_max, box.y_max] == pytest.approx([8, 8, 24, 24], abs=1)
    assert {image.study for image in found.images} == {"seq1", "seq1_neg"}
    said = " ".join(found.notes)
    assert "2 frames of sequences with polyps have neither a box nor a mask" in said
    assert "1 images are in no folder of a sequence and are left out, such as data_C1/images_C1/1.jpg." in said
    assert "no findings to re-identify" in said


def test_an_export_keeps_the_order_of_the_frames(folder: Path, tmp_path: Path) -> None:
    config = {"action": "export", "name": "polypgen", "folder": folder, "out": tmp_path / "out", "partial": True}
    run_datasets(DatasetsCommand.model_validate(config), SilentReporter())
    manifest = load_manifest(tmp_path / "out" / "manifest.json")
    assert [(span.start, span.stop) for span in manifest["seq1"].spans] == [(0, 3), (3, 4)]
    assert manifest["seq1"].images_per_second is None
    assert all(study.has_time for study in manifest.studies)
    rows = read_labels(tmp_path / "out" / "labels.csv")
    assert {(row.study_id, row.start, row.stop, row.label, row.finding_id) for row in rows} == {
        ("seq1", 0, 2, "polyp", ""),
        ("seq1_neg", 0, 2, "normal", ""),
    }
    assert "finding_id" not in (tmp_path / "out" / "boxes.csv").read_text(encoding="utf-8")
    assert len(read_boxes(tmp_path / "out" / "boxes.csv")) == 2


def test_boxes_of_frames_that_are_not_there_are_missing(folder: Path) -> None:
    (folder / "sequenceData" / "positive" / "seq1" / "images_seq1" / "seq1_9.jpg").unlink()
    assert read(folder).missing == ("seq1/images_seq1/seq1_9.jpg",)


def test_a_class_that_nobody_knows_stops_the_export(folder: Path, tmp_path: Path) -> None:
    text(folder / "sequenceData" / "positive" / "seq1" / "bbox_seq1" / "seq1_8.txt", "instrument 4 5 20 30\n")
    config = {"action": "export", "name": "polypgen", "folder": folder, "out": tmp_path / "out", "partial": True}
    with pytest.raises(UserError, match=r"The label instrument .* is in no vocabulary"):
        run_datasets(DatasetsCommand.model_validate(config), SilentReporter())


@pytest.mark.parametrize("line", ["polyp 1 2 3", "polyp 1 2 3 4 5", "polyp a 2 3 4", "polyp nan 2 3 4", "1 2 3 4"])
def test_a_line_that_is_no_box_is_named(folder: Path, line: str) -> None:
    text(folder / "sequenceData" / "positive" / "seq1" / "bbox_seq1" / "seq1_8.txt", f"polyp 4 5 20 30\n{line}\n")
    with pytest.raises(UserError, match=r"seq1_8\.txt, line 2"):
        read(folder)


def test_a_mask_that_is_no_picture_is_named(folder: Path) -> None:
    text(folder / "sequenceData" / "positive" / "seq1" / "masks_seq1" / "seq1_9_mask.jpg", "no picture")
    with pytest.raises(UserError, match=r"seq1_9_mask\.jpg cannot be read"):
        read(folder)


def test_without_sequences_it_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "data_C1" / "images_C1" / "1.jpg")
    with pytest.raises(UserError, match="has neither"):
        read(tmp_path)
