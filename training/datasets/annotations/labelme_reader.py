"""Reads the JSON files of LabelMe (https://github.com/wkentaro/labelme), one for each image."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from training.datasets.annotations.content import (
    BOX,
    NO_EXTENT,
    NOWHERE,
    AnnotatedImage,
    AnnotationFile,
    Corners,
    bounds,
    dicts,
    name_of_file,
    number,
    pixels,
    text,
)

LABELME = "LabelMe"
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


def _corners(shape: Mapping[str, Any]) -> Corners | None:
    """The upright box around a shape; None for points and straight lines."""
    given, kind = shape.get("points"), shape.get("shape_type") or "polygon"
    if not isinstance(given, list):
        return NOWHERE
    points = [(number(each[0]), number(each[1])) for each in given if isinstance(each, list) and len(each) == 2]
    if len(points) != len(given):
        return NOWHERE
    if kind == "circle" and len(points) == 2:
        (x, y), (edge_x, edge_y) = points
        radius = math.hypot(edge_x - x, edge_y - y)
        return x - radius, y - radius, x + radius, y + radius
    return bounds(points) if kind in OUTLINES else None
