"""Boxes as YOLO writes them: a text file for an image, a line `class x_center y_center width height` for each box."""

import math
from collections.abc import Sequence
from pathlib import Path

from training.datasets.public.delimited import text_lines
from training.datasets.public.layout import PublishedBox
from training.errors import UserError


def read_yolo(path: Path, names: Sequence[str]) -> tuple[PublishedBox, ...]:
    """Boxes in shares of the image's width and height, in the order of the file; none for an empty file.

    Args:
        path: the text file.
        names: of the classes 0, 1, ...

    Raises:
        UserError: the file is no text; or naming file and line, for what is no such line.
    """
    lines = text_lines(path)
    name_of = {float(number): name for number, name in enumerate(names)}
    boxes = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            kind, x, y, width, height = (float(cell) for cell in line.split())
            name = name_of[kind]
            if not all(map(math.isfinite, (x, y, width, height))):
                raise ValueError("not finite numbers")
        except (ValueError, KeyError) as error:
            raise UserError(
                f"{path}, line {number}: “{line.strip()[:60]}” is not a box of one of {len(names)} classes.",
                "A line reads: class x_center y_center width height. Download the file again.",
            ) from error
        boxes.append(PublishedBox(name, x - width / 2, y - height / 2, x + width / 2, y + height / 2, is_relative=True))
    return tuple(boxes)
