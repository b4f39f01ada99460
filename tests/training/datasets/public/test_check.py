"""Copies of one picture under several names."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture
from training.datasets.public import check
from training.datasets.public.class_folders import read_folders as read
from training.runs.reporter import SilentReporter


def test_copies_and_those_with_another_label(tmp_path: Path) -> None:
    for number in range(3):
        picture(tmp_path / "polyp" / f"{number}.png", 40 + number)
    assert check.copies_sentence(tmp_path, read(tmp_path).images, SilentReporter()) == ""
    picture(tmp_path / "polyp" / "again.png", 40)
    picture(tmp_path / "normal" / "same.png", 41)
    said = check.copies_sentence(tmp_path, read(tmp_path).images, SilentReporter())
    assert said.startswith("2 of the images are exact copies of others")
    assert "; 1 images have several names with different labels" in said
    assert "normal/same.png and polyp/1.png" in said


def test_a_large_set_is_not_read_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture(tmp_path / "polyp" / "0.png")
    picture(tmp_path / "polyp" / "1.png")
    monkeypatch.setattr(check, "MOST_IMAGES", 1)
    assert "not checked" in check.copies_sentence(tmp_path, read(tmp_path).images, SilentReporter())
