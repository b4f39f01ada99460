"""SEE-AI: images and YOLO files under the doubled folders of the archive."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture, text
from training.datasets.public.box_files import read_see_ai as read
from training.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    images = tmp_path / "SEE_AI_project_all_images" / "SEE_AI_project_all_images"
    texts = tmp_path / "SEE_AI_project_all_txt" / "SEE_AI_project_all_txt"
    for number in (1, 2, 3):
        picture(images / f"image0000{number}.jpg")
    text(texts / "image00001.txt", "1 0.5 0.5 0.2 0.2\n9 0.25 0.5 0.1 0.3\n1 0.1 0.1 0.1 0.1\n")
    text(texts / "image00002.txt", "")
    text(texts / "image00009.txt", "0 0.5 0.5 0.2 0.2\n")
    return tmp_path


def test_labels_come_from_boxes_and_an_empty_file_is_normal(folder: Path) -> None:
    found = read(folder)
    first, second, third = found.images
    assert first.labels == ("erosion", "erythema")
    assert [box.label for box in first.boxes] == ["erosion", "erythema", "erosion"]
    assert (first.boxes[1].x_min, first.boxes[1].y_max, first.boxes[1].is_relative) == (0.2, 0.65, True)
    assert second.labels == ("normal",)
    assert third.labels == ()
    assert found.missing == ("image00009.jpg",)
    assert any("1 images have no text file" in note for note in found.notes)


@pytest.mark.parametrize(
    "line",
    [
        "12 0.5 0.5 0.2 0.2",
        "-1 0.5 0.5 0.2 0.2",
        "1 0.5 0.5 0.2",
        "erosion 1 2 3 4",
        "inf 0.5 0.5 0.2 0.2",
        "1.5 0.5 0.5 0.2 0.2",
        "1 nan 0.5 0.2 0.2",
    ],
)
def test_a_line_that_is_no_box_is_named(folder: Path, line: str) -> None:
    path = folder / "SEE_AI_project_all_txt" / "SEE_AI_project_all_txt" / "image00002.txt"
    text(path, f"0 0.5 0.5 0.2 0.2\n{line}\n")
    with pytest.raises(UserError, match=r"image00002\.txt, line 2"):
        read(folder)


def test_without_text_files_it_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "image00001.jpg")
    with pytest.raises(UserError, match=r"no image\*\.txt"):
        read(tmp_path)


def test_a_file_that_is_no_text_is_named(folder: Path) -> None:
    path = folder / "SEE_AI_project_all_txt" / "SEE_AI_project_all_txt" / "image00002.txt"
    path.write_bytes(b"0 0.5 0.5 0.2 0.2 \xff\xfe")
    with pytest.raises(UserError, match=r"image00002\.txt cannot be read as text"):
        read(folder)


def test_images_of_other_names_are_counted(folder: Path) -> None:
    picture(folder / "demo" / "result.png")
    assert (
        "1 images have names that do not start with “image” and are left out, such as demo/result.png."
        in read(folder).notes
    )
