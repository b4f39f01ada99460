"""Boxes as COCO JSON, the format that detectors are trained from; says which model and which method suggested them.

Reads COCO's object detection format (https://cocodataset.org/#format-data).
"""

from __future__ import annotations

import datetime
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from training.datasets.annotations import content
from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
from training.errors import UserError, writing
from training.files.outputs import write_text
from training.runs.reporter import Reporter, reported
from training.texts import Text

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

    Boxes are [x, y, width, height] in px; what reaches beyond the image is cut off. Beyond the format each annotation
    carries `source` and, where it has them, `score` and `method`; each image `study_id`, `frame_index`,
    `video_seconds`, and `labels`, the classes of the whole image; `info` the model, the method and its settings.

    Args:
        images: all of them, those without a box too: a detector learns from these what is not there. Each has a name
            of its own (of a study's frame what `frame_name` makes), width and height, and boxes in px.
        model_id: whose explanation the suggestions come from.
        method: in words, such as "Score-CAM, layer4".
        settings: further JSON values, such as the threshold.
        categories: names that come first; others follow in order of appearance. Numbers begin at 1.
        created_utc: ISO 8601; empty: now.
        negatives: frames on which classes are `absent`; beside the images, which a detector takes for completely
            annotated.
        fingerprints: study -> fingerprint of its recording; an import finds the study by it.

    Raises:
        UserError: two images of one name, an empty box, or one beyond its image.
    """
    for name, count in Counter(image.file_name for image in images).items():
        if count > 1:
            raise UserError("The image {file_name} is in the export twice.", "List each image once.", name)
    boxes = [(number, image, box) for number, image in enumerate(images, 1) for box in image.boxes]
    names = list(dict.fromkeys((*categories, *(box.name for _, _, box in boxes))))
    created = created_utc or datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    absent = [
        {
            "file_name": image.file_name,
            "study_id": image.study_id,
            "frame_index": image.frame_index or 0,
            "absent": image.absent,
        }
        for image in negatives
    ]
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
            {"id": k, "image_id": number, "category_id": names.index(box.name) + 1, **_place(box, image)}
            for k, (number, image, box) in enumerate(boxes, 1)
        ],
        **({"negatives": absent} if negatives else {}),
    }


def write_coco(path: Path, document: dict[str, Any]) -> None:
    """Write beside and rename.

    Raises:
        UserError: the file cannot be written.
    """
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    with writing(path):
        write_text(path, text)


def _image(number: int, image: AnnotatedImage) -> dict[str, Any]:
    size = {"width": image.width or 0, "height": image.height or 0}
    further: dict[str, Any] = {"study_id": image.study_id, "frame_index": image.frame_index}
    further |= {"video_seconds": image.video_seconds, "labels": list(image.labels)}
    named = {name: value for name, value in further.items() if value not in (None, "", [])}
    return {"id": number, "file_name": image.file_name, **size, **named}


def _place(box: AnnotatedBox, image: AnnotatedImage) -> dict[str, Any]:
    if not all(map(math.isfinite, (box.x_min, box.y_min, box.x_max, box.y_max))):
        raise UserError("A box of {file_name} has a corner that is not a number.", "Draw it again.", image.file_name)
    x_min, x_max = max(box.x_min, 0.0), min(box.x_max, float(image.width or 0))
    y_min, y_max = max(box.y_min, 0.0), min(box.y_max, float(image.height or 0))
    if x_min >= x_max or y_min >= y_max:
        raise UserError("A box of {file_name} is empty or outside the image.", "Draw it again.", image.file_name)
    across, down = x_max - x_min, y_max - y_min
    entry: dict[str, Any] = {"bbox": [x_min, y_min, across, down], "area": across * down, "iscrowd": 0}
    entry |= {"segmentation": [], "source": box.source} | ({"method": box.method} if box.method else {})
    return entry if box.score is None else entry | {"score": box.score}


SUGGESTED = "a model suggested it and nobody accepted it"
NO_IMAGE = "its image is not in the file"
NO_CATEGORY = "its class has no name in the file"
SAME_IMAGE_ID = "several images have the same id"
SAME_CLASS_ID = "several classes have the same id"
NO_BOX = "it has neither a box nor an outline"
MAX_DIGITS = 19
"""Of an id."""

_METHOD = re.compile(r"[a-z0-9-]{1,40}")
_Key = int | str
_NOT_ONE = object()
"""Stands where one id means several things."""


def is_coco(document: object) -> bool:
    """Whether a JSON value is a COCO document with boxes."""
    return isinstance(document, dict) and all(
        isinstance(document.get(name), list) for name in ("images", "annotations")
    )


def read_coco(path: Path, document: Mapping[str, Any], reporter: Reporter) -> content.AnnotationFile:
    """The images of a document with their boxes; an outline without a box becomes the box around it.

    Boxes that this program suggested and nobody accepted are left out and counted, as is what an id does not lead to.
    """
    file = content.AnnotationFile(path, "COCO")
    info = document.get("info")
    file.fingerprints = content.texts(info.get("fingerprints")) if isinstance(info, dict) else {}
    images = _images(file, document)
    file.add_negatives(_negatives(document))
    names = _names(document)
    ids: set[_Key] = set()
    repeated = 0
    annotations = content.dicts(document.get("annotations"))
    file.left_out[content.BOX, NO_BOX] += len(document["annotations"]) - len(annotations)
    for entry in reported(annotations, reporter, "boxes", "reading", every=4096):
        key = _key(entry.get("id"))
        repeated += key != "" and key in ids
        ids.add(key)
        if reason := _reason(entry, images, names):
            file.left_out[content.BOX, reason] += 1
            continue
        image, name = images[_key(entry["image_id"])], names[_key(entry["category_id"])]
        assert isinstance(image, content.AnnotatedImage)
        is_accepted = entry.get("source") == "accepted"
        source: content.Source = "accepted" if is_accepted else "drawn"
        method = content.text(entry.get("method"))
        method = method if _METHOD.fullmatch(method) else "imported"
        file.add_box(image, str(name), _corners(entry), source=source, method=method if is_accepted else "")
    if repeated:
        file.notes.append(
            Text("Ids that repeat among the boxes: {repeated:,}. The boxes are kept, their ids are not used.", repeated)
        )
    return file


def _reason(entry: Mapping[str, Any], images: Mapping[_Key, object], names: Mapping[_Key, object]) -> str:
    """Why an annotation cannot be used; empty: it can."""
    image, name = images.get(_key(entry.get("image_id"))), names.get(_key(entry.get("category_id")))
    if image is None or name is None:
        return NO_IMAGE if image is None else NO_CATEGORY
    if image is _NOT_ONE or name is _NOT_ONE:
        return SAME_IMAGE_ID if image is _NOT_ONE else SAME_CLASS_ID
    if entry.get("source") == "suggestion":
        return SUGGESTED
    if not entry.get("bbox") and not isinstance(entry.get("segmentation"), list):
        return NO_BOX
    return ""


def _images(file: content.AnnotationFile, document: Mapping[str, Any]) -> dict[_Key, object]:
    """Id -> image; an id that several images have leads to none of them."""
    result: dict[_Key, object] = {}
    videos = _videos(document)
    for entry in content.dicts(document.get("images")):
        extra = entry.get("extra")
        study_id = content.text(entry.get("study_id"))
        image = content.AnnotatedImage(
            _file_name(entry),
            content.pixels(entry.get("width")),
            content.pixels(entry.get("height")),
            study_id,
            content.whole(entry.get("frame_index")) if study_id else None,
            original_name=content.name_of_file(extra.get("name")) if isinstance(extra, dict) else "",
            video=videos.get(_key(entry.get("video_id")), content.Video()),
            labels=_labels(entry.get("labels")),
        )
        key = _key(entry.get("id"))
        known = result.get(key)
        if known == image:
            continue
        if known is not None:
            file.left_out[content.IMAGE, SAME_IMAGE_ID] += 1 if known is _NOT_ONE else 2
            result[key] = _NOT_ONE
            continue
        result[key] = image
    file.images = [image for image in result.values() if isinstance(image, content.AnnotatedImage)]
    return result


def _file_name(entry: Mapping[str, Any]) -> str:
    """The name of an image; where it has no folder, but its path or address does, with that folder."""
    name = content.name_of_file(entry.get("file_name"))
    for place in ("path", "coco_url"):
        folder, _, last = content.name_of_file(entry.get(place)).rpartition("/")
        if folder and last == name:
            return f"{folder.rsplit('/', 1)[-1]}/{name}"
    return name


def _negatives(document: Mapping[str, Any]) -> Iterator[AnnotatedImage]:
    """Frames with classes that are not there, which this program writes beside the format."""
    for entry in content.dicts(document.get("negatives")):
        study_id, absent = content.text(entry.get("study_id")), _labels(entry.get("absent"))
        frame_index = content.whole(entry.get("frame_index")) if study_id else None
        if frame_index is not None and absent:
            name = content.name_of_file(entry.get("file_name"))
            yield AnnotatedImage(name, study_id=study_id, frame_index=frame_index, absent=absent)


def _videos(document: Mapping[str, Any]) -> dict[_Key, content.Video]:
    """The recordings that images name by `video_id`, as data sets for tracking have them."""
    result = {}
    for entry in content.dicts(document.get("videos")):
        width, height = content.pixels(entry.get("width")), content.pixels(entry.get("height"))
        result[_key(entry.get("id"))] = content.Video(
            content.name_of_file(entry.get("file_name") or entry.get("name")).rstrip("/").rsplit("/", 1)[-1],
            size=(height, width) if height and width else None,
        )
    return result


def _labels(value: object) -> list[str]:
    """Classes of a whole image, which this program writes beside the format."""
    return [name for each in value if (name := content.text(each))] if isinstance(value, list) else []


def _names(document: Mapping[str, Any]) -> dict[_Key, object]:
    """Id -> name of the class; one that stands for several names leads to none."""
    result: dict[_Key, object] = {}
    for entry in content.dicts(document.get("categories")):
        key, name = _key(entry.get("id")), content.text(entry.get("name"))
        if name:
            result[key] = name if result.get(key, name) == name else _NOT_ONE
    return result


def _key(value: object) -> _Key:
    """An id as a key; empty for what is none. Some tools write numbers as text: "5" is 5."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and len(value) < MAX_DIGITS and value.isascii() and value.isdecimal():
        return int(value) if str(int(value)) == value else value
    return value if isinstance(value, int | str) and not isinstance(value, bool) else ""


def _corners(entry: Mapping[str, Any]) -> content.Corners:
    box, outlines = entry.get("bbox"), entry.get("segmentation")
    is_empty = not box or (isinstance(box, list) and 0 in map(content.number, box[2:4]))
    if is_empty and isinstance(outlines, list) and (outlines or not box):
        # The box around polygons, each a list x, y, x, y, ...
        values = [content.number(each) for outline in outlines if isinstance(outline, list) for each in outline]
        return content.bounds(zip(values[0::2], values[1::2], strict=False))
    return content.sized(*map(content.number, box)) if isinstance(box, list) and len(box) == 4 else content.NOWHERE
