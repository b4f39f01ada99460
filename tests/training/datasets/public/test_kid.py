"""KID 1 and 2: folders of kinds, masks beside the images."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import mask, picture
from training.datasets.public.class_folders import KINDS_2, read_kid_1, read_kid_2
from training.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "kid-dataset-2"
    for kind in KINDS_2:
        picture(root / kind / "1.png")
    mask(root / "vascular" / "1m.png", [(3, 4, 20, 30)])
    return root


def test_kid_2(folder: Path) -> None:
    found = read_kid_2(folder)
    by_kind = {image.labels[0]: image for image in found.images}
    assert set(by_kind) == set(KINDS_2)
    assert len(found.images) == len(KINDS_2)
    assert by_kind["vascular"].mask == "vascular/1m.png"
    assert by_kind["normal-small-bowel"].region == "small bowel"
    assert found.missing == ()


def test_a_kind_without_a_folder_is_missing(folder: Path) -> None:
    (folder / "polypoid" / "1.png").unlink()
    assert read_kid_2(folder).missing == ("polypoid/",)
    picture(folder / "polypoids" / "1.png")
    assert read_kid_2(folder).missing == ()


def test_kid_1_takes_any_kind_and_may_lie_deeper(tmp_path: Path) -> None:
    picture(tmp_path / "kid-dataset-1" / "active bleeding" / "bleeding3.png")
    picture(tmp_path / "kid-dataset-1" / "active bleeding" / "storm.png")
    mask(tmp_path / "kid-dataset-1" / "active bleeding" / "bleeding3m.png", [(1, 1, 9, 9)])
    found = read_kid_1(tmp_path)
    assert [(image.path.rsplit("/", 1)[-1], bool(image.mask)) for image in found.images] == [
        ("bleeding3.png", True),
        ("storm.png", False),
    ]
    assert {image.labels for image in found.images} == {("active bleeding",)}


def test_no_folders_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "1.png")
    with pytest.raises(UserError, match="no folders with images"):
        read_kid_1(tmp_path)
    with pytest.raises(UserError, match="no folder"):
        read_kid_2(tmp_path / "nowhere")
