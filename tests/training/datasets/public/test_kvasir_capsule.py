"""Kvasir-Capsule: its table, its folders, its splits, and what is odd about them."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import STUDY_A, STUDY_B, kvasir, picture, text
from training.datasets.public.kvasir_capsule import read
from training.datasets.public.layout import PublishedBox
from training.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return kvasir(tmp_path / "kvasir")


def test_an_image_has_the_labels_of_all_its_rows_and_the_box_of_its_corners(folder: Path) -> None:
    found = {image.path.rsplit("/", 1)[-1]: image for image in read(folder).images}
    assert len(found) == 7
    both = found[f"{STUDY_A}_31.jpg"]
    assert both.labels == ("Pylorus", "Erosion")
    assert both.boxes == (PublishedBox("Erosion", 10, 5, 40, 25),)
    assert (both.study, both.frame_number, both.split) == (STUDY_A, 31, "1")
    assert found[f"{STUDY_B}_100.jpg"].split == ""


def test_what_is_odd_is_told(folder: Path) -> None:
    notes = " ".join(read(folder).notes)
    assert "8 rows for 7 images: 1 images" in notes
    assert "1 images have more than one label" in notes
    assert f"1 recordings are in both official splits ({STUDY_A})" in notes
    assert "use 4 names where metadata.csv has 6 classes" in notes
    assert "Blood for Blood - fresh, Normal for Normal clean mucosa" in notes


def test_a_download_that_is_not_complete_names_what_is_missing(folder: Path) -> None:
    (folder / "labelled_images" / "Polyp" / f"{STUDY_B}_100.jpg").unlink()
    found = read(folder)
    assert found.missing == (f"{STUDY_B}_100.jpg",)
    assert found.missing_labels == {"Polyp": 1}


def test_an_image_in_the_folder_of_each_of_its_classes_is_one_image(folder: Path) -> None:
    original = folder / "labelled_images" / "Pylorus" / f"{STUDY_A}_31.jpg"
    copy = folder / "labelled_images" / "Erosion" / original.name
    copy.parent.mkdir()
    copy.write_bytes(original.read_bytes())
    assert len(read(folder).images) == 7
    picture(copy, 200)
    with pytest.raises(UserError, match="the same name and are different images") as caught:
        read(folder)
    assert original.name in caught.value.message


def test_png_files_under_the_names_of_the_table_are_found(folder: Path) -> None:
    (folder / "labelled_images" / "Polyp" / f"{STUDY_B}_100.jpg").unlink()
    picture(folder / "images" / "Polyp" / f"{STUDY_B}_100.png")
    assert read(folder).missing == ()


def test_the_table_may_have_commas(folder: Path) -> None:
    table = folder / "metadata.csv"
    text(table, table.read_text(encoding="utf-8").replace(";", ","))
    assert len(read(folder).images) == 7


def test_videos_are_found(folder: Path) -> None:
    text(folder / "unlabelled_videos" / "aaaa.mp4", "no video")
    text(folder / "unlabelled_videos" / "readme.txt", "no video")
    assert [video.study for video in read(folder).videos] == ["aaaa"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("frame_number", "number"), "has no column frame_number"),
        ((";31;", ";thirty;"), "frame number of"),
        ((";10;5;", ";ten;5;"), "corners of"),
    ],
)
def test_a_table_that_is_none_is_a_sentence(folder: Path, change: tuple[str, str], said: str) -> None:
    table = folder / "metadata.csv"
    text(table, table.read_text(encoding="utf-8").replace(*change))
    with pytest.raises(UserError, match=said):
        read(folder)


def test_a_folder_without_the_table_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"metadata\.csv does not exist"):
        read(tmp_path)


def test_the_official_files(shared_data: Path) -> None:
    folder = shared_data / "kvasir_capsule"
    found = read(folder)
    there = len(list((folder / "labelled_images").rglob("*.jpg")))
    assert len(found.images) == there
    assert len(found.missing) == 47_229 - there
    assert sum(found.missing_labels.values()) + sum(len(image.labels) for image in found.images) == 47_238
    assert len(found.missing_labels) == 14
    notes = " ".join(found.notes)
    assert "47,248 rows for 47,229 images" in notes
    assert "7 recordings are in both official splits" in notes
    assert "use 11 names where metadata.csv has 14 classes" in notes
    assert "Erythematous for Erythema" in notes
    assert "Ileo-cecal valve for Ileocecal valve" in notes
    assert "none for Ampulla of Vater, Blood - hematin, Polyp" in notes


def test_images_that_the_table_does_not_name_are_counted(folder: Path) -> None:
    picture(folder / "labelled_images" / "Polyp" / "stray.jpg")
    found = read(folder)
    assert len(found.images) == 7
    assert (
        "1 images are not named in metadata.csv and are left out, such as labelled_images/Polyp/stray.jpg."
        in found.notes
    )
