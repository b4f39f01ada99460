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
    assert found.notes == ("1 images are in no class folder and are left out, such as loose.png.",)


def test_no_classes_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "loose.png")
    with pytest.raises(UserError, match="no folders with images"):
        read(tmp_path)
