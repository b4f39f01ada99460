"""Galar: a table for each recording, columns of 0 and 1."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture, text
from training.datasets.public.galar import read
from training.errors import UserError

TABLE = """index,frame,good view,no view,dirt,stomach,small intestine,pylorus,blood,polyp
0,5,1,0,0,1,0,0,0,0
1,10,0,0,1,1,0,1,0,0
2,15,0,1,0,0,1,0,0,0
3,20,1,0,0,0,1,0,1,1.0
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text(tmp_path / "Labels" / "3.csv", TABLE)
    text(tmp_path / "Labels" / "4.csv", TABLE)
    for number in (5, 10, 15):
        picture(tmp_path / "Galar_Frames_1_to_10" / "3" / f"frame_{number:06d}.PNG")
    return tmp_path


def test_columns_become_labels_and_regions(folder: Path) -> None:
    found = read(folder)
    assert [(image.labels, image.region, image.frame_number) for image in found.images] == [
        (("good view", "normal"), "stomach", 5),
        (("dirt", "pylorus", "normal"), "stomach", 10),
        (("no view",), "small bowel", 15),
    ]
    assert {image.study for image in found.images} == {"3"}
    assert found.missing == ("3/frame_000020.PNG", "4/")


def test_without_tables_it_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no Labels/\*\.csv"):
        read(tmp_path)


def test_a_table_without_frames_is_a_sentence(folder: Path) -> None:
    text(folder / "Labels" / "3.csv", "index,polyp\n0,1\n")
    with pytest.raises(UserError, match="no column frame"):
        read(folder)
