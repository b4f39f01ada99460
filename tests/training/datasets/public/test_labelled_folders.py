"""Plain folders of classes."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture
from training.datasets.public.class_folders import read_folders as read
from training.errors import UserError


def test_the_first_folder_is_the_class(tmp_path: Path) -> None:
    picture(tmp_path / "polyp" / "deep" / "2.png")
    picture(tmp_path / "polyp" / "10.png")
    picture(tmp_path / "normal" / "1.JPG")
    picture(tmp_path / "loose.png")
    picture(tmp_path / "__MACOSX" / "polyp" / "x.png")
    picture(tmp_path / ".hidden" / "x.png")
    found = read(tmp_path)
    assert [(image.path, image.labels) for image in found.images] == [
        ("normal/1.JPG", ("normal",)),
        ("polyp/10.png", ("polyp",)),
        ("polyp/deep/2.png", ("polyp",)),
    ]
    assert found.notes == ("1 image is in no class folder and is left out: loose.png.",)


def test_no_classes_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "loose.png")
    with pytest.raises(UserError, match="no folders with images"):
        read(tmp_path)


def test_a_folder_of_a_joined_set_below_the_class_is_the_source(tmp_path: Path) -> None:
    name = f"{'0123456789abcdef'}_12.jpg"
    picture(tmp_path / "Polyp" / "KVASIR" / name)
    picture(tmp_path / "Polyp" / "SEE-AI" / "image1.jpg")
    assert [(image.source, image.study) for image in read(tmp_path).images] == [
        ("KVASIR", "0123456789abcdef"),
        ("SEE-AI", ""),
    ]


def test_a_table_of_labels_wins_over_the_folders(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "1.png")
    (tmp_path / "labels.csv").write_text("filename,label\n1.png,polyp\n", encoding="utf-8")
    assert [image.labels for image in read(tmp_path).images] == [("polyp",)]
