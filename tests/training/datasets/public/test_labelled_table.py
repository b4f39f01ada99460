"""Images with a table of labels beside them, as people write it."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture, text
from training.datasets.public.labelled_table import is_labelled_table, read_labelled_table
from training.datasets.public.layout import PublishedBox
from training.errors import UserError


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        ("filename,label", True),
        ('\ufeff"Label";"Filename"', True),
        ("filename\tlabel\tgroup", True),
        ("study_id,start,stop,label", False),
        ("", False),
    ],
)
def test_a_table_of_images_is_known_by_its_first_line(tmp_path: Path, head: str, is_one: bool) -> None:
    assert is_labelled_table(text(tmp_path / "labels.csv", f"{head}\n1.png,polyp\n")) == is_one


def test_labels_groups_and_sources_are_read(tmp_path: Path) -> None:
    for name in ("images/1.png", "images/2.png", "images/3.png", "images/4.png"):
        picture(tmp_path / name)
    text(
        tmp_path / "labels.csv",
        "filename,label,group,source\n"
        "1.png,polyp|blood,P1,A\nimages/2.png,normal,P2,B\n.\\images\\2.png, ulcer ,P2,B\n"
        "3.png,,P3,B\ngone.png,x,P4,B\n",
    )
    result = read_labelled_table(tmp_path)
    assert [(image.path, image.labels, image.study, image.source) for image in result.images] == [
        ("images/1.png", ("polyp", "blood"), "P1", "A"),
        ("images/2.png", ("normal", "ulcer"), "P2", "B"),
    ]
    assert result.missing == ("gone.png",)
    assert result.notes == (
        "1 image has no label and is left out: images/3.png.",
        "1 image is not in labels.csv and is left out: images/4.png.",
    )


def test_a_box_surrounds_the_one_finding_of_its_image(tmp_path: Path) -> None:
    for number in range(1, 4):
        picture(tmp_path / f"{number}.png")
    text(tmp_path / "labels.csv", "filename,label\n1.png,polyp\n2.png,polyp|ulcer\n3.png,Normal\n")
    text(
        tmp_path / "boxes.csv",
        "filename,x_min,y_min,x_max,y_max,label\n"
        "1.png,1,2,3,4,\n2.png,1,2,3,4,\n2.png,5,6,7,8,ulcer\n3.png,1,2,3,4,\n9.png,1,2,3,4,\n",
    )
    result = read_labelled_table(tmp_path)
    assert [image.boxes for image in result.images] == [
        (PublishedBox("polyp", 1, 2, 3, 4),),
        (PublishedBox("ulcer", 5, 6, 7, 8),),
        (),
    ]
    assert result.notes == (
        "1 box is of an image that is not labelled, and is left out.",
        "2 boxes are left out: their images have several findings or none, and the boxes do not say which.",
    )


def test_a_table_of_other_images_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "1.png")
    text(tmp_path / "labels.csv", "filename,label\n2.png,polyp\n")
    with pytest.raises(UserError, match=r"None of the 1 images that labels.csv names.*or in a folder images beside it"):
        read_labelled_table(tmp_path)
