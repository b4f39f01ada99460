"""REAL-Colon: frames and annotations by recording, lesions with an id."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture, text
from training.commands.studies import DatasetsCommand, run_datasets
from training.datasets.findings import read_boxes, read_findings
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.datasets.public.catalogue import recognised
from training.datasets.public.layout import PublishedSet
from training.datasets.public.real_colon import read
from training.errors import UserError
from training.reidentification.tracklets import read_tracklets
from training.runs.reporter import SilentReporter

VIDEOS = "unique_video_name,age,sex,fps,num_frames,num_lesions,bbps\n001-001,60,M,29.97,8,2,9\n001-002,60,F,25,2,0,9\n"
LESIONS = """unique_object_id,unique_video_name,size [mm],site,histology_extended,histology_class
001-001_1,001-001,4,cecum,tubular,AD
001-001_2,001-001,unknown,rectum,normal,NO POLYP
"""
Box = tuple[str, int, int, int, int]


def annotation(*boxes: Box, size: tuple[int, int] = (48, 48)) -> str:
    """An XML file as published; boxes are (lesion, x_min, y_min, x_max, y_max), the size (width, height)."""
    objects = "".join(
        f"<object><name>lesion</name><unique_id>{lesion}</unique_id><box_id>{number}</box_id>"
        f"<bndbox><xmin>{left}</xmin><xmax>{right}</xmax><ymin>{top}</ymin><ymax>{bottom}</ymax></bndbox></object>"
        for number, (lesion, left, top, right, bottom) in enumerate(boxes, 1)
    )
    width, height = size
    shape = f"<size><width>{width}</width><height>{height}</height><depth>3</depth></size>"
    return f"<annotation><version_fmt>1.0</version_fmt><filename>x.jpg</filename>{shape}{objects}</annotation>"


FIRST, SECOND = ("001-001_1", 4, 4, 20, 20), ("001-001_2", 24, 24, 44, 44)
SEEN: dict[int, tuple[Box, ...]] = {2: (FIRST,), 3: (FIRST, SECOND), 4: (FIRST,), 7: (FIRST,)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two recordings: a lesion in frames 2 to 4 and again in 7, another in 3."""
    inside = tmp_path / "in"
    text(inside / "video_info.csv", VIDEOS)
    text(inside / "lesion_info.csv", LESIONS)
    for number in range(1, 9):
        picture(inside / "001-001_frames" / f"001-001_{number}.jpg", 60 + 10 * number)
        text(inside / "001-001_annotations" / f"001-001_{number}.xml", annotation(*SEEN.get(number, ())))
    for number in (9, 10):
        picture(inside / "001-002_frames" / "001-002_frames" / f"001-002_{number}.jpg")
        text(inside / "001-002_annotations" / f"001-002_{number}.xml", annotation())
    return inside


def annotate(folder: Path, number: int, content: str) -> None:
    text(folder / "001-001_annotations" / f"001-001_{number}.xml", content)


def export(folder: Path, out: Path, **settings: object) -> dict[str, object]:
    config = {"action": "export", "name": "real-colon", "folder": folder, "out": out, "partial": True, **settings}
    return run_datasets(DatasetsCommand.model_validate(config), SilentReporter())


def notes(found: PublishedSet) -> str:
    return " ".join(found.notes)


def test_boxes_have_lesions_and_frames_without_one_no_label(folder: Path) -> None:
    found = read(folder)
    assert found.missing == ()
    by_number = {image.frame_number: image for image in found.images if image.study == "001-001"}
    assert [by_number[number].labels for number in range(1, 5)] == [(), ("AD",), ("AD", "NO POLYP"), ("AD",)]
    assert [box.finding for box in by_number[3].boxes] == ["001-001_1", "001-001_2"]
    assert found.images_per_second == {"001-001": 29.97, "001-002": 25.0}
    assert found.sizes_mm == {"001-001_1": 4.0}
    assert "A frame without a box has no label" in notes(found)


def test_an_export_has_the_visits_of_each_lesion(folder: Path, tmp_path: Path) -> None:
    export(folder, tmp_path / "out")
    rows = read_labels(tmp_path / "out" / "labels.csv")
    assert [(row.start, row.stop, row.label, row.finding_id) for row in rows] == [
        (1, 4, "polyp", "001-001_1"),
        (2, 3, "other", "001-001_2"),
        (6, 7, "polyp", "001-001_1"),
    ]
    findings = read_findings(tmp_path / "out" / "findings.csv")
    assert [(row.finding_id, row.kind, row.size_mm, row.histology) for row in findings] == [
        ("001-001_1", "polyp", 4.0, "AD"),
        ("001-001_2", "other", None, "NO POLYP"),
    ]
    manifest = load_manifest(tmp_path / "out" / "manifest.json")
    assert [(study.study_id, study.patient_id, study.images_per_second) for study in manifest.studies] == [
        ("001-001", "001-001", 29.97),
        ("001-002", "001-002", 25.0),
    ]


def test_an_export_is_read_as_tracklets(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    annotate(folder, 3, annotation(FIRST, ("001-001_9", 24, 24, 44, 44)))  # two polyps in one frame
    export(folder, out)
    where = out / "manifest.json", out / "labels.csv", out / "boxes.csv"
    found = read_tracklets(*where, side_px=16, context=1.0, reporter=SilentReporter())
    assert found.findings.tolist() == ["001-001_1", "001-001_9", "001-001_1"]
    assert [len(crops) for crops in found.crops] == [3, 1, 1]
    assert found.table.procedures.tolist() == ["001-001"] * 3
    assert found.table.seconds == pytest.approx([3 / 29.97, 1 / 29.97, 1 / 29.97])
    assert found.table.starts == pytest.approx([1 / 29.97, 2 / 29.97, 6 / 29.97])


def test_a_visit_ends_where_frames_are_missing(folder: Path, tmp_path: Path) -> None:
    (folder / "001-001_frames" / "001-001_3.jpg").unlink()
    assert read(folder).missing == ("001-001_frames/001-001_3.jpg",)
    export(folder, tmp_path / "out")
    rows = [row for row in read_labels(tmp_path / "out" / "labels.csv") if row.finding_id == "001-001_1"]
    assert [(row.start, row.stop) for row in rows] == [(1, 2), (2, 3), (5, 6)]


def test_smaller_copies_of_the_frames_have_smaller_boxes(folder: Path, tmp_path: Path) -> None:
    annotate(folder, 7, annotation(("001-001_1", 100, 200, 300, 400), size=(480, 480)))
    export(folder, tmp_path / "out")
    box = read_boxes(tmp_path / "out" / "boxes.csv")[-1]
    assert (box.x_min, box.y_min, box.x_max, box.y_max, box.finding_id) == (10, 20, 30, 40, "001-001_1")


def test_boxes_beyond_the_frame_are_cut_or_left_out_and_counted(folder: Path, tmp_path: Path) -> None:
    annotate(folder, 7, annotation(("001-001_1", 30, -9, 90, 20), ("001-001_2", 60, 60, 70, 70)))
    assert "2 boxes reach beyond their frame and are cut at its edges." in notes(read(folder))
    result = export(folder, tmp_path / "out")
    box = read_boxes(tmp_path / "out" / "boxes.csv")[-1]
    assert (box.x_min, box.y_min, box.x_max, box.y_max) == (30, 0, 48, 20)
    assert "1 box is empty and is left out (such as in 001-001_frames/001-001_7.jpg)." in str(result["notes"])


def test_lesions_and_frames_that_are_said_twice_or_nowhere_are_counted(folder: Path) -> None:
    annotate(folder, 1, annotation(("001-001_7", 4, 4, 20, 20)))
    annotate(folder, 2, annotation(FIRST, FIRST))
    picture(folder / "001-001_frames" / "001-001_0002.jpg")
    picture(folder / "cover.png")
    text(folder / "001-001_annotations" / "more" / "001-001_1.xml", annotation())
    (folder / "001-001_annotations" / "001-001_8.xml").unlink()
    found = read(folder)
    said = notes(found)
    assert "1 boxes have a lesion that lesion_info.csv does not list." in said
    assert "1 frames have two boxes of one lesion." in said
    assert "2 images have other names or repeat a frame and are left out" in said
    assert "1 XML files have other names or repeat a frame and are left out." in said
    assert "1 frames have no annotation and therefore no label." in said
    by_number = {image.frame_number: image for image in found.images if image.study == "001-001"}
    assert by_number[1].labels == ("lesion",)


def test_a_class_in_no_vocabulary_is_asked_for(folder: Path, tmp_path: Path) -> None:
    text(folder / "lesion_info.csv", LESIONS.replace(",AD", ",zebra"))
    with pytest.raises(UserError, match=r"The label zebra \(4 images\) is in no vocabulary"):
        export(folder, tmp_path / "out")
    export(folder, tmp_path / "out", also={"zebra": "tumor"})
    assert read_findings(tmp_path / "out" / "findings.csv")[0].kind == "tumor"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("video_info.csv", VIDEOS + "001-001,1,M,30,1,1,9\n", r"video_info\.csv, line 4: 001-001 is listed twice"),
        ("lesion_info.csv", LESIONS + "001-001_1,001-001,4,,,AD\n", r"line 4: 001-001_1 is listed twice"),
        ("video_info.csv", VIDEOS.replace("29.97", "fast"), r"line 2: “fast” is no number of frames per second"),
        ("video_info.csv", VIDEOS.replace("29.97", "-1"), r"line 2: “-1” is no number of frames per second"),
        ("video_info.csv", VIDEOS.replace("29.97", "nan"), r"line 2: “nan” is no number of frames per second"),
        ("video_info.csv", VIDEOS.replace("001-002,", ","), r"line 3: the name is empty"),
        ("lesion_info.csv", "a,b\n1,2\n", "has no column unique_object_id"),
    ],
)
def test_tables_that_cannot_be_right_are_named(name: str, content: str, said: str, folder: Path) -> None:
    text(folder / name, content)
    with pytest.raises(UserError, match=said):
        read(folder)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<annotation>", "is not a usable XML file"),
        ('<!DOCTYPE a [<!ENTITY b "b">]><annotation>&b;</annotation>', "declares a document type or entities"),
        (annotation(FIRST).replace("<xmin>4", "<xmin>left"), "bndbox/xmin is “left”, not a number"),
        (annotation(FIRST).replace("<ymax>20", "<ymax>inf"), "bndbox/ymax is “inf”, not a number"),
        (annotation(FIRST).replace("<width>48</width>", ""), "size/width is “”, not a number"),
        (annotation(FIRST, size=(0, 48)), "names no size of the frame"),
    ],
)
def test_an_annotation_that_cannot_be_right_is_named(content: str, said: str, folder: Path) -> None:
    annotate(folder, 2, content)
    with pytest.raises(UserError, match=said) as caught:
        read(folder)
    assert "001-001_2.xml" in caught.value.message


def test_recordings_without_frames_are_missing(folder: Path, tmp_path: Path) -> None:
    text(folder / "video_info.csv", VIDEOS + "001-003,60,F,,2,0,9\n")
    found = read(folder)
    assert found.missing == ("001-003_frames/",)
    assert "001-003" not in found.images_per_second
    for name in ("video_info.csv", "lesion_info.csv"):
        text(tmp_path / "bare" / name, (folder / name).read_text(encoding="utf-8"))
    with pytest.raises(UserError, match="has no frames named as in"):
        read(tmp_path / "bare")
    (tmp_path / "bare" / "lesion_info.csv").unlink()
    with pytest.raises(UserError, match=r"lesion_info\.csv does not exist"):
        read(tmp_path / "bare")


def test_the_set_is_recognised_by_its_files(folder: Path) -> None:
    found = recognised(folder)
    assert found is not None
    assert found.name == "real-colon"
    assert recognised(folder / "001-001_frames") is None
