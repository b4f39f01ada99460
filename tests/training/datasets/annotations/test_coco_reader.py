"""COCO files: what can be used, and why the rest cannot."""

import json
from pathlib import Path
from typing import Any

import pytest

from training.datasets.annotations.content import AnnotationFile
from training.datasets.annotations.reading import read_annotations
from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter

IMAGES = [{"id": 1, "file_name": "a.png", "width": 64, "height": 48}, {"id": 2, "file_name": "sub/b.png"}]
CLASSES = [{"id": 7, "name": "polyp"}, {"id": 8, "name": "blood"}]


def box(image: object = 1, category: object = 7, bbox: object = (1, 2, 10, 20), **more: object) -> dict[str, Any]:
    return {"image_id": image, "category_id": category, "bbox": list(bbox) if isinstance(bbox, tuple) else bbox, **more}


def read(
    folder: Path, annotations: object, images: object = IMAGES, categories: object = CLASSES, **more: object
) -> AnnotationFile:
    path = folder / "boxes.json"
    document = {"images": images, "annotations": annotations, "categories": categories, **more}
    path.write_text(json.dumps(document), encoding="utf-8")
    (file,) = read_annotations(path)
    return file


def corners(file: AnnotationFile) -> list[tuple[str, str, float, float, float, float]]:
    return [
        (image.file_name, each.name, each.x_min, each.y_min, each.x_max, each.y_max)
        for image in file.images
        for each in image.boxes
    ]


def test_an_empty_box_is_the_one_around_its_outline(tmp_path: Path) -> None:
    outline = [[10, 10, 40, 10, 40, 30, 10, 30]]
    file = read(tmp_path, [box(bbox=bbox, segmentation=outline) for bbox in ([], [0, 0, 0, 0], [1, 1, 5, 0], None)])
    assert corners(file) == [("a.png", "polyp", 10, 10, 40, 30)]  # the same four times
    assert read(tmp_path, [box(bbox=[0, 0, 0, 0])]).left_out["box", "nothing lies inside"] == 1


def test_ids_that_are_text_in_one_place_and_numbers_in_another_are_matched(tmp_path: Path) -> None:
    file = read(tmp_path, [box("1", "7"), box(2.0, "8"), box("01", 7)])
    assert [each[:2] for each in corners(file)] == [("a.png", "polyp"), ("sub/b.png", "blood")]
    assert file.left_out["box", "its image is not in the file"] == 1


def test_a_number_that_is_none_spoils_only_its_box(tmp_path: Path) -> None:
    path = tmp_path / "boxes.json"
    document = {"images": IMAGES, "categories": CLASSES, "annotations": [box(), box(2), box(bbox=[1, 2, 3, 1.5])]}
    text = json.dumps(document).replace("1.5", "NaN")
    path.write_text(text.replace('"id": 8', '"id": 8, "score": -Infinity'), encoding="utf-8")
    (file,) = read_annotations(path)
    assert [each[0] for each in corners(file)] == ["a.png", "sub/b.png"]
    assert file.where["box", "the corners are not numbers"] == ["a.png"]


def test_boxes_are_found_by_the_ids_of_image_and_class(tmp_path: Path) -> None:
    file = read(tmp_path, [box(id=1), box(2, 8, (0.5, 0.25, 3, 4), id=2)])
    assert corners(file) == [("a.png", "polyp", 1, 2, 11, 22), ("sub/b.png", "blood", 0.5, 0.25, 3.5, 4.25)]
    assert [(image.width, image.height) for image in file.images] == [(64, 48), (None, None)]
    assert not +file.left_out
    assert file.notes == []


def test_an_outline_without_a_box_becomes_the_box_around_it(tmp_path: Path) -> None:
    outline = {"image_id": 1, "category_id": 7, "segmentation": [[5, 9, 30, 4, 20, 40], [2, 10, 3, 11]]}
    assert corners(read(tmp_path, [outline])) == [("a.png", "polyp", 2, 4, 30, 40)]


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        (box(9), "its image is not in the file"),
        (box(None), "its image is not in the file"),
        (box(1, 99), "its class has no name in the file"),
        (box(bbox=(1, 2, 3)), "the corners are not numbers"),
        (box(bbox=(1, 2, "wide", 3)), "the corners are not numbers"),
        (box(bbox=(1, 2, True, 3)), "the corners are not numbers"),
        (box(bbox=(1, 2, 1e300, 3)), "the corners are not numbers"),
        (box(bbox=(1, 2, 0, 3)), "nothing lies inside"),
        (box(bbox=(1, 2, -4, 3)), "nothing lies inside"),
        (box(bbox=None), "it has neither a box nor an outline"),
        (box(bbox=None, segmentation={"counts": "x", "size": [4, 4]}), "it has neither a box nor an outline"),
        (box(bbox=None, segmentation=[]), "the corners are not numbers"),
        (box(source="suggestion"), "a model suggested it and nobody accepted it"),
        ("text", "it has neither a box nor an outline"),
    ],
)
def test_what_cannot_be_used_is_counted_with_its_reason(tmp_path: Path, annotation: object, reason: str) -> None:
    file = read(tmp_path, [annotation, box()])
    assert sum(len(image.boxes) for image in file.images) == 1
    assert dict(+file.left_out) == {("box", reason): 1}


def test_an_id_of_several_images_or_classes_leads_to_none(tmp_path: Path) -> None:
    images = [*IMAGES, {"id": 1, "file_name": "c.png"}, {"id": 1, "file_name": "d.png"}, IMAGES[1]]
    categories = [*CLASSES, {"id": 8, "name": "ulcer"}, {"id": 7, "name": "polyp"}]
    file = read(tmp_path, [box(1), box(2, 8), box(2)], images, categories)
    assert corners(file) == [("sub/b.png", "polyp", 1, 2, 11, 22)]
    assert dict(+file.left_out) == {
        ("image", "several images have the same id"): 3,
        ("box", "several images have the same id"): 1,
        ("box", "several classes have the same id"): 1,
    }


def test_boxes_that_share_an_id_are_kept_and_copies_are_not(tmp_path: Path) -> None:
    file = read(tmp_path, [box(id=5), box(2, id=5), box(id=5), box(id=None), box(1, 8, id=None)])
    assert corners(file) == [
        ("a.png", "polyp", 1, 2, 11, 22),
        ("a.png", "blood", 1, 2, 11, 22),
        ("sub/b.png", "polyp", 1, 2, 11, 22),
    ]
    assert dict(+file.left_out) == {("box", "the same box is in the file twice"): 2}
    assert file.notes == ["Ids that repeat among the boxes: 2. The boxes are kept, their ids are not used."]


def test_a_file_of_another_kind_is_none_of_coco(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"studies": []}', encoding="utf-8")
    assert read_annotations(path) == ()
    path.write_text('{"images": [', encoding="utf-8")
    with pytest.raises(UserError, match=r"other\.json is not a valid annotation file"):
        read_annotations(path)


def test_an_archive_is_to_be_unpacked(tmp_path: Path) -> None:
    (tmp_path / "task.zip").write_bytes(b"PK")
    with pytest.raises(UserError, match=r"task\.zip is an archive, which is not read"):
        read_annotations(tmp_path / "task.zip")


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    class Stops(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    path = tmp_path / "boxes.json"
    path.write_text(json.dumps({"images": IMAGES, "annotations": [box()], "categories": CLASSES}), encoding="utf-8")
    with pytest.raises(Cancelled):
        read_annotations(path, Stops())


def test_a_box_smaller_than_a_pixel_is_left_out_as_a_share(tmp_path: Path) -> None:
    file = read(tmp_path, [box(bbox=[0.1, 0.1, 0.3, 0.2]), box(2, bbox=[0.5, 0.5, 3, 3])])
    assert corners(file) == [("sub/b.png", "polyp", 0.5, 0.5, 3.5, 3.5)]
    assert file.left_out["box", "it is smaller than a pixel, as if its numbers were shares of the image"] == 1
