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
        (("good view", "normal"), "stomach", 1),
        (("dirt", "pylorus", "normal"), "stomach", 2),
        (("no view",), "small bowel", 3),
    ]
    assert {image.study for image in found.images} == {"3"}
    assert found.missing == ("3/frame_000020.PNG", "4/")


def test_numbers_of_tables_may_lack_the_zeros_of_folders(tmp_path: Path) -> None:
    for number in (1, 2):
        text(tmp_path / "Labels" / f"{number}.csv", TABLE)
        picture(tmp_path / f"00{number}" / "frame_000005.PNG")
    picture(tmp_path / "copy" / "2" / "frame_000005.PNG")  # the same name wins
    assert [(image.study, image.path) for image in read(tmp_path).images] == [
        ("1", "001/frame_000005.PNG"),
        ("2", "copy/2/frame_000005.PNG"),
    ]


def test_without_tables_it_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no Labels/\*\.csv"):
        read(tmp_path)


def test_a_table_without_frames_is_a_sentence(folder: Path) -> None:
    text(folder / "Labels" / "3.csv", "index,polyp\n0,1\n")
    with pytest.raises(UserError, match="no column frame"):
        read(folder)


@pytest.mark.parametrize("cell", ["ten", "-5", "1.5", "nan", "inf"])
def test_a_frame_that_is_no_number_is_named(folder: Path, cell: str) -> None:
    text(folder / "Labels" / "3.csv", f"index,frame,polyp\n0,5,0\n\n1,{cell},0\n")
    with pytest.raises(UserError, match=rf"3\.csv, line 4: the frame “{cell}” is not a frame number"):
        read(folder)


def test_what_is_left_out_is_counted(folder: Path) -> None:
    frames = folder / "Galar_Frames_1_to_10"
    for path in ("3/frame_000100.PNG", "9/frame_000005.PNG", "3/cover.png"):
        picture(frames / path)
    text(folder / "Labels" / "3.csv", TABLE + "4,,0,0,0,0,0,0,0,0\n5,5,0,0,0,0,0,0,0,1\n")
    found = read(folder)
    assert len(found.images) == 3
    assert found.images[0].labels == ("good view", "normal")
    said = " ".join(found.notes)
    assert "3 images have no row in a table of labels and are left out, such as " in said
    assert "1 rows of the tables name no frame and are left out." in said
    assert "1 rows of the tables repeat a frame of their table and are left out." in said


def test_frames_one_step_apart_are_successive(folder: Path) -> None:
    lines = ["frame,polyp", *(f"{number},0" for number in (100, 105, 110, 120))]
    text(folder / "Labels" / "3.csv", "\n".join(lines))
    for number in (100, 105, 110, 120):
        picture(folder / "3" / f"frame_{number:06d}.PNG")
    assert [image.frame_number for image in read(folder).images] == [20, 21, 22, 24]
