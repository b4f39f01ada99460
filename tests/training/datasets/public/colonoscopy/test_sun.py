"""SUN: a folder for each polyp, one text file for its boxes, recordings without a polyp."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture, text
from training.commands.studies import DatasetsCommand, run_datasets
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.datasets.public.sun import read
from training.errors import UserError
from training.reidentification.tracklets import read_tracklets
from training.runs.reporter import SilentReporter

LINES = """a1_image0001.jpg 4,4,20,20,0
a1_image0002.jpg 6,4,22,20,0
a2_image0003.jpg 6,4,22,20,0
a2_image0004.jpg 0,0,0,0,1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One case with a polyp in two stretches and one without; both are called case1."""
    inside = tmp_path / "in"
    positive = inside / "sundatabase_positive_part1"
    text(positive / "annotation_txt" / "case1.txt", LINES)
    for number, line in enumerate(LINES.splitlines()):
        picture(positive / "case1" / line.split()[0], 60 + 10 * number)
    picture(positive / "case1" / "a2_image0005.jpg")
    for number in (1, 2):
        picture(inside / "sundatabase_negative_part3" / "case1" / f"n_image000{number}.jpg")
    return inside


def export(folder: Path, out: Path) -> None:
    config = {"action": "export", "name": "sun", "folder": folder, "out": out, "partial": True}
    run_datasets(DatasetsCommand.model_validate(config), SilentReporter())


def test_a_case_is_a_polyp_and_its_boxes_are_of_it(folder: Path) -> None:
    found = read(folder)
    images = {Path(image.path).name: image for image in found.images}
    assert [image.labels for image in images.values() if image.study == "case1"] == [
        ("polyp",),
        ("polyp",),
        ("polyp",),
        ("non-polyp",),
        (),
    ]
    assert images["a1_image0001.jpg"].boxes[0].finding == "case1"
    assert images["a2_image0004.jpg"].boxes == ()
    assert images["n_image0001.jpg"].study == "negative-case1"
    assert images["n_image0001.jpg"].labels == ("non-polyp",)
    assert found.images_per_second == {"case1": 30.0, "negative-case1": 30.0}
    assert found.missing == ()
    assert "1 frames are not named in the text files and have no label." in found.notes


def test_an_export_is_read_as_tracklets(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(folder, out)
    assert {(row.study_id, row.start, row.stop, row.label) for row in read_labels(out / "labels.csv")} == {
        ("case1", 0, 2, "polyp"),
        ("case1", 2, 3, "polyp"),
        ("case1", 3, 4, "normal"),
        ("negative-case1", 0, 2, "normal"),
    }
    where = out / "manifest.json", out / "labels.csv", out / "boxes.csv"
    found = read_tracklets(*where, side_px=16, context=1.0, reporter=SilentReporter())
    assert found.findings.tolist() == ["case1", "case1"]
    assert found.table.seconds == pytest.approx([2 / 30, 1 / 30])
    assert load_manifest(out / "manifest.json")["negative-case1"].images_per_second == 30


def test_frames_that_are_not_there_are_missing(folder: Path) -> None:
    (folder / "sundatabase_positive_part1" / "case1" / "a1_image0002.jpg").unlink()
    text(folder / "sundatabase_positive_part1" / "annotation_txt" / "case2.txt", LINES)
    assert read(folder).missing == ("case2/", "case1/a1_image0002.jpg")


def test_two_boxes_of_one_polyp_are_counted_and_equal_ones_are_one(folder: Path) -> None:
    first, second, *_ = LINES.splitlines()
    name = first.split()[0]
    lines = [first, first, f"{second} 30,30,40,40,0"]
    text(folder / "sundatabase_positive_part1" / "annotation_txt" / "case1.txt", "\n".join(lines))
    found = read(folder)
    assert "1 frames have two boxes of one polyp." in found.notes
    assert next(len(image.boxes) for image in found.images if image.path.endswith(name)) == 1


@pytest.mark.parametrize(
    "line",
    ["x.jpg", "x.jpg 1,2,3,4", "x.jpg 1,2,3,4,2", "x.jpg 1,2,3,4,0,5", "x.jpg a,2,3,4,0", "x.jpg nan,2,3,4,0"],
)
def test_a_line_that_is_no_frame_with_boxes_is_named(folder: Path, line: str) -> None:
    text(folder / "sundatabase_positive_part1" / "annotation_txt" / "case1.txt", f"{LINES}\n{line}\n")
    with pytest.raises(UserError, match=r"case1\.txt, line 6"):
        read(folder)


def test_without_cases_it_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "polyps" / "1.jpg")
    with pytest.raises(UserError, match="has no folders case1, case2"):
        read(tmp_path)
