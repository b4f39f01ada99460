"""Exports for annotation tools: independent libraries read them, they are imported again, no name is in them."""

import csv
import io
import json
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from dagshub_annotation_converter.converters import cvat
from globox import AnnotationSet
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools.coco import COCO

from tests.wce_desktop.library.exchange.annotated import (
    FRAMES,
    HEIGHT,
    NAME,
    NAMES,
    WIDTH,
    add_boxes,
    add_labels,
    add_study,
    boxes_of,
    labels_of,
    picture_at,
    write_study,
)
from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.boxes import suggested_by
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange import (
    EXPORT_FORMATS,
    apply_import,
    export_annotations,
    export_format,
    export_library,
    plan_import,
)

FORMATS = [each.name for each in EXPORT_FORMATS if each.name != "csv"]
BOXES = [
    (2, "polyp", 10.5, 8.0, 30.25, 40.0),
    (3, "polyp", 11.0, 8.0, 31.0, 40.0),
    (3, "blood", 0.0, 0.0, 64.0, 48.0),
    (9, "foreign body", 20.0, 20.0, 22.0, 24.0),
]


@pytest.fixture
def study(library: Library, tmp_path: Path) -> Study:
    """A study whose path names a patient, with boxes and labels."""
    made = add_study(library, write_study(tmp_path / NAME))
    add_boxes(library, BOXES)
    add_labels(library, [(2, 4, "polyp"), (20, 22, "normal"), (25, 26, "blood")])
    return made


def exported(library: Library, folder: Path, name: str, **more: Any) -> Path:
    export_annotations(library, folder, export_format(name), NAMES, **more)
    return folder


def as_boxes(found: AnnotationSet) -> list[tuple[str, str, float, float, float, float]]:
    """What globox read."""
    return sorted(
        (annotation.image_id, box.label, *(round(x, 2) for x in (box.xmin, box.ymin, box.xmax, box.ymax)))
        for annotation in found
        for box in annotation.boxes
    )


def expected(name: str) -> list[tuple[str, str, float, float, float, float]]:
    return sorted((name.format(frame), *rest) for frame, *rest in BOXES)  # type: ignore[misc]


# Independent readers


def test_pycocotools_and_globox_read_coco(library: Library, study: Study, tmp_path: Path) -> None:
    folder = exported(library, tmp_path / "out", "coco")
    path = folder / "annotations" / "instances_default.json"
    with redirect_stdout(io.StringIO()):
        found = COCO(str(path))
    names = {each["id"]: each["name"] for each in found.loadCats(found.getCatIds())}
    assert list(names.values()) == ["polyp", "blood", "foreign body"]
    images = {each["id"]: each for each in found.loadImgs(found.getImgIds())}
    assert [image["file_name"][-10:-4] for image in images.values()] == [
        "000002",
        "000003",
        "000009",
        "000020",
        "000021",
    ]
    read = sorted(
        (images[each["image_id"]]["frame_index"], names[each["category_id"]], *each["bbox"])
        for each in found.loadAnns(found.getAnnIds())
    )
    assert read == sorted((frame, name, x, y, right - x, down - y) for frame, name, x, y, right, down in BOXES)
    for image in images.values():
        picture = picture_at(folder / "images" / "default" / image["file_name"])
        assert picture.shape == (image["height"], image["width"], 3) == (HEIGHT, WIDTH, 3)
    assert as_boxes(AnnotationSet.from_coco(path)) == expected("P03a/frame-{:06d}.png")


def test_globox_reads_cvat_for_images(library: Library, study: Study, tmp_path: Path) -> None:
    folder = exported(library, tmp_path / "out", "cvat-images")
    found = AnnotationSet.from_cvat(folder / "annotations.xml")
    assert as_boxes(found) == expected("P03a/frame-{:06d}.png")
    assert all((folder / "images" / annotation.image_id).is_file() for annotation in found)
    assert len(list(found)) == 6  # with those that are labelled only


def test_globox_reads_yolo(library: Library, study: Study, tmp_path: Path) -> None:
    folder = exported(library, tmp_path / "out", "yolo")
    found = AnnotationSet.from_yolo_v5(folder / "labels", image_folder=folder / "images", image_extension=".png")
    names = (folder / "classes.txt").read_text(encoding="utf-8").splitlines()
    read = [(name, names[int(label)], *rest) for name, label, *rest in as_boxes(found)]
    assert sorted(read) == expected("P03a-frame-{:06d}.png")
    assert sorted(path.stem for path in (folder / "images").iterdir()) == sorted(
        path.stem for path in (folder / "labels").iterdir()
    )


def test_dagshub_reads_cvat_for_video(library: Library, study: Study, tmp_path: Path) -> None:
    folder = exported(library, tmp_path / "out", "cvat-video")
    (path,) = folder.iterdir()
    assert path.name == "P03a.xml"
    found = cvat.load_cvat_from_xml_file(path)
    assert (found.filename, found.sequence_length, found.video_width, found.video_height) == ("P03a", 30, 64, 48)
    read = [
        (box.frame_number, *box.categories, box.left, box.top, box.left + box.width, box.top + box.height)
        for track in found.tracks
        for box in track.annotations
    ]
    assert sorted(read, key=str) == sorted(BOXES, key=str)
    # What it leaves out: nothing lies between key frames, and a track is over where its box ends.
    for track in ElementTree.parse(path).getroot().iter("track"):
        frames = [int(box.get("frame", "-1")) for box in track]
        assert frames == list(range(frames[0], frames[0] + len(frames)))
        assert [box.get("outside") for box in track] == ["0"] * (len(frames) - 1) + ["1"]


def test_what_dagshub_writes_as_cvat_for_video_is_imported(library: Library, tmp_path: Path) -> None:
    with Library.open(tmp_path / "other", "a") as other:
        add_study(other, write_study(tmp_path / "clip"))
        add_boxes(other, BOXES)
        exported(other, tmp_path / "out", "cvat-video")
    found = cvat.load_cvat_from_xml_file(tmp_path / "out" / "P03a.xml")
    made = cvat.export_cvat_video_to_file(found, tmp_path / "made.xml", video_name="P03a.mp4")
    add_study(library, tmp_path / "clip")
    apply_import(library, plan_import(library, made, NAMES))
    assert boxes_of(library) == sorted(BOXES)


def test_kvasir_capsule_has_a_folder_for_each_class_and_corners(library: Library, study: Study, tmp_path: Path) -> None:
    folder = exported(library, tmp_path / "out", "kvasir")
    there = {path.relative_to(folder / "labelled_images").as_posix() for path in folder.rglob("*.jpg")}
    assert there == {
        "Polyp/P03a_2.jpg",
        "Polyp/P03a_3.jpg",
        "Blood - fresh/P03a_3.jpg",
        "Blood - fresh/P03a_25.jpg",
        "Foreign Body/P03a_9.jpg",
        "Normal clean mucosa/P03a_20.jpg",
        "Normal clean mucosa/P03a_21.jpg",
    }
    with (folder / "metadata.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    assert list(rows[0])[:5] == ["filename", "video_id", "frame_number", "finding_category", "finding_class"]
    first = rows[0]
    assert (first["filename"], first["video_id"], first["frame_number"], first["finding_class"]) == (
        "P03a_2.jpg",
        "P03a",
        "2",
        "Polyp",
    )
    corners = {(float(first[f"x{at}"]), float(first[f"y{at}"])) for at in range(1, 5)}
    assert corners == set(product((10.5, 30.25), (8.0, 40.0)))


def answers_of(library: Library) -> set[tuple[int, str]]:
    """(frame, class) of every class that is not there."""
    return {
        (frame, label.name)
        for label in library.annotations.answers("P03a")
        if label.answer == "no"
        for frame in range(label.span.start, label.span.stop)
    }


REJECTED = {(2, "foreign body"), (3, "foreign body"), (27, "foreign body"), (28, "foreign body"), (28, "blood")}


@pytest.fixture
def rejected(library: Library, study: Study) -> Study:
    """The study, with classes that are not there: on frames with a box and on others."""
    spans = [(2, 4, "foreign body"), (27, 29, "foreign body"), (28, 29, "blood")]
    rows = [Label(f"n{at}", "P03a", Span(*span), name, answer="no") for at, (*span, name) in enumerate(spans)]
    library.annotations.edit("P03a", "rejected", [Add(row) for row in rows])
    return study


@pytest.mark.usefixtures("rejected")
def test_coco_says_which_class_is_not_there_and_of_what_it_says_nothing(library: Library, tmp_path: Path) -> None:
    path = exported(library, tmp_path / "out", "coco") / "annotations" / "instances_default.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    assert {(entry["frame_index"], name) for entry in document["negatives"] for name in entry["absent"]} == REJECTED
    assert "does not mean normal" in document["info"]["negatives"]
    frames = {image["frame_index"] for image in document["images"]}
    assert not frames & {27, 28}, "a detector would take them for frames on which nothing is"
    with redirect_stdout(io.StringIO()):
        assert {image["frame_index"] for image in COCO(str(path)).imgs.values()} == frames


@pytest.mark.usefixtures("rejected")
def test_kvasir_says_which_class_is_not_there_beside_its_layout(library: Library, tmp_path: Path) -> None:
    folder = exported(library, tmp_path / "out", "kvasir")
    with (folder / "negatives.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    assert {(int(row["frame_number"]), row["absent_class"]) for row in rows} == {
        (frame, {"foreign body": "Foreign Body", "blood": "Blood - fresh"}[name]) for frame, name in REJECTED
    }
    assert "does not mean normal" in (folder / "README.md").read_text(encoding="utf-8")
    assert not [path for path in folder.rglob("*.jpg") if path.stem in ("P03a_27", "P03a_28")]


@pytest.mark.usefixtures("rejected")
@pytest.mark.parametrize("name", ["coco", "kvasir", "csv"])
def test_classes_that_are_not_there_come_back(library: Library, tmp_path: Path, name: str) -> None:
    if name == "csv":
        export_library(library, tmp_path / "out")
    else:
        exported(library, tmp_path / "out", name)
    with Library.open(tmp_path / "again", "reader") as other:
        add_study(other, tmp_path / NAME)
        apply_import(other, plan_import(other, tmp_path / "out", NAMES))
        assert answers_of(other) == REJECTED
        assert {frame for frame, label in labels_of(other) if label == "normal"} == {20, 21}


@pytest.mark.usefixtures("rejected")
@pytest.mark.parametrize("name", ["cvat-images", "cvat-video", "yolo"])
def test_formats_without_room_for_them_say_so(library: Library, tmp_path: Path, name: str) -> None:
    summary = export_annotations(library, tmp_path / "out", export_format(name), NAMES)
    (note,) = [note for note in summary.notes if "not there" in note]
    assert note == "P03a: that a class is not there is not written for 4 frames: the format has no room for it."


def test_what_globox_writes_is_imported(library: Library, tmp_path: Path) -> None:
    """The other way round: COCO, CVAT, VIA and LabelMe of another program."""
    source = tmp_path / "source"
    with Library.open(source / "library", "a") as other:
        add_study(other, write_study(source / "clip"))
        add_boxes(other, BOXES)
        exported(other, source / "coco", "coco")
    made = AnnotationSet.from_coco(source / "coco" / "annotations" / "instances_default.json")
    folder = tmp_path / "made"
    folder.mkdir()
    made.save_coco(folder / "coco.json", auto_ids=True)
    made.save_cvat(folder / "cvat.xml")
    made.save_via_json(folder / "via.json", image_folder=source / "coco" / "images" / "default")
    (folder / "labelme" / "P03a").mkdir(parents=True)
    made.save_labelme(folder / "labelme")
    for number, name in enumerate(("coco.json", "cvat.xml", "via.json", "labelme/P03a")):
        study_id = f"S{number}"
        library.studies.add(tmp_path / f"{number}.mp4", study_id=study_id, frame_count=FRAMES)
        path = folder / name
        for each in path.iterdir() if path.is_dir() else [path]:
            each.write_text(each.read_text(encoding="utf-8").replace("P03a/", f"{study_id}/"), encoding="utf-8")
        apply_import(library, plan_import(library, path, NAMES))
        assert boxes_of(library, study_id) == sorted(BOXES), name


# Back into a library


def box_lists() -> st.SearchStrategy[list[tuple[int, str, float, float, float, float]]]:
    def edges(side: int) -> st.SearchStrategy[tuple[float, float]]:
        corner = st.integers(0, side * 100).map(lambda value: value / 100)
        return st.tuples(corner, corner).map(sorted).filter(lambda pair: pair[1] - pair[0] >= 0.5).map(tuple)  # type: ignore[arg-type]

    one = st.tuples(st.integers(0, FRAMES - 1), st.sampled_from(NAMES[1:]), edges(WIDTH), edges(HEIGHT))
    flat = one.map(lambda each: (each[0], each[1], each[2][0], each[3][0], each[2][1], each[3][1]))
    return st.lists(flat, min_size=1, max_size=12, unique=True)


@pytest.mark.parametrize("name", FORMATS)
def test_random_boxes_come_back_from_every_format(name: str, tmp_path: Path) -> None:
    """Boxes to a hundredth of a pixel; labels where the format has room for them."""
    recording, places = write_study(tmp_path / NAME), count()
    with Library.open(tmp_path / "one", "a") as one, Library.open(tmp_path / "other", "b") as other:
        for library in (one, other):
            add_study(library, recording)

        @settings(max_examples=8, deadline=None)
        @given(boxes=box_lists(), starts=st.lists(st.integers(0, 27), max_size=3, unique=True))
        def comes_back(boxes: list[tuple[int, str, float, float, float, float]], starts: list[int]) -> None:
            add_boxes(one, boxes)
            boxed = {(frame, kind) for frame, kind, *_ in boxes}
            add_labels(one, [(start, start + 1, "polyp") for start in starts])
            try:
                folder = exported(one, tmp_path / f"out-{next(places)}", name)
                plan = plan_import(other, folder, NAMES)
                apply_import(other, plan)
                assert boxes_of(other) == boxes_of(one)
                assert labels_of(other) == boxed | held(name, starts, {frame for frame, _ in boxed})
                assert not [line for line in plan.left_out if "left out" in line]
            finally:
                for library in (one, other):
                    while library.annotations.undo("P03a") is not None:
                        pass

        comes_back()


def held(name: str, starts: list[int], boxed: set[int]) -> set[tuple[int, str]]:
    """The labels that a format holds: of all frames, of frames with a box, or none."""
    if name in ("cvat-video", "yolo"):
        return set()
    return {(start, "polyp") for start in starts if export_format(name).holds_labels or start in boxed}


@pytest.mark.parametrize("name", ["csv", "coco"])
def test_an_accepted_suggestion_stays_one(library: Library, tmp_path: Path, name: str) -> None:
    path = write_study(tmp_path / NAME)
    add_study(library, path)
    boxes = [Box(box_id, "P03a", 3, 1, 2, 30, 40, "polyp") for box_id in ("weak-score-cam-01", "drawn-01")]
    boxes[1] = replace(boxes[1], x_min=5)
    library.annotations.edit("P03a", "boxes", [Add(box) for box in boxes])
    if name == "csv":
        export_library(library, tmp_path / "out")
    else:
        exported(library, tmp_path / "out", name)
    with Library.open(tmp_path / "other", "b") as other:
        add_study(other, path)
        apply_import(other, plan_import(other, tmp_path / "out", NAMES))
        assert {box.x_min: suggested_by(box) for box in other.annotations.boxes("P03a")} == {1: "score-cam", 5: ""}


# Privacy, failures


@pytest.mark.parametrize("name", FORMATS)
def test_no_name_of_a_file_and_nothing_outside_the_field_of_view_is_written(
    library: Library, study: Study, tmp_path: Path, name: str
) -> None:
    folder = exported(library, tmp_path / "out", name)
    for path in folder.rglob("*"):
        assert "MEIER" not in str(path.relative_to(tmp_path))
        if path.suffix in (".png", ".jpg"):
            picture = picture_at(path)
            assert picture[:6, :6].max() < 20  # JPEG blurs a little
            assert picture[HEIGHT // 2, WIDTH // 2].max() > 100
        elif path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "MEIER" not in text
            assert str(tmp_path) not in text


def test_a_study_without_a_field_of_view_is_written_whole_and_said(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "bright"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((HEIGHT, WIDTH, 3), 200, np.uint8))
    add_study(library, folder, "B1", 3)
    add_boxes(library, [(1, "polyp", 1, 2, 3, 4)], "B1")
    made = export_annotations(library, tmp_path / "out", export_format("coco"), NAMES)
    assert made.notes[0].startswith("B1: no round or octagonal field of view was found")


def test_a_recording_that_is_away_is_left_out_with_a_sentence(library: Library, study: Study, tmp_path: Path) -> None:
    library.studies.add(tmp_path / "gone.mp4", study_id="G1", frame_count=9)
    add_boxes(library, [(1, "polyp", 1, 2, 3, 4)], "G1")
    made = export_annotations(library, tmp_path / "out", export_format("yolo"), NAMES)
    assert made.counts["studies"] == 1
    assert "G1 is left out: its recording cannot be read." in made.notes
    video = export_annotations(library, tmp_path / "video", export_format("cvat-video"), NAMES)
    assert video.counts["studies"] == 2  # boxes alone need no pictures


def test_labelled_frames_without_a_box_are_no_negatives(library: Library, study: Study, tmp_path: Path) -> None:
    made = export_annotations(library, tmp_path / "out", export_format("coco"), NAMES)
    assert made.notes == (
        "P03a: 1 labelled frame without a box not written: a detector would take them for frames on which nothing is.",
    )
    assert (made.counts["frames"], made.counts["pictures"]) == (5, 5)
    without = export_annotations(library, tmp_path / "less", export_format("coco"), NAMES, with_normal=False)
    assert without.counts["frames"] == 3
    assert without.sentence == f"4 boxes, 3 frames of 1 study, 3 pictures written to {tmp_path / 'less'}."


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_to_export_is_a_sentence(library: Library, tmp_path: Path, name: str) -> None:
    add_study(library, write_study(tmp_path / "empty"))
    with pytest.raises(UserError, match="There is nothing to export"):
        exported(library, tmp_path / "out", name)
    assert not (tmp_path / "out").exists()


def test_only_the_chosen_study_is_written(library: Library, study: Study, tmp_path: Path) -> None:
    other = write_study(tmp_path / "b", 5)
    cv2.imwrite(str(other / "000.png"), np.zeros((HEIGHT, WIDTH, 3), np.uint8))
    add_study(library, other, "P09", 5)
    add_boxes(library, [(1, "polyp", 1, 2, 3, 4)], "P09")
    folder = exported(library, tmp_path / "out", "coco", study_ids=["P09"])
    text = (folder / "annotations" / "instances_default.json").read_text(encoding="utf-8")
    assert {image["study_id"] for image in json.loads(text)["images"]} == {"P09"}
    with pytest.raises(UserError, match="no study 'P77'"):
        exported(library, tmp_path / "none", "coco", study_ids=["P77"])


def test_a_folder_that_is_not_empty_read_only_or_a_study_is_left_alone(
    library: Library, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="is not empty"):
        exported(library, full, "coco")
    assert [path.name for path in full.iterdir()] == ["mine.txt"]
    for inside in (study.path / "out", library.folder / "out"):
        with pytest.raises(UserError, match="lies inside the library or a study"):
            exported(library, inside, "coco")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="is a file"):
        exported(library, tmp_path / "file", "coco")
    real = Path.mkdir

    def read_only(path: Path, *args: Any, **more: Any) -> None:
        if path.name.startswith(".partial"):
            raise PermissionError(13, "Permission denied", str(path))
        real(path, *args, **more)

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.raises(UserError, match=r"cannot be written \(Permission denied\)"):
        exported(library, tmp_path / "readonly", "coco")


def test_an_export_that_is_stopped_leaves_nothing(library: Library, study: Study, tmp_path: Path) -> None:
    class Stops(SilentReporter):
        done = 0

        def progress(self, done: int, total: int, unit: str, what: str) -> None:
            assert (total, unit, what) == (5, "frames", "writing P03a")
            self.done = done

        def check(self) -> None:
            if self.done == 2:
                raise Cancelled

    (tmp_path / "there").mkdir()
    for name in ("new", "there"):
        with pytest.raises(Cancelled):
            exported(library, tmp_path / name, "coco", reporter=Stops())
    assert not (tmp_path / "new").exists()
    assert list((tmp_path / "there").iterdir()) == []
