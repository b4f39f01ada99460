"""Capsule Vision 2024: parts, classes, sources."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import STUDY_A, picture, text
from training.datasets.public.class_folders import read_capsule_vision as read
from training.errors import UserError


def test_parts_classes_and_recordings(tmp_path: Path) -> None:
    picture(tmp_path / "Dataset" / "training" / "Foreign Body" / "KVASIR" / f"{STUDY_A}_7.jpg")
    picture(tmp_path / "Dataset" / "training" / "Worms" / "AIIMS" / "w1.jpg")
    text(tmp_path / "Dataset" / "training" / "training_data.xlsx", "")
    picture(tmp_path / "Dataset" / "test" / "Worms" / "w2.jpg")
    found = read(tmp_path)
    assert [image.frame_number for image in found.images] == [7, None]
    assert [image.source for image in found.images] == ["KVASIR", "AIIMS"]
    left_out = "such as Dataset/test/Worms/w2.jpg."
    assert f"1 images are not in a class folder of training or validation and are left out, {left_out}" in found.notes
    assert [(image.labels, image.study, image.split) for image in found.images] == [
        (("Foreign Body",), STUDY_A, "training"),
        (("Worms",), "", "training"),
    ]
    assert found.missing == ("validation/",)
    assert any("same patient" in note or "one patient" in note for note in found.notes)


def test_another_folder_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "Worms" / "w1.jpg")
    with pytest.raises(UserError, match="neither training/<class> nor validation/<class>"):
        read(tmp_path)
