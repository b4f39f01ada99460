"""VIA and LabelMe: every shape they draw, their ways to name a class, folders of files, other versions."""

import json
from pathlib import Path
from typing import Any

import pytest

from training.datasets.annotations.content import AnnotationFile
from training.datasets.annotations.reading import read_annotations
from training.errors import UserError


def written(path: Path, document: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def read(path: Path) -> AnnotationFile:
    (file,) = read_annotations(path)
    return file


def edges(file: AnnotationFile) -> list[tuple[str, str, float, float, float, float]]:
    return [
        (image.file_name, box.name, *(round(x, 3) for x in (box.x_min, box.y_min, box.x_max, box.y_max)))  # type: ignore[misc]
        for image in file.images
        for box in image.boxes
    ]


def region(shape: dict[str, Any], **said: object) -> dict[str, Any]:
    return {"shape_attributes": shape, "region_attributes": said}


RECT = {"name": "rect", "x": 1, "y": 2, "width": 10, "height": 20}
REGIONS = [
    region(RECT, finding="polyp", quality="good"),
    region({"name": "circle", "cx": 50, "cy": 60, "r": 5.5}, finding="polyp"),
    region({"name": "ellipse", "cx": 50, "cy": 60, "rx": 10, "ry": 5, "theta": 1.5707963267948966}, finding="polyp"),
    region({"name": "polygon", "all_points_x": [5, 9, 7], "all_points_y": [1, 3, 8]}, finding="blood"),
    region({"name": "point", "cx": 1, "cy": 2}, finding="polyp"),
    region({"name": "polygon", "all_points_x": [5], "all_points_y": []}, finding="polyp"),
    region({"name": "rect", "x": "left"}, finding="polyp"),
    region(RECT, quality="bad"),
]
FOUND = [
    ("a.png", "polyp", 1, 2, 11, 22),
    ("a.png", "polyp", 44.5, 54.5, 55.5, 65.5),
    ("a.png", "polyp", 45, 50, 55, 70),
    ("a.png", "blood", 5, 1, 9, 8),
]
LEFT_OUT = {
    ("box", "points and lines have no area"): 1,
    ("box", "the corners are not numbers"): 2,
    ("box", "no class is given"): 1,
}


@pytest.mark.parametrize("version", ["project", "export", "version 1"])
def test_regions_of_via(tmp_path: Path, version: str) -> None:
    regions: object = {str(at): each for at, each in enumerate(REGIONS)} if version == "version 1" else REGIONS
    image = {"filename": "a.png", "size": 9, "regions": regions, "file_attributes": {"finding": "normal"}}
    entries = {"a.png9": image}
    file = read(written(tmp_path / "via.json", {"_via_img_metadata": entries} if version == "project" else entries))
    assert file.format == "VIA"
    assert edges(file) == FOUND
    assert file.images[0].labels == ["normal"]
    assert dict(+file.left_out) == LEFT_OUT


def test_a_checkbox_of_via_is_a_box_for_each_choice(tmp_path: Path) -> None:
    image = {"filename": "a.png", "regions": [region(RECT, kind={"polyp": True, "blood": True, "ulcer": False})]}
    assert [box[1] for box in edges(read(written(tmp_path / "via.json", {"a": image})))] == ["polyp", "blood"]


def test_a_project_of_via_3_is_a_sentence(tmp_path: Path) -> None:
    path = written(tmp_path / "via.json", {"metadata": {}, "file": {}, "view": {}, "attribute": {}, "project": {}})
    with pytest.raises(UserError, match="is a project of VIA 3, which is not read"):
        read_annotations(path)


def labelme(name: str, *shapes: dict[str, Any], **flags: bool) -> dict[str, Any]:
    return {
        "version": "5.5.0",
        "flags": flags,
        "shapes": list(shapes),
        "imagePath": name,
        "imageData": None,
        "imageHeight": 48,
        "imageWidth": 64,
    }


def shape(kind: str, *points: list[object], label: object = "polyp") -> dict[str, Any]:
    return {"label": label, "points": list(points), "shape_type": kind, "group_id": None, "flags": {}}


def test_shapes_of_labelme(tmp_path: Path) -> None:
    document = labelme(
        "..\\pictures\\a.png",
        shape("rectangle", [20, 30], [1, 2]),
        shape("circle", [20, 20], [23, 24]),
        shape("polygon", [5, 1], [9, 3], [7, 8], label="blood"),
        shape("point", [1, 2]),
        shape("line", [1, 2], [5, 6]),
        shape("polygon", [5, 1], [9]),
        shape("rectangle", [1, 2], [3, 4], label=""),
        polyp=True,
        blood=False,
    )
    file = read(written(tmp_path / "a.json", document))
    assert file.format == "LabelMe"
    name = "pictures/a.png"
    assert edges(file) == [
        (name, "polyp", 1, 2, 20, 30),
        (name, "polyp", 15, 15, 25, 25),
        (name, "blood", 5, 1, 9, 8),
    ]
    assert (file.images[0].width, file.images[0].height, file.images[0].labels) == (64, 48, ["polyp"])
    assert dict(+file.left_out) == {
        ("box", "points and lines have no area"): 2,
        ("box", "the corners are not numbers"): 1,
        ("box", "no class is given"): 1,
    }


def test_files_of_labelme_in_a_folder_belong_together(tmp_path: Path) -> None:
    for name in ("b", "a10", "a2"):
        written(tmp_path / f"{name}.json", labelme(f"{name}.png", shape("rectangle", [1, 2], [3, 4])))
    written(tmp_path / "settings.json", {"theme": "dark"})
    file = read(tmp_path)
    assert [image.file_name for image in file.images] == ["a2.png", "a10.png", "b.png"]
    assert file.path == tmp_path


@pytest.mark.parametrize("value", [[], 3, None, "text", {"a": 1}, {"a": {"filename": 1}}, [{"image_id": 1}]])
def test_other_json_is_no_annotation(tmp_path: Path, value: object) -> None:
    assert read_annotations(written(tmp_path / "x.json", value)) == ()
