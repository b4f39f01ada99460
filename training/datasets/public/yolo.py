"""Boxes as YOLO writes them: a text file for an image, a line `class x_center y_center width height` for each box."""

from collections.abc import Sequence
from pathlib import Path

from training.datasets.public.layout import PublishedBox
from training.errors import UserError


def read_yolo(path: Path, names: Sequence[str]) -> tuple[PublishedBox, ...]:
    """Boxes in shares of the image's width and height, in the order of the file; none for an empty file.

    Args:
        path: the text file.
        names: of the classes 0, 1, ...

    Raises:
        UserError: naming file and line, for what is no such line.
    """
    boxes = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            kind, x, y, width, height = (float(cell) for cell in line.split())
            name = dict(enumerate(names))[int(kind)]
        except (ValueError, KeyError) as error:
            raise UserError(
                f"{path}, line {number}: “{line.strip()[:60]}” is no box of one of {len(names)} classes.",
                "A line reads: class x_center y_center width height. Download the file again.",
            ) from error
        boxes.append(PublishedBox(name, x - width / 2, y - height / 2, x + width / 2, y + height / 2, is_relative=True))
    return tuple(boxes)
