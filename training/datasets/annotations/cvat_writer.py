"""Writes CVAT's XML 1.1, for images and for video; what is read is in `cvat_reader`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
from training.files.outputs import written_beside

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def write_cvat_images(
    path: Path,
    name: str,
    images: Sequence[AnnotatedImage],
    names: Sequence[str],
    fingerprints: Mapping[str, str] | None = None,
) -> None:
    """Write “CVAT for images”: boxes, and labels of whole images as tags.

    Args:
        path: of the XML file.
        name: of the task.
        images: with `file_name`, width and height; boxes in px.
        names: of the classes, in order.
        fingerprints: study -> fingerprint of its recording; an import finds the study by it.

    Raises:
        OSError: as writing does.
    """
    root, _ = _root(name, len(images), "annotation", names)
    studies = SubElement(root[1], "studies")
    for study_id, fingerprint in (fingerprints or {}).items():
        SubElement(studies, "study", fingerprint=fingerprint).text = _plain(study_id)
    for number, image in enumerate(images):
        size = {"width": str(image.width or 0), "height": str(image.height or 0)}
        part = SubElement(root, "image", {"id": str(number), "name": _plain(image.file_name), **size})
        for label in image.labels:
            SubElement(part, "tag", label=_plain(label), source="manual")
        for box in image.boxes:
            SubElement(part, "box", {"label": _plain(box.name), "source": "manual", **_shape(box)})
    _write(path, root)


def write_cvat_video(
    path: Path,
    name: str,
    images: Sequence[AnnotatedImage],
    names: Sequence[str],
    frame_count: int,
    fingerprint: str = "",
) -> None:
    """Write “CVAT for video” of one study: the boxes of a class on successive frames are a track.

    A track ends with a box that is "outside" on the first frame without one. Labels of whole frames have no place in
    this format.

    Args:
        path: of the XML file.
        name: of the study, which stands for the file name of its video.
        images: frames of one study, each once, in order; `frame_index` is set, boxes in px.
        names: of the classes, in order.
        frame_count: of the study; 0: unknown.
        fingerprint: of its recording; an import finds the study by it.

    Raises:
        OSError: as writing does.
    """
    root, task = _root(name, frame_count, "interpolation", names)
    sized = next((image for image in images if image.width and image.height), None)
    if sized is not None:
        size = SubElement(task, "original_size")
        SubElement(size, "width").text, SubElement(size, "height").text = str(sized.width), str(sized.height)
    SubElement(task, "source").text = _plain(name)
    study = SubElement(root[1], "study", {"fingerprint": fingerprint} if fingerprint else {})
    study.text = _plain(name)
    for number, (label, boxes) in enumerate(_tracks(images)):
        track = SubElement(root, "track", id=str(number), label=_plain(label), source="manual")
        for frame, box in boxes:
            _add_to_track(track, frame, box, is_outside=False)
        last, box = boxes[-1]
        if not frame_count or last + 1 < frame_count:
            _add_to_track(track, last + 1, box, is_outside=True)
    _write(path, root)


def _tracks(images: Iterable[AnnotatedImage]) -> list[tuple[str, list[tuple[int, AnnotatedBox]]]]:
    """(class, [(frame, box), ...]): boxes of a class on successive frames, those that overlap most first."""
    done: list[tuple[str, list[tuple[int, AnnotatedBox]]]] = []
    current: list[tuple[str, list[tuple[int, AnnotatedBox]]]] = []
    for image in images:
        frame = image.frame_index or 0
        current = [track for track in current if track[1][-1][0] == frame - 1]
        free = list(current)
        for box in image.boxes:
            own = [track for track in free if track[0] == box.name]
            best = max(own, key=lambda track: _overlap(track[1][-1][1], box), default=None)
            if best is None or not _overlap(best[1][-1][1], box):
                best = (box.name, [])
                done.append(best)
                current.append(best)
            else:
                free.remove(best)
            best[1].append((frame, box))
    return done


def _overlap(one: AnnotatedBox, other: AnnotatedBox) -> float:
    """Area that both boxes cover, in px²."""
    across = min(one.x_max, other.x_max) - max(one.x_min, other.x_min)
    down = min(one.y_max, other.y_max) - max(one.y_min, other.y_min)
    return max(across, 0.0) * max(down, 0.0)


def _root(name: str, size: int, mode: str, names: Sequence[str]) -> tuple[Element, Element]:
    """The document, of which the second part is `meta`, and the task in it."""
    root = Element("annotations")
    SubElement(root, "version").text = "1.1"
    task = SubElement(SubElement(root, "meta"), "task")
    facts = {"name": name, "size": size, "mode": mode, "overlap": 0, "start_frame": 0, "stop_frame": max(size - 1, 0)}
    for tag, value in {**facts, "frame_filter": ""}.items():
        SubElement(task, tag).text = _plain(str(value))
    labels = SubElement(task, "labels")
    for each in names:
        label = SubElement(labels, "label")
        SubElement(label, "name").text = _plain(each)
        SubElement(label, "attributes")
    return root, task


def _shape(box: AnnotatedBox) -> dict[str, str]:
    return {
        "occluded": "0",
        "z_order": "0",
        "xtl": str(box.x_min),
        "ytl": str(box.y_min),
        "xbr": str(box.x_max),
        "ybr": str(box.y_max),
    }


def _add_to_track(track: Element, frame: int, box: AnnotatedBox, *, is_outside: bool) -> None:
    when = {"frame": str(frame), "keyframe": "1", "outside": str(int(is_outside))}
    SubElement(track, "box", {**when, **_shape(box)})


def _plain(text: str) -> str:
    return _NOT_XML.sub(" ", text)


def _write(path: Path, root: Element) -> None:
    indent(root)
    with written_beside(path) as beside:
        ElementTree(root).write(beside, encoding="utf-8", xml_declaration=True)
