"""Reads COCO's object detection format (https://cocodataset.org/#format-data)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.datasets.annotations import content
from training.runs.reporter import Reporter, reported
from training.texts import Text

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
    _add_negatives(file, document)
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


def _add_negatives(file: content.AnnotationFile, document: Mapping[str, Any]) -> None:
    """Classes that are not on a frame, which this program writes beside the format."""
    by_frame = {(image.study_id, image.frame_index): image for image in file.images}
    for entry in content.dicts(document.get("negatives") if isinstance(document.get("negatives"), list) else []):
        study_id, absent = content.text(entry.get("study_id")), _labels(entry.get("absent"))
        frame_index = content.whole(entry.get("frame_index")) if study_id else None
        if frame_index is None or not absent:
            continue
        image = by_frame.get((study_id, frame_index))
        if image is None:
            image = content.AnnotatedImage(
                content.name_of_file(entry.get("file_name")), study_id=study_id, frame_index=frame_index
            )
            by_frame[study_id, frame_index] = image
            file.images.append(image)
        image.absent += absent


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
