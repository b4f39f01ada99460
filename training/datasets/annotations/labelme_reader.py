"""Reads the JSON files of LabelMe (https://github.com/wkentaro/labelme), one for each image."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.datasets.annotations.content import (
    BOX,
    NO_EXTENT,
    AnnotatedImage,
    AnnotationFile,
    bounds,
    dicts,
    name_of_file,
    number,
    pixels,
    text,
)

OUTLINES = ("polygon", "rectangle", "mask", "linestrip", "oriented_rectangle")


def is_labelme(document: object) -> bool:
    """Whether a JSON value is a file of LabelMe."""
    return isinstance(document, dict) and isinstance(document.get("shapes"), list) and "imagePath" in document


def add_labelme(file: AnnotationFile, document: Mapping[str, Any], folder: str = "") -> None:
    """Add the image of a file, with the boxes around its shapes; flags that are set are labels of the image.

    `folder` is where the file lies below what was chosen: the image's path is given from there.
    """
    parts = [part for part in name_of_file(document.get("imagePath")).split("/") if part not in ("", ".", "..")]
    image = AnnotatedImage(
        "/".join(filter(None, [folder, *parts])),
        pixels(document.get("imageWidth")),
        pixels(document.get("imageHeight")),
    )
    flags = document.get("flags")
    if isinstance(flags, dict):
        image.labels += [name for flag, is_set in flags.items() if is_set is True and (name := text(flag))]
    for shape in dicts(document.get("shapes")):
        corners = _corners(shape)
        if corners is None:
            file.leave_out(BOX, NO_EXTENT, image)
        else:
            file.add_box(image, text(shape.get("label")), corners)
    file.images.append(image)


def new_labelme_file(path: Path) -> AnnotationFile:
    """The file, or the folder of such files, to which `add_labelme` adds images."""
    return AnnotationFile(path, "LabelMe")


def _corners(shape: Mapping[str, Any]) -> tuple[float | None, ...] | None:
    """The upright box around a shape; None for points and straight lines."""
    given, kind = shape.get("points"), shape.get("shape_type") or "polygon"
    if not isinstance(given, list):
        return (None,) * 4
    points = [(number(each[0]), number(each[1])) for each in given if isinstance(each, list) and len(each) == 2]
    if len(points) != len(given):
        return (None,) * 4
    if kind == "circle" and len(points) == 2:
        (x, y), (edge_x, edge_y) = points
        if x is None or y is None or edge_x is None or edge_y is None:
            return (None,) * 4
        radius = math.hypot(edge_x - x, edge_y - y)
        return x - radius, y - radius, x + radius, y + radius
    return bounds(points) if kind in OUTLINES else None
