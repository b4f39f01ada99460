"""CAD-CAP: three folders, masks beside the images, parts."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import mask, picture
from training.datasets.public.class_folders import read_cad_cap as read
from training.errors import UserError


def test_the_three_folders(tmp_path: Path) -> None:
    for kind in ("normal", "inflammatory", "vascularlesions"):
        picture(tmp_path / "training" / kind / "1.jpg")
    mask(tmp_path / "training" / "inflammatory" / "1_a.jpg", [(8, 8, 30, 30)])
    picture(tmp_path / "test" / "17.jpg")
    found = read(tmp_path)
    assert {(image.labels, image.split, bool(image.mask)) for image in found.images} == {
        (("normal",), "training", False),
        (("inflammatory",), "training", True),
        (("vascularlesions",), "training", False),
    }
    assert found.missing == ()
    assert "1 images are in other folders" in " ".join(found.notes)
    assert "No image of vascularlesions has a mask." in found.notes


def test_a_folder_that_is_not_there_is_missing(tmp_path: Path) -> None:
    picture(tmp_path / "normal" / "1.jpg")
    assert read(tmp_path).missing == ("inflammatory/", "vascularlesions/")


def test_none_of_the_folders_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "polyps" / "1.jpg")
    with pytest.raises(UserError, match="none of the folders normal, inflammatory, vascularlesions"):
        read(tmp_path)
