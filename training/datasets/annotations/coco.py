"""Boxes as COCO JSON, the format that detectors are trained from; says which model and which method suggested them."""

import datetime
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from training.errors import UserError, not_written
from training.files.outputs import written_beside

NOTICE = "Research use only, not for diagnosis."
Source = Literal["suggestion", "accepted", "drawn"]
"""A weak label nobody looked at, one that a reader accepted, or a box that a reader drew."""


@dataclass(frozen=True)
class CocoImage:
    """One frame; nothing in it names a patient."""

    file_name: str
    """Unique; of a study's frame what `frame_name` makes."""
    width: int
    """In px."""
    height: int
    """In px."""
    study_id: str = ""
    frame_index: int | None = None
    """0-based; None for a picture of its own."""
    video_seconds: float | None = None
    labels: tuple[str, ...] = ()
    """Classes of the whole image, such as "normal"; COCO itself has none, so they are written beside it."""


@dataclass(frozen=True)
class CocoBox:
    """One box."""

    file_name: str
    """Of its image."""
    category: str
    box: tuple[float, float, float, float]
    """(x_min, y_min, x_max, y_max) in px of the image; what reaches beyond the image is cut off."""
    source: Source
    score: float | None = None
    """In [0, 1]: the model's score of the class in this frame, or how clear the map is; None: a reader drew it."""
    method: str = ""
    """Of the explanation that suggested it, such as "score-cam"; empty: not said."""


NEGATIVES = (
    "Each entry of negatives names a frame and the classes (absent) of which a reader said that they are not there. "
    "It says nothing of other classes, and does not mean normal: other things may be on the frame."
)


@dataclass(frozen=True)
class CocoNegative:
    """A frame and classes that are not there; beside the images, which a detector takes for completely annotated."""

    file_name: str
    """As of an image."""
    study_id: str
    frame_index: int
    """0-based"""
    absent: tuple[str, ...]


def frame_name(study_id: str, frame_index: int) -> str:
    """The file name of a study's frame in an export: P03a/frame-000812.png."""
    return f"{study_id}/frame-{frame_index:06d}.png"


def coco_document(
    images: Sequence[CocoImage],
    boxes: Iterable[CocoBox],
    *,
    model_id: str = "",
    method: str = "",
    settings: dict[str, Any] | None = None,
    categories: Sequence[str] = (),
    created_utc: str = "",
    negatives: Sequence[CocoNegative] = (),
    fingerprints: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The whole file as JSON values (https://cocodataset.org/#format-data, "object detection").

    Boxes are [x, y, width, height] in px. Beyond the format each annotation carries `source` and, where it has
    them, `score` and `method`; each image `study_id`, `frame_index`, `video_seconds`, `labels`; `info` the model, the
    method and its settings.

    Args:
        images: all of them, those without a box too: a detector learns from these what is not there.
        boxes: each names one of the images.
        model_id: whose explanation the suggestions come from.
        method: in words, such as "Score-CAM, layer4".
        settings: further JSON values, such as the threshold.
        categories: names that come first; others follow in order of appearance. Numbers begin at 1.
        created_utc: ISO 8601; empty: now.
        negatives: frames on which a class is not there.
        fingerprints: study -> fingerprint of its recording; an import finds the study by it.

    Raises:
        UserError: two images of one name, a box of no image, an empty box, or one beyond its image.
    """
    numbers = _numbers(images)
    found = list(boxes)
    names = list(dict.fromkeys((*categories, *(box.category for box in found))))
    size = {image.file_name: (image.width, image.height) for image in images}
    created = created_utc or datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {
        "info": {
            "description": f"Boxes from wce-desktop. {NOTICE}",
            "date_created": created,
            "model": model_id,
            "method": method,
            "settings": settings or {},
            **({"negatives": NEGATIVES} if negatives else {}),
            **({"fingerprints": dict(fingerprints)} if fingerprints else {}),
        },
        "licenses": [],
        "categories": [{"id": k, "name": name, "supercategory": ""} for k, name in enumerate(names, 1)],
        "images": [_image(number, image) for number, image in enumerate(images, 1)],
        "annotations": [
            {
                "id": k,
                "image_id": _number(numbers, box),
                "category_id": names.index(box.category) + 1,
                **_place(box, size),
            }
            for k, box in enumerate(found, 1)
        ],
        **({"negatives": [asdict(negative) for negative in negatives]} if negatives else {}),
    }


def write_coco(path: Path, document: dict[str, Any]) -> None:
    """Write beside and rename.

    Raises:
        UserError: the file cannot be written.
    """
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        with written_beside(path) as beside:
            beside.write_text(text, encoding="utf-8")
    except OSError as error:
        raise not_written(path, error) from error


def _numbers(images: Sequence[CocoImage]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, image in enumerate(images, 1):
        if image.file_name in numbers:
            raise UserError("The image {file_name} is in the export twice.", "List each image once.", image.file_name)
        numbers[image.file_name] = number
    return numbers


def _number(numbers: dict[str, int], box: CocoBox) -> int:
    if box.file_name not in numbers:
        raise UserError(
            "A box names the image {file_name}, which is not exported.", "Export its image too.", box.file_name
        )
    return numbers[box.file_name]


def _image(number: int, image: CocoImage) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": number, "file_name": image.file_name, "width": image.width, "height": image.height}
    further: dict[str, Any] = {"study_id": image.study_id, "frame_index": image.frame_index}
    further |= {"video_seconds": image.video_seconds, "labels": list(image.labels)}
    return entry | {name: value for name, value in further.items() if value not in (None, "", [])}


def _place(box: CocoBox, sizes: dict[str, tuple[int, int]]) -> dict[str, Any]:
    width, height = sizes[box.file_name]
    x_min, y_min, x_max, y_max = box.box
    if not all(map(math.isfinite, box.box)):
        raise UserError("A box of {file_name} has a corner that is not a number.", "Draw it again.", box.file_name)
    x_min, x_max = max(x_min, 0.0), min(x_max, float(width))
    y_min, y_max = max(y_min, 0.0), min(y_max, float(height))
    if x_min >= x_max or y_min >= y_max:
        raise UserError("A box of {file_name} is empty or outside the image.", "Draw it again.", box.file_name)
    across, down = x_max - x_min, y_max - y_min
    entry: dict[str, Any] = {"bbox": [x_min, y_min, across, down], "area": across * down, "iscrowd": 0}
    entry |= {"segmentation": [], "source": box.source} | ({"method": box.method} if box.method else {})
    return entry if box.score is None else entry | {"score": box.score}
