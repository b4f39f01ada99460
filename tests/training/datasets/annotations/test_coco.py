"""COCO export: numbers, corners, where boxes come from, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from training.datasets.annotations.coco import coco_document, frame_name, write_coco
from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
from training.errors import UserError

BLOOD = [
    AnnotatedBox("blood", 10, 20, 50, 40, source="suggestion", score=0.75),
    AnnotatedBox("blood", 100, 100, 101.5, 101, source="accepted", score=0.5),
]
POLYP = AnnotatedBox("polyp", -5, 90, 20, 130)


def loose(*boxes: AnnotatedBox) -> AnnotatedImage:
    return AnnotatedImage("loose.jpg", 100, 100, boxes=list(boxes))


IMAGES = [
    AnnotatedImage(frame_name("P1a", 12), 320, 240, "P1a", 12, 0.48, boxes=BLOOD),
    AnnotatedImage(frame_name("P1a", 13), 320, 240, "P1a", 13, 0.52),
    loose(POLYP),
]


def document(**changes: Any) -> dict[str, Any]:
    """The three images and boxes."""
    given = {"model_id": "demo", "method": "Score-CAM, layer4", "settings": {"threshold": 0.5}} | changes
    return coco_document(IMAGES, **given)


def test_every_box_names_its_image_and_its_class() -> None:
    made = document(categories=("polyp",))
    names = {row["id"]: row["name"] for row in made["categories"]}
    files = {row["id"]: row["file_name"] for row in made["images"]}
    told = [(files[row["image_id"]], names[row["category_id"]], row["source"]) for row in made["annotations"]]
    assert told == [(image.file_name, box.name, box.source) for image in IMAGES for box in image.boxes]
    assert names == {1: "polyp", 2: "blood"}
    assert len({row["id"] for row in made["annotations"]}) == 3
    assert [row.get("score") for row in made["annotations"]] == [0.75, 0.5, None]


def test_boxes_are_corner_and_size_inside_the_image() -> None:
    rows = document()["annotations"]
    assert rows[0]["bbox"] == [10, 20, 40, 20]
    assert rows[0]["area"] == 800
    assert rows[2]["bbox"] == [0, 90, 20, 10]
    assert rows[1]["bbox"] == [100, 100, 1.5, 1]


def test_frames_without_a_box_stay_and_say_where_they_come_from() -> None:
    images = document()["images"]
    assert images[1]["frame_index"] == 13
    assert images[1]["video_seconds"] == 0.52
    assert set(images[2]) == {"id", "file_name", "width", "height"}


def test_model_and_method_stand_in_the_file(tmp_path: Path) -> None:
    write_coco(tmp_path / "boxes.json", document(created_utc="2026-01-01T00:00:00+00:00"))
    info = json.loads((tmp_path / "boxes.json").read_text(encoding="utf-8"))["info"]
    assert (info["model"], info["method"], info["settings"]) == ("demo", "Score-CAM, layer4", {"threshold": 0.5})
    assert "Research use only" in info["description"]
    assert [path.name for path in tmp_path.iterdir()] == ["boxes.json"]


@pytest.mark.parametrize(
    ("images", "said"),
    [
        ([loose(), loose(POLYP)], "in the export twice"),
        ([loose(AnnotatedBox("polyp", 5, 5, 5, 9))], "empty or outside"),
        ([loose(AnnotatedBox("polyp", 120, 5, 130, 9))], "empty or outside"),
        ([loose(AnnotatedBox("polyp", float("nan"), 5, 7, 9))], "not a number"),
    ],
)
def test_what_no_detector_could_read_is_refused(images: list[AnnotatedImage], said: str) -> None:
    with pytest.raises(UserError, match=said):
        coco_document(images)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        write_coco(tmp_path / "nowhere" / "boxes.json", document())
