"""Boxes as COCO JSON, the format that detectors are trained from; says which model and which method suggested them."""

import datetime
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
from training.errors import UserError, reason_of
from training.files.outputs import written_beside

NOTICE = "Research use only, not for diagnosis."
NEGATIVES = (
    "Each entry of negatives names a frame and the classes (absent) of which a reader said that they are not there. "
    "It says nothing of other classes, and does not mean normal: other things may be on the frame."
)


def frame_name(study_id: str, frame_index: int) -> str:
    """The file name of a study's frame in an export: P03a/frame-000812.png."""
    return f"{study_id}/frame-{frame_index:06d}.png"


def coco_document(
    images: Sequence[AnnotatedImage],
    *,
    model_id: str = "",
    method: str = "",
    settings: dict[str, Any] | None = None,
    categories: Sequence[str] = (),
    created_utc: str = "",
    negatives: Sequence[AnnotatedImage] = (),
    fingerprints: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The whole file as JSON values (https://cocodataset.org/#format-data, "object detection").

    Boxes are [x, y, width, height] in px. Beyond the format each annotation carries `source` and, where it has
    them, `score` and `method`; each image `study_id`, `frame_index`, `video_seconds`, `labels`; `info` the model, the
    method and its settings.

    Args:
        images: with their boxes in px; those without a box too: a detector learns from these what is not there.
            What reaches beyond an image is cut off.
        model_id: whose explanation the suggestions come from.
        method: in words, such as "Score-CAM, layer4".
        settings: further JSON values, such as the threshold.
        categories: names that come first; others follow in order of appearance. Numbers begin at 1.
        created_utc: ISO 8601; empty: now.
        negatives: frames with `absent`; beside the images, which a detector takes for completely annotated.
        fingerprints: study -> fingerprint of its recording; an import finds the study by it.

    Raises:
        UserError: two images of one name, an empty box, or one beyond its image.
    """
    names_of_files = Counter(image.file_name for image in images)
    for name, count in names_of_files.items():
        if count > 1:
            raise UserError("The image {file_name} is in the export twice.", "List each image once.", name)
    boxes = [(number, image, box) for number, image in enumerate(images, 1) for box in image.boxes]
    names = list(dict.fromkeys((*categories, *(box.name for _, _, box in boxes))))
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
            {"id": k, "image_id": number, "category_id": names.index(box.name) + 1, **_place(image, box)}
            for k, (number, image, box) in enumerate(boxes, 1)
        ],
        **({"negatives": list(map(_negative, negatives))} if negatives else {}),
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
        raise UserError(
            "{path} cannot be written ({reason}).", "Choose another folder.", path, reason_of(error)
        ) from error


def _negative(image: AnnotatedImage) -> dict[str, Any]:
    return {name: getattr(image, name) for name in ("file_name", "study_id", "frame_index", "absent")}


def _image(number: int, image: AnnotatedImage) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": number, "file_name": image.file_name, "width": image.width, "height": image.height}
    further: dict[str, Any] = {"study_id": image.study_id, "frame_index": image.frame_index}
    further |= {"video_seconds": image.video_seconds, "labels": image.labels}
    return entry | {name: value for name, value in further.items() if value not in (None, "", [])}


def _place(image: AnnotatedImage, box: AnnotatedBox) -> dict[str, Any]:
    corners = box.x_min, box.y_min, box.x_max, box.y_max
    if not all(map(math.isfinite, corners)):
        raise UserError("A box of {file_name} has a corner that is not a number.", "Draw it again.", image.file_name)
    x_min, x_max = max(box.x_min, 0.0), min(box.x_max, float(image.width or 0))
    y_min, y_max = max(box.y_min, 0.0), min(box.y_max, float(image.height or 0))
    if x_min >= x_max or y_min >= y_max:
        raise UserError("A box of {file_name} is empty or outside the image.", "Draw it again.", image.file_name)
    across, down = x_max - x_min, y_max - y_min
    entry: dict[str, Any] = {"bbox": [x_min, y_min, across, down], "area": across * down, "iscrowd": 0}
    entry |= {"segmentation": [], "source": box.source} | ({"method": box.method} if box.method else {})
    return entry if box.score is None else entry | {"score": box.score}
