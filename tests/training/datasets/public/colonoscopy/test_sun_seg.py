"""SUN-SEG: clips of a case below the parts of the set, masks under the frames' names."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import mask, picture, text
from training.commands.studies import DatasetsCommand, run_datasets
from training.datasets.findings import read_boxes, read_findings
from training.datasets.labels import read_labels
from training.datasets.public.sun import read_seg as read
from training.errors import UserError
from training.reidentification.tracklets import read_tracklets
from training.runs.reporter import SilentReporter

SEEN = Path("TestEasyDataset") / "Seen"
PATHOLOGY = """x_image0001.jpg\tlow_grade_adenoma
x_image0002.jpg\tlow_grade_adenoma
y_image0001.jpg\tinvasive_carcinoma
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two clips of case 1 in two parts of the set, one of case 2; a polyp behind a fold has two bright parts."""
    inside = tmp_path / "in"
    for place, clip, name in (
        (Path("TrainDataset"), "case1_1", "x_image0001"),
        (Path("TrainDataset"), "case1_1", "x_image0002"),
        (SEEN, "case1_2", "x_image0003"),
        (SEEN, "case2_10_3", "y_image0001"),
    ):
        picture(inside / place / "Frame" / clip / f"{name}.jpg")
        mask(inside / place / "GT" / clip / f"{name}.png", [(4, 6, 14, 20), (20, 10, 30, 24)])
        mask(inside / place / "Edge" / clip / f"{name}.png", [])
    text(inside / "TrainDataset" / "Classification" / "classification.txt", PATHOLOGY)
    return inside


def export(folder: Path, out: Path) -> None:
    config = {"action": "export", "name": "sun-seg", "folder": folder, "out": out, "partial": True}
    run_datasets(DatasetsCommand.model_validate(config), SilentReporter())


def test_clips_of_a_case_are_one_recording_with_one_polyp(folder: Path) -> None:
    found = read(folder)
    assert found.missing == ()
    assert sorted((image.study, image.labels[0], image.split) for image in found.images) == [
        ("case1", "low_grade_adenoma", "TrainDataset"),
        ("case1", "low_grade_adenoma", "TrainDataset"),
        ("case1", "polyp", "TestEasyDataset/Seen"),
        ("case2", "invasive_carcinoma", "TestEasyDataset/Seen"),
    ]
    assert {image.mask_finding for image in found.images} == {"case1", "case2"}
    assert not any("left out" in note for note in found.notes)


def test_an_export_has_one_box_for_a_polyp_and_a_visit_for_a_clip(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(folder, out)
    boxes = read_boxes(out / "boxes.csv")
    assert {(box.x_min, box.y_min, box.x_max, box.y_max) for box in boxes} == {(4, 6, 30, 24)}
    assert [box.finding_id for box in boxes] == ["case1"] * 3 + ["case2"]
    rows = read_labels(out / "labels.csv")
    assert [(row.study_id, row.start, row.stop, row.label, row.finding_id) for row in rows] == [
        ("case1", 0, 2, "polyp", "case1"),
        ("case1", 2, 3, "polyp", "case1"),
        ("case2", 0, 1, "tumor", "case2"),
    ]
    assert [row.finding_id for row in read_findings(out / "findings.csv")] == ["case1", "case2"]
    where = out / "manifest.json", out / "labels.csv", out / "boxes.csv"
    found = read_tracklets(*where, side_px=16, context=1.0, reporter=SilentReporter())
    assert found.findings.tolist() == ["case1", "case1", "case2"]


def test_a_frame_without_a_mask_has_no_label_and_a_mask_without_a_frame_is_missing(folder: Path) -> None:
    (folder / "TrainDataset" / "GT" / "case1_1" / "x_image0001.png").unlink()
    (folder / SEEN / "Frame" / "case2_10_3" / "y_image0001.jpg").unlink()
    found = read(folder)
    assert found.missing == (
        "TrainDataset/GT/case1_1/x_image0001.png",
        "TestEasyDataset/Seen/Frame/case2_10_3/y_image0001.jpg",
    )
    assert next(image for image in found.images if image.path.endswith("x_image0001.jpg")).labels == ()


def test_images_elsewhere_and_no_pathologies_are_said(folder: Path) -> None:
    picture(folder / "TrainDataset" / "Frame" / "notes.png")
    (folder / "TrainDataset" / "Classification" / "classification.txt").unlink()
    found = read(folder)
    assert "1 images are in no folder of a clip and are left out, such as TrainDataset/Frame/notes.png." in found.notes
    assert "No pathology was found for the frames: every mask is read as a polyp." in found.notes


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("x_image0001.jpg hyperplastic_polyp", "gives another pathology than before"),
        ("x_image0001.jpg", "is not a frame with a pathology"),
        ("x_image0001.jpg low grade", "is not a frame with a pathology"),
    ],
)
def test_pathologies_that_cannot_be_right_are_named(line: str, said: str, folder: Path) -> None:
    text(folder / "TrainDataset" / "Classification" / "classification.txt", f"{PATHOLOGY}{line}\n")
    with pytest.raises(UserError, match=rf"classification\.txt, line 4: .* {said}"):
        read(folder)


def test_a_mask_that_is_no_picture_stops_the_export(folder: Path, tmp_path: Path) -> None:
    text(folder / "TrainDataset" / "GT" / "case1_1" / "x_image0001.png", "no picture")
    with pytest.raises(UserError, match=r"x_image0001\.png cannot be read"):
        export(folder, tmp_path / "out")


def test_an_unknown_pathology_is_asked_for(folder: Path, tmp_path: Path) -> None:
    text(folder / "TrainDataset" / "Classification" / "classification.txt", "x_image0001.jpg zebra\n")
    with pytest.raises(UserError, match=r"The label zebra .* is in no vocabulary"):
        export(folder, tmp_path / "out")


def test_without_clips_it_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "TrainDataset" / "Frame" / "1.jpg")
    with pytest.raises(UserError, match="has no Frame/case<N>_<clip>/"):
        read(tmp_path)
