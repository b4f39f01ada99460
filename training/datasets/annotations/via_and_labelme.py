"""Reads annotations of the VGG Image Annotator, version 1 and 2, and of LabelMe, which has a file for each image.

(https://www.robots.ox.ac.uk/~vgg/software/via/, Dutta and Zisserman, 2019; https://github.com/wkentaro/labelme.)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.datasets.annotations import content
from training.runs.reporter import Reporter, reported

_PROJECT = "_via_img_metadata"
_CLASS_WORDS = ("class", "label", "name", "type", "category", "finding", "object")
"""An attribute of one of these names is the class, where regions have several."""


def is_via(document: object) -> bool:
    """Whether a JSON value is a project of VIA 2 or an export of VIA 1 or 2."""
    if not isinstance(document, dict):
        return False
    if isinstance(document.get(_PROJECT), dict):
        return True
    entries = list(document.values())
    return bool(entries) and all(
        isinstance(each, dict) and "filename" in each and "regions" in each for each in entries
    )


def is_via_3(document: object) -> bool:
    """Whether a JSON value is a project of VIA 3, which annotates by time."""
    return isinstance(document, dict) and all(
        isinstance(document.get(name), dict) for name in ("metadata", "file", "view", "attribute")
    )


def read_via(path: Path, document: Mapping[str, Any], reporter: Reporter) -> content.AnnotationFile:
    """Images with the boxes around their regions.

    The class of a region is its attribute called class, label, name or the like, else the one that most regions have;
    a checkbox gives a box for each choice. Attributes of a file count as labels of the image in the same way.
    """
    file = content.AnnotationFile(path, "VIA")
    entries = document.get(_PROJECT, document)
    images = [each for each in entries.values() if isinstance(each, dict)]
    attribute = _class_attribute(region for each in images for region in _regions(each))
    for entry in reported(images, reporter, "images", "reading", every=1024):
        image = content.AnnotatedImage(content.name_of_file(entry.get("filename")))
        for region in _regions(entry):
            _add_region(file, image, region, attribute)
        said = entry.get("file_attributes")
        if isinstance(said, dict):
            image.labels += _values(said.get(_class_attribute([{"region_attributes": said}])))
        file.images.append(image)
    return file


def _regions(entry: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A list in version 2, numbered in version 1."""
    regions = entry.get("regions")
    values = regions.values() if isinstance(regions, dict) else regions if isinstance(regions, list) else ()
    return [each for each in values if isinstance(each, dict)]


def _class_attribute(regions: Any) -> str:
    counts: Counter[str] = Counter()
    for region in regions:
        said = region.get("region_attributes")
        if isinstance(said, dict):
            counts.update(str(name) for name, value in said.items() if _values(value))
    named = [name for name in counts if name.lower() in _CLASS_WORDS]
    return max(named or counts, key=lambda name: counts[name], default="")


def _values(value: object) -> list[str]:
    """What an attribute says: a text, or the choices of a checkbox that are ticked."""
    if isinstance(value, dict):
        return [name for choice, is_ticked in value.items() if is_ticked is True and (name := content.text(choice))]
    return [name] if (name := content.text(value)) else []


def _add_region(
    file: content.AnnotationFile, image: content.AnnotatedImage, region: Mapping[str, Any], attribute: str
) -> None:
    shape = region.get("shape_attributes")
    said = region.get("region_attributes")
    corners = _corners(shape) if isinstance(shape, dict) else content.NOWHERE
    if corners is None:
        file.leave_out(content.BOX, content.NO_EXTENT, image)
        return
    for name in (_values(said.get(attribute)) if isinstance(said, dict) else []) or [""]:
        file.add_box(image, name, corners)


def _corners(shape: Mapping[str, Any]) -> content.Corners | None:
    """The upright box around a shape; None for points, which have no area."""
    kind = shape.get("name")
    if kind == "rect":
        x, y, width, height = (content.number(shape.get(name)) for name in ("x", "y", "width", "height"))
        return content.sized(x, y, width, height)
    if kind in ("circle", "ellipse"):
        x, y = content.number(shape.get("cx")), content.number(shape.get("cy"))
        across, down = (content.number(shape.get("r" if kind == "circle" else name)) for name in ("rx", "ry"))
        radians = content.number(shape.get("theta"))
        box = (x - across, y - down, x + across, y + down)
        return content.turned(box, 0.0 if math.isnan(radians) else radians * 57.29577951308232)
    if kind in ("polygon", "polyline"):
        xs, ys = shape.get("all_points_x"), shape.get("all_points_y")
        if not isinstance(xs, list) or not isinstance(ys, list) or len(xs) != len(ys):
            return content.NOWHERE
        return content.bounds(zip(map(content.number, xs), map(content.number, ys), strict=True))
    return None


LABELME = "LabelMe"
OUTLINES = ("polygon", "rectangle", "mask", "linestrip", "oriented_rectangle")


def is_labelme(document: object) -> bool:
    """Whether a JSON value is a file of LabelMe."""
    return isinstance(document, dict) and isinstance(document.get("shapes"), list) and "imagePath" in document


def add_labelme(file: content.AnnotationFile, document: Mapping[str, Any], folder: str = "") -> None:
    """Add the image of a file, with the boxes around its shapes; flags that are set are labels of the image.

    `folder` is where the file lies below what was chosen: the image's path is given from there.
    """
    parts = [part for part in content.name_of_file(document.get("imagePath")).split("/") if part not in ("", ".", "..")]
    image = content.AnnotatedImage(
        "/".join(filter(None, [folder, *parts])),
        content.pixels(document.get("imageWidth")),
        content.pixels(document.get("imageHeight")),
    )
    flags = document.get("flags")
    if isinstance(flags, dict):
        image.labels += [name for flag, is_set in flags.items() if is_set is True and (name := content.text(flag))]
    for shape in content.dicts(document.get("shapes")):
        file.add_box(image, content.text(shape.get("label")), _labelme_corners(shape))
    file.images.append(image)


def _labelme_corners(shape: Mapping[str, Any]) -> content.Corners | None:
    """The upright box around a shape; None for points and straight lines."""
    given, kind = shape.get("points"), shape.get("shape_type") or "polygon"
    if not isinstance(given, list):
        return content.NOWHERE
    points = [
        (content.number(each[0]), content.number(each[1]))
        for each in given
        if isinstance(each, list) and len(each) == 2
    ]
    if len(points) != len(given):
        return content.NOWHERE
    if kind == "circle" and len(points) == 2:
        (x, y), (edge_x, edge_y) = points
        radius = math.hypot(edge_x - x, edge_y - y)
        return x - radius, y - radius, x + radius, y + radius
    return content.bounds(points) if kind in OUTLINES else None
