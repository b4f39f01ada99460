"""YOLO's folders: names of classes however they are written, boxes and outlines in shares of the image."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage, AnnotationFile
from training.datasets.annotations.reading import read_annotations
from training.datasets.annotations.yolo import names_of, write_yolo
from training.errors import UserError
from training.files.markup_text import yaml_object


def folder_with(place: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return place


def read(place: Path) -> AnnotationFile:
    (file,) = read_annotations(place)
    return file


@pytest.mark.parametrize(
    "text",
    [
        "names: [polyp, 'foreign body', \"blood\"]",
        "path: .\nnames:\n  - polyp\n  - foreign body # thing\n\n  - 'blood'\nnc: 3",
        'names:\n  0: polyp\n  1: "foreign body"\n  2: blood\n',
        "names: {0: polyp, 2: blood, 1: 'foreign body'}",
        "nc: 3\nnames: [polyp,\n  foreign body,\n  blood]\n",
    ],
)
def test_names_of_classes_are_read_however_they_are_written(text: str) -> None:
    assert names_of(yaml_object(text)) == ["polyp", "foreign body", "blood"]


@pytest.mark.parametrize(("text", "names"), [("", []), ("names:", []), ("names: {1: a}", ["", "a"]), ("nc: 3", [])])
def test_names_that_are_not_there(text: str, names: list[str]) -> None:
    assert names_of(yaml_object(text)) == names


def test_boxes_and_outlines_are_shares_of_their_image(tmp_path: Path) -> None:
    place = folder_with(
        tmp_path,
        {
            "data.yaml": "names: [polyp, blood]",
            "labels/train/a.txt": "0 0.5 0.5 0.2 0.4\n1 0.1 0.2 0.5 0.3 0.3 0.9\n\n0 0.5 0.5 0.1 0.1 0.87\n",
            "labels/b.txt": "",
            "notes.txt": "not a file of boxes",
        },
    )
    (place / "images" / "train").mkdir(parents=True)
    cv2.imwrite(str(place / "images" / "train" / "a.png"), np.zeros((48, 64, 3), np.uint8))
    file = read(place)
    first, second = sorted(file.images, key=lambda image: image.file_name)
    assert (first.file_name, first.width, first.height) == ("b", None, None)
    assert (second.file_name, second.width, second.height) == ("images/train/a.png", 64, 48)
    edges = [(box.name, *(round(x, 6) for x in (box.x_min, box.y_min, box.x_max, box.y_max))) for box in second.boxes]
    assert edges == [("polyp", 0.4, 0.3, 0.6, 0.7), ("blood", 0.1, 0.2, 0.5, 0.9), ("polyp", 0.45, 0.45, 0.55, 0.55)]
    assert all(box.is_relative for box in second.boxes)


def test_lines_that_are_no_boxes_are_counted(tmp_path: Path) -> None:
    lines = "0 0.5 0.5 0.2\n-1 0.5 0.5 0.2 0.2\n0.5 0.5 0.5 0.2 0.2\nx 0 0 0 0\n0 0.5 nan 0.2 0.2\n0 0.5 0.5 0 0.2\n"
    place = folder_with(tmp_path, {"classes.txt": "polyp\n", "a.txt": f"{lines}0 0.5 0.5 0.2 0.2\n7 0.5 0.5 0.1 0.1\n"})
    file = read(place / "classes.txt")
    assert [box.name for box in file.images[0].boxes] == ["polyp", "class 7"]
    assert dict(+file.left_out) == {
        ("box", "its line is not one of YOLO"): 4,
        ("box", "the corners are not numbers"): 1,
        ("box", "nothing lies inside"): 1,
    }


def test_classes_without_names_are_a_sentence(tmp_path: Path) -> None:
    place = folder_with(tmp_path, {"data.yaml": "nc: 2\n", "labels/a.txt": "0 0.5 0.5 0.2 0.2\n"})
    with pytest.raises(UserError, match="does not say what its classes are called"):
        read_annotations(place)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    boxes = [AnnotatedBox("blood", 1, 2, 33, 40), AnnotatedBox('a "b": c, d', 0, 0, 64, 48)]
    images = [AnnotatedImage("P-frame-000001.png", 64, 48, boxes=boxes), AnnotatedImage("P-frame-000002.png", 64, 48)]
    write_yolo(tmp_path, images, ["blood", 'a "b": c, d'])
    file = read(tmp_path)
    assert [image.file_name for image in file.images] == ["P-frame-000001", "P-frame-000002"]
    found = [
        (box.name, box.x_min * 64, box.y_min * 48, box.x_max * 64, box.y_max * 48)
        for image in file.images
        for box in image.boxes
    ]
    assert [each[0] for each in found] == ["blood", 'a "b": c, d']
    assert np.allclose([each[1:] for each in found], [(1, 2, 33, 40), (0, 0, 64, 48)], atol=1e-5)


@pytest.mark.parametrize(
    ("lines", "boxes"),
    [
        ("0 0.5 0.5 0.2 0.2 0.91 7", [(0.4, 0.4, 0.6, 0.6)]),
        ("0 0.5 0.5 0.2 0.2 0.9 1\n0 0.5 0.5 0.4 0.4 0.9 2", [(0.4, 0.4, 0.6, 0.6), (0.3, 0.3, 0.7, 0.7)]),
        ("0 0.1 0.1 0.3 0.1 0.2 0.4", [(0.1, 0.1, 0.3, 0.4)]),
        ("0 0.1 0.1 0.3 0.1 0.2 0.4\n0 0.1 0.1 0.3 0.1 1 1", [(0.1, 0.1, 0.3, 0.4), (0.1, 0.1, 1, 1)]),
        ("0 0.5 0.5 0.2 0.2 0.9 1\n0 0.5 0.5 0.2 0.2 0.9 0", []),
        ("0 0.5 0.5 0.2 0.2 0.9 7\n0 0.1 0.1 0.3 0.1 0.2 0.4", []),
        ("0 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4 0.93", [(0.1, 0.1, 0.3, 0.4)]),
        ("0 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4\n0 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4 0.5", [(0.1, 0.1, 0.3, 0.4)]),
        ("0 0.1 0.1 0.3 0.1 0.3 0.4 0.93 12", []),
        ("0 0.5 0.5 0.2 0.2 37", []),
    ],
)
def test_what_numbers_mean_is_decided_for_the_whole_set(
    tmp_path: Path, lines: str, boxes: list[tuple[float, float, float, float]]
) -> None:
    files = {f"labels/{at}.txt": line for at, line in enumerate(lines.splitlines())}
    file = read(folder_with(tmp_path, {"data.yaml": "names: [polyp]", **files}))
    found = [tuple(round(x, 3) for x in (b.x_min, b.y_min, b.x_max, b.y_max)) for i in file.images for b in i.boxes]
    assert found == boxes
    assert len(boxes) + sum(file.left_out.values()) == len(files)


@pytest.mark.parametrize(("shape", "points"), [("[2, 2]", "0.1 0.4 0.6 0.9"), ("[2,3]", "0.1 0.4 2 0.6 0.9 1")])
@pytest.mark.parametrize("score", ["", " 0.9"])
def test_key_points_behind_a_box_are_no_outline(tmp_path: Path, shape: str, points: str, score: str) -> None:
    files = {"data.yaml": f"kpt_shape: {shape}\nnames: [polyp]", "a.txt": f"0 0.5 0.5 0.2 0.4 {points}{score}\n"}
    (image,) = read(folder_with(tmp_path, files)).images
    assert [(round(box.x_min, 6), round(box.y_max, 6)) for box in image.boxes] == [(0.4, 0.7)]
