"""A folder of labelled images in the library: all of it, or nothing."""

import os
import shutil
from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture, text
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.library import Library
from wce_desktop.library.exchange import (
    LabelledFolder,
    add_labelled_images,
    export_library,
    meanings,
    plan_import,
    read_labelled_folder,
    reader_for,
)
from wce_desktop.library.exchange.exporting import training_labels
from wce_desktop.library.exchange.labelled_folder import left_out_sentences

NAMES = (NORMAL, "polyp", "ulcer", "angiectasia", "blood")
ROWS = """filename,label,source,group
1.png,Normal,A,one
2.png,Angioectasia,A,one
3.png,Bleeding|ulcer,A,two
4.png,normal,B,one
5.png,zebra,B,three
6.png,polyp,B,three
"""


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """Six labelled images of four groups in two sources, with a box that reaches beyond its image."""
    for number in range(1, 7):
        picture(tmp_path / "set" / "images" / f"{number}.png", 30 * number, (40, 48))
    text(tmp_path / "set" / "labels.csv", ROWS)
    text(tmp_path / "set" / "boxes.csv", "filename,x_min,y_min,x_max,y_max\n2.png,30,-4,90,20\n6.png,90,90,99,99\n")
    return tmp_path / "set"


def read(path: Path) -> LabelledFolder:
    data_set = reader_for(path, NAMES)
    assert data_set is not None
    return read_labelled_folder(path, data_set, SilentReporter())


def add(library: Library, folder: LabelledFolder, chosen: dict[str, str] | None = None) -> int:
    words = meanings(folder.labels, NAMES, chosen)
    return len(add_labelled_images(library, folder, words, SilentReporter()).study_ids)


def test_each_group_becomes_a_study_with_its_labels_and_boxes(library: Library, images: Path) -> None:
    folder = read(images)
    assert (folder.groups, folder.ungrouped, folder.sources) == (4, 0, ("A", "B"))
    assert add(library, folder, {"zebra": "zebra"}) == 4
    studies = {study.name: study for study in library.studies.all()}
    assert {name: (study.source, study.frame_count, study.runs) for name, study in studies.items()} == {
        "one": ("A", 2, ()),
        "two": ("A", 1, ()),
        "one (B)": ("B", 1, ()),
        "three": ("B", 2, ()),
    }
    labels = {
        name: [(label.name, label.span.start, label.span.stop) for label in library.annotations.labels(study.study_id)]
        for name, study in studies.items()
    }
    assert sorted(labels["one"]) == [("angiectasia", 1, 2), ("normal", 0, 1)]
    assert sorted(labels["two"]) == [("blood", 0, 1), ("ulcer", 0, 1)]
    assert sorted(labels["three"]) == [("polyp", 1, 2), ("zebra", 0, 1)]
    (box,) = library.annotations.boxes(studies["one"].study_id)
    assert (box.name, box.frame_index, box.x_min, box.y_min, box.x_max, box.y_max) == ("angiectasia", 1, 30, 0, 48, 20)
    assert not library.annotations.boxes(studies["three"].study_id)
    assert len({study.patient_id for study in studies.values()}) == 4
    assert studies["one"].pseudonym == "set / A / one"
    assert all(study.path.is_dir() for study in studies.values())


def test_an_import_that_was_undone_gives_the_labels_back(library: Library, images: Path) -> None:
    shutil.copy(images / "images" / "1.png", images / "images" / "7.png")
    text(images / "labels.csv", f"{ROWS}7.png,normal,C,four\n4.png,polyp,D,five\n")
    folder = read(images)
    add(library, folder)
    studies = {study.name: study.study_id for study in library.studies.all()}
    before = {each: (library.annotations.labels(each), library.annotations.boxes(each)) for each in studies.values()}
    assert library.annotations.undo(studies["one"]) is not None
    assert not library.annotations.labels(studies["one"])
    kept = library.annotations.labels(studies["two"])
    assert add(library, folder) == sum(map(bool, before.values()))
    assert {study.name: study.study_id for study in library.studies.all()} == studies
    again = {each: (library.annotations.labels(each), library.annotations.boxes(each)) for each in studies.values()}
    assert [[(label.name, label.span) for label in labels] for labels, _ in again.values()] == [
        [(label.name, label.span) for label in labels] for labels, _ in before.values()
    ]
    assert [len(boxes) for _, boxes in again.values()] == [len(boxes) for _, boxes in before.values()]
    assert kept == ()  # one step of undo took back the whole import
    assert add(library, folder) == 0


def test_the_same_folder_is_added_once(library: Library, images: Path) -> None:
    assert add(library, read(images)) == 4
    assert add(library, read(images)) == 0
    assert add(library, read(images / "labels.csv")) == 0
    assert len(list((library.folder / "studies").iterdir())) == 4


def test_images_that_a_restored_library_lacks_come_back_with_the_folder(library: Library, images: Path) -> None:
    add(library, read(images))
    for study in library.studies.all():
        shutil.rmtree(study.path.parent)
    assert add(library, read(images)) == 0
    assert all(study.path.is_dir() for study in library.studies.all())


def test_one_undo_takes_the_labels_of_all_studies_back(library: Library, images: Path) -> None:
    add(library, read(images))
    studies = library.studies.all()
    assert library.annotations.undo(studies[0].study_id) is not None
    assert not any(library.annotations.labels(study.study_id) for study in studies)


@pytest.mark.parametrize("steps", range(12))
def test_what_is_cancelled_leaves_nothing(library: Library, images: Path, steps: int) -> None:
    class Stopping(SilentReporter):
        left = steps

        def check(self) -> None:
            self.left -= 1
            if self.left < 0:
                raise Cancelled

    folder = read(images)
    try:
        add_labelled_images(library, folder, meanings(folder.labels, NAMES), Stopping())
    except Cancelled:
        assert library.studies.all() == ()
        assert not list((library.folder / "studies").glob("*"))
    else:
        assert len(library.studies.all()) == 4


def test_images_without_groups_are_divided_by_name_with_a_share_of_each_class(library: Library, tmp_path: Path) -> None:
    for number in range(20):
        picture(tmp_path / "set" / "normal" / f"{number}.png", number)
        picture(tmp_path / "set" / "polyps" / f"{number}.png", 100 + number)
    folder = read(tmp_path / "set")
    assert (folder.groups, folder.ungrouped) == (0, 40)
    assert add(library, folder) == 10
    for study in library.studies.all():
        counts = {label.name: len(label.span) for label in library.annotations.labels(study.study_id)}
        assert counts == {"normal": 2, "polyp": 2}
        assert not study.pseudonym
    assert len({study.patient_id for study in library.studies.all()}) == 10


def test_what_cannot_be_used_is_said(images: Path) -> None:
    (images / "images" / "1.png").write_bytes(b"no picture")
    (images / "images" / "2.png").unlink()
    folder = read(images)
    assert left_out_sentences(folder, meanings(folder.labels, NAMES)) == [
        "1 image is left out, because its label is.",
        "1 image cannot be read and is left out: images/1.png.",
        "1 image of the table is not there: 2.png.",
        "1 box is of an image that is not labelled, and is left out.",
    ]


@pytest.mark.parametrize(
    ("folders", "is_one"),
    [
        (("normal", "Polyps"), True),
        (("normal", "polyp", "odd", "strange"), True),
        (("patient 1", "patient 2", "normal"), False),
        (("normal",), False),
        ((), False),
    ],
)
def test_folders_are_classes_where_they_are_called_so(tmp_path: Path, folders: tuple[str, ...], is_one: bool) -> None:
    for name in folders:
        picture(tmp_path / "set" / name / "1.png")
    (tmp_path / "set").mkdir(exist_ok=True)
    assert (reader_for(tmp_path / "set", NAMES) is not None) == is_one


def test_a_part_of_capsule_vision_is_recognised(tmp_path: Path) -> None:
    for name in ("Normal/KVASIR/0123456789abcdef_1.png", "Polyp/SEE-AI/1.png"):
        picture(tmp_path / "set" / "training" / name)
    data_set = reader_for(tmp_path / "set", NAMES)
    assert data_set is not None
    assert data_set.name == "capsule-vision-2024"
    assert {study.source for study in read(tmp_path / "set").studies} == {"KVASIR", "SEE-AI"}
    part = read(tmp_path / "set" / "training")
    assert (part.sources, part.groups, part.ungrouped) == (("KVASIR", "SEE-AI"), 1, 1)


def test_images_of_a_moved_library_are_where_it_is(library: Library, images: Path, tmp_path: Path) -> None:
    add(library, read(images))
    library.close()
    shutil.move(library.folder, tmp_path / "elsewhere")
    with Library.open(tmp_path / "elsewhere", "reader") as moved:
        assert all(study.path.is_dir() for study in moved.studies.all())


def test_the_source_goes_into_the_manifest_of_a_training_and_no_group_does(
    library: Library, images: Path, tmp_path: Path
) -> None:
    add(library, read(images))
    manifest, _ = training_labels(library)
    assert sorted(study.source for study in manifest.studies) == ["A", "A", "B", "B"]
    assert all(study.kind == "stills" and study.patient_entered for study in manifest.studies)
    export_library(library, tmp_path / "out", has_paths=True)
    plan_import(library, tmp_path / "out", NAMES)
    written = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir())
    assert "three" not in written
    assert "set" not in written


@pytest.mark.skipif(os.name != "posix", reason="links are copies there")
def test_images_take_no_further_room(library: Library, images: Path) -> None:
    add(library, read(images))
    assert (images / "images" / "1.png").stat().st_nlink == 2
