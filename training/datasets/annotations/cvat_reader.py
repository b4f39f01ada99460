"""Reads CVAT's XML 1.1 for images and for video (https://docs.cvat.ai/docs/dataset_management/formats/format-cvat/)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element

from training.datasets.annotations.content import (
    BOX,
    LABEL,
    NO_CLASS,
    NO_EXTENT,
    AnnotatedImage,
    AnnotationFile,
    bounds,
    name_of_file,
    number,
    pixels,
    text,
    turned,
    whole,
)
from training.datasets.table import MAX_FRAME
from training.errors import UserError
from training.runs.reporter import Reporter

MAX_INTERPOLATED = 1_000_000
"""Boxes between the key frames of one file."""
OUTLINES = ("polygon", "polyline", "cuboid")
SHAPES = ("box", "ellipse", "mask", "points", "skeleton", *OUTLINES)
NO_FRAME = "its frame is not a number"
SAME_FRAME = "its track has another box on the same frame"
BETWEEN_REPORTS = 1024

Corners = tuple[float | None, ...]


def is_cvat(root: Element) -> bool:
    """Whether an XML document is one of CVAT's."""
    return root.tag == "annotations" and any(child.tag in ("meta", "version", "image", "track") for child in root)


def read_cvat(path: Path, root: Element, reporter: Reporter) -> AnnotationFile:
    """Images with boxes and tags, or the tracks of a video frame by frame.

    Between two key frames of a track that are not successive, boxes are interpolated as CVAT does. Outlines, masks and
    turned boxes become the upright boxes around them.

    Raises:
        UserError: tracks describe more than `MAX_INTERPOLATED` boxes between key frames.
    """
    is_video = root.find("track") is not None or root.find("image") is None
    file = AnnotationFile(path, "CVAT for video" if is_video else "CVAT for images")
    _read_meta(file, root, is_video=is_video)
    frames: dict[int, AnnotatedImage] = {}
    budget = [MAX_INTERPOLATED]
    parts = [part for part in root if part.tag in ("image", "track")]
    for done, part in enumerate(parts):
        if done % BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(parts), "tracks" if is_video else "images", "reading")
        if part.tag == "image":
            file.images.append(_image(file, part))
        else:
            _read_track(file, part, frames, budget)
    file.images += [frames[number] for number in sorted(frames)]
    if budget[0] < MAX_INTERPOLATED:
        count = MAX_INTERPOLATED - budget[0]
        file.notes.append(
            f"{count:,} {'box' if count == 1 else 'boxes'} between key frames of tracks: interpolated, as CVAT does."
        )
    return file


def _read_meta(file: AnnotationFile, root: Element, *, is_video: bool) -> None:
    """The recording that the task was made for: its name, and its size where the task has all of its frames."""
    task = next((found for name in ("task", "job") if (found := root.find(f"meta/{name}")) is not None), None)
    if task is None:
        return
    source = task.findtext("source") or root.findtext("meta/source") or ""
    file.recording = name_of_file(source).rsplit("/", 1)[-1]
    if not is_video:
        return
    size = task.find("original_size")
    if size is None:
        size = root.find("meta/original_size")
    if size is not None:
        height, width = pixels(size.findtext("height")), pixels(size.findtext("width"))
        file.size = (height, width) if height and width else None
    count, first, last = (whole(task.findtext(name)) for name in ("size", "start_frame", "stop_frame"))
    has_all = not first and not (task.findtext("frame_filter") or "").strip() and last in (None, (count or 0) - 1)
    if count and has_all and task.tag == "task":
        file.frame_count = count


def _image(file: AnnotationFile, part: Element) -> AnnotatedImage:
    image = AnnotatedImage(name_of_file(part.get("name")), pixels(part.get("width")), pixels(part.get("height")))
    for shape in part:
        name = text(shape.get("label"))
        if shape.tag == "tag":
            if name:
                image.labels.append(name)
            else:
                file.left_out[LABEL, NO_CLASS] += 1
        elif shape.tag in SHAPES:
            corners = _corners(shape)
            if corners is None:
                file.left_out[BOX, NO_EXTENT] += 1
            else:
                file.add_box(image, name, corners)
    return image


def _read_track(file: AnnotationFile, track: Element, frames: dict[int, AnnotatedImage], budget: list[int]) -> None:
    """Put the boxes of a track into the images of its frames."""
    name = text(track.get("label"))
    by_frame: dict[int, Corners | None] = {}
    for shape in track:
        if shape.tag not in SHAPES:
            continue
        frame, corners, is_outside = whole(shape.get("frame")), _corners(shape), shape.get("outside") == "1"
        if corners is None and not is_outside:
            file.left_out[BOX, NO_EXTENT] += 1
        elif frame is None or frame >= MAX_FRAME:
            file.left_out[BOX, NO_FRAME] += 1
        elif frame in by_frame:
            file.left_out[BOX, SAME_FRAME] += 1
        else:
            by_frame[frame] = None if is_outside else corners
    for frame, corners in _filled(by_frame, file.path, budget):
        image = frames.get(frame)
        if image is None:
            image = frames[frame] = AnnotatedImage(frame_index=frame)
            if file.size is not None:
                image.height, image.width = file.size
        file.add_box(image, name, corners)


def _filled(by_frame: Mapping[int, Corners | None], path: Path, budget: list[int]) -> Iterable[tuple[int, Corners]]:
    """The visible boxes by frame, with those between key frames; a box is hidden from a frame with None on."""
    keys = sorted(by_frame)
    for place, frame in enumerate(keys):
        corners = by_frame[frame]
        if corners is None:
            continue
        yield frame, corners
        if place + 1 == len(keys):
            continue
        until = keys[place + 1]
        gap, following = until - frame - 1, by_frame[until] or corners
        if gap > budget[0]:
            raise UserError(
                f"{path} describes more than {MAX_INTERPOLATED:,} boxes between the key frames of its tracks.",
                "Export it again from CVAT, in parts.",
            )
        budget[0] -= gap
        for step in range(1, gap + 1):
            yield frame + step, _between(corners, following, step / (gap + 1))


def _between(before: Corners, after: Corners, share: float) -> Corners:
    pairs = zip(before, after, strict=True)
    return tuple(None if a is None or b is None else a + (b - a) * share for a, b in pairs)


def _corners(shape: Element) -> Corners | None:
    """The upright box around a shape; None for points, which have no area."""
    of = shape.get
    if shape.tag == "box":
        box = tuple(number(of(name)) for name in ("xtl", "ytl", "xbr", "ybr"))
        return turned(box, number(of("rotation")) or 0.0)
    if shape.tag == "ellipse":
        x, y, across, down = (number(of(name)) for name in ("cx", "cy", "rx", "ry"))
        if x is None or y is None or across is None or down is None:
            return (None,) * 4
        return turned((x - across, y - down, x + across, y + down), number(of("rotation")) or 0.0)
    if shape.tag == "mask":
        left, top, width, height = (number(of(name)) for name in ("left", "top", "width", "height"))
        if left is None or top is None or width is None or height is None:
            return (None,) * 4
        return left, top, left + width, top + height
    if shape.tag in OUTLINES:
        return bounds(_points(of("points") or ""))
    return None


def _points(given: str) -> Iterable[tuple[float | None, float | None]]:
    """Points written "x,y;x,y"."""
    for pair in given.split(";"):
        x, _, y = pair.partition(",")
        yield number(x), number(y)
