"""WCEBleedGen: two kinds of frames, boxes as text, masks that are no frames."""

from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture, text
from training.datasets.public.box_files import read_wcebleedgen as read
from training.datasets.public.boxes import empty_in
from training.datasets.public.layout import PublishedBox
from training.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two bleeding frames (the first with two boxes) and one other, as in the archive."""
    root = tmp_path / "WCEBleedGen"
    for number in (1, 2):
        picture(root / "bleeding" / "Images" / f"img- ({number}).png")
        picture(root / "bleeding" / "Annotations" / f"ann- ({number}).png")
    picture(root / "non-bleeding" / "images" / "img- (1).png")
    picture(root / "non-bleeding" / "annotation" / "ann- (1).png")
    boxes = root / "bleeding" / "Bounding boxes"
    text(boxes / "TXT" / "img- (1).txt", "4 6 20 30 22 2 40 12\n")
    text(boxes / "YOLO_TXT" / "img- (1).txt", "0 0.5 0.5 0.1 0.1\n")
    text(boxes / "YOLO_TXT" / "img- (2).txt", "0 0.5 0.25 0.5 0.5\n")
    return root


def test_frames_and_boxes(folder: Path) -> None:
    found = {image.path: image for image in read(folder).images}
    assert set(found) == {
        "bleeding/Images/img- (1).png",
        "bleeding/Images/img- (2).png",
        "non-bleeding/images/img- (1).png",
    }
    assert found["bleeding/Images/img- (1).png"].boxes == (
        PublishedBox("bleeding", 4, 6, 20, 30),
        PublishedBox("bleeding", 22, 2, 40, 12),
    )
    shares = PublishedBox("bleeding", 0.25, 0.0, 0.75, 0.5, is_relative=True)
    assert found["bleeding/Images/img- (2).png"].boxes == (shares,)
    other = found["non-bleeding/images/img- (1).png"]
    assert (other.labels, other.boxes) == (("non-bleeding",), ())


def test_some_copies_name_the_folder_of_shares_otherwise(folder: Path) -> None:
    boxes_folder = folder / "bleeding" / "Bounding boxes"
    (boxes_folder / "YOLO_TXT").rename(boxes_folder / "YOLO-TXT")
    boxes = {image.path: image.boxes for image in read(folder).images}
    assert boxes["bleeding/Images/img- (2).png"] == (PublishedBox("bleeding", 0.25, 0.0, 0.75, 0.5, is_relative=True),)
    assert len(boxes["bleeding/Images/img- (1).png"]) == 2


def test_boxes_that_enclose_nothing_are_kept_for_who_counts_them(folder: Path) -> None:
    text(folder / "bleeding" / "Bounding boxes" / "TXT" / "img- (1).txt", "4 6 4 30\n")
    found = read(folder)
    assert empty_in(found.images) == ["bleeding/Images/img- (1).png"]
    assert "1 bleeding frames have no box." in found.notes


def test_what_is_missing(folder: Path) -> None:
    (folder / "bleeding" / "Images" / "img- (2).png").unlink()
    (folder / "non-bleeding" / "images" / "img- (1).png").unlink()
    assert read(folder).missing == ("non-bleeding/images/", "img- (2) (image)")


def test_a_file_without_four_numbers_for_each_box_is_a_sentence(folder: Path) -> None:
    text(folder / "bleeding" / "Bounding boxes" / "TXT" / "img- (1).txt", "4 6 20\n")
    with pytest.raises(UserError, match="four numbers for each box"):
        read(folder)


def test_another_folder_is_a_sentence(tmp_path: Path) -> None:
    picture(tmp_path / "elsewhere" / "a.png")
    with pytest.raises(UserError, match="neither bleeding/Images nor"):
        read(tmp_path)


def test_what_is_not_read_is_counted(folder: Path) -> None:
    picture(folder / "bleeding" / "Predictions" / "p.png")
    picture(folder / "cover.png")
    notes = read(folder).notes
    assert "3 masks are not read, because boxes mark the bleeding (such as bleeding/Annotations/ann- (1).png)." in notes
    assert "2 images are in other folders and are left out, such as bleeding/Predictions/p.png." in notes


def test_a_box_file_that_is_no_text_is_named(folder: Path) -> None:
    (folder / "bleeding" / "Bounding boxes" / "YOLO_TXT" / "img- (2).txt").write_bytes(b"\xff")
    with pytest.raises(UserError, match=r"img- \(2\)\.txt cannot be read as text"):
        read(folder)
