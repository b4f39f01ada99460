"""Reads CVAT's XML 1.1 for images and for video (https://docs.cvat.ai/docs/dataset_management/formats/format-cvat/)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from xml.etree.ElementTree import Element

from training.datasets.annotations import content
from training.datasets.table import MAX_FRAME
from training.runs.reporter import Reporter, reported
from training.texts import count_text
from training.video.formats import VIDEO_SUFFIXES

MAX_INTERPOLATED = 1_000_000
"""Boxes between the key frames of all files of an import."""
OUTLINES = ("polygon", "polyline", "cuboid")
SHAPES = ("box", "ellipse", "mask", "points", "skeleton", *OUTLINES)
NO_FRAME = "its frame is not a number"
NOT_IN_TASK = "its task does not have this frame, by its first and last frame and its frame step"
NO_TASK = "the file holds several tasks, and its track does not say to which it belongs"
SAME_FRAME = "its track has another box on the same frame"

_FRAME_OF_VIDEO = re.compile(r"frame_(\d{6,9})(?:\.\w+)?")
_STEP = re.compile(r"step\s*=\s*(\d{1,6})")


def is_cvat(root: Element) -> bool:
    """Whether an XML document is one of CVAT's."""
    return root.tag == "annotations" and any(child.tag in ("meta", "version", "image", "track") for child in root)


@dataclass(frozen=True)
class _Task:
    """What a file says of a task: its recording, and which frames of it were annotated."""

    video: content.Video
    start: int | None = None
    """Its first frame; None: that of the first box."""
    stop: int = MAX_FRAME
    """Its last frame."""
    step: int = 1
    study_id: str = ""
    """The study, where this program wrote the file."""

    def has(self, frame: int, first: int) -> bool:
        """Whether the task has a frame; `first`: any frame that it has."""
        start = first if self.start is None else self.start
        return (self.start or 0) <= frame <= self.stop and (frame - start) % self.step == 0


def read_cvat(path: Path, root: Element, reporter: Reporter, budget: content.Budget) -> content.AnnotationFile:
    """Images with boxes and tags, or the tracks of a video frame by frame; of a task, a job or a project.

    Between two key frames of a track, boxes are interpolated as CVAT does: on the frames of the task only, which may
    have been made with a frame step. Outlines, masks and turned boxes become the upright boxes around them.

    Raises:
        ImportTooLargeError: see `Budget`.
    """
    is_video = root.find("track") is not None or root.find("image") is None
    file = content.AnnotationFile(path, "CVAT for video" if is_video else "CVAT for images")
    studies = [part for part in root.iterfind("meta//*") if part.tag == "study"]
    file.fingerprints = {
        content.text(part.text): content.text(part.get("fingerprint")) for part in studies if part.get("fingerprint")
    }
    described = [part for part in root.iterfind("meta//*") if part.tag in ("task", "job")]
    tasks = {(part.findtext("id") or "").strip(): _task(root, part) for part in described}
    frames: dict[tuple[str, int], content.AnnotatedImage] = {}
    before = budget.interpolated
    parts = [part for part in root if part.tag in ("image", "track")]
    for part in reported(parts, reporter, "tracks" if is_video else "images", "reading", every=1024):
        task_id = part.get("task_id") or ""
        task = tasks.get(task_id) or (
            next(iter(tasks.values())) if len(tasks) == 1 and not task_id else _Task(content.Video())
        )
        if part.tag == "image":
            file.images.append(_image(file, part, task))
        elif not task_id and len(tasks) > 1:
            file.left_out[content.BOX, NO_TASK] += sum(shape.tag in SHAPES for shape in part)
        else:
            _read_track(file, part, (task_id, task), frames, budget)
    file.images += [frames[key] for key in sorted(frames)]
    count = budget.interpolated - before
    budget.take_file(file, count)
    if count:
        file.notes.append(
            count_text(
                "{count:,} box between key frames of tracks: interpolated, as CVAT does.",
                "{count:,} boxes between key frames of tracks: interpolated, as CVAT does.",
                count,
            )
        )
    return file


def _task(root: Element, part: Element) -> _Task:
    def of(name: str) -> str:
        return (part.findtext(name) or root.findtext(f"meta/{name}") or "").strip()

    size = part.find("original_size")
    size = root.find("meta/original_size") if size is None else size
    height, width = (
        (None, None)
        if size is None
        else (content.pixels(size.findtext("height")), content.pixels(size.findtext("width")))
    )
    matched = _STEP.search(of("frame_filter"))
    step = max(1, int(matched[1])) if matched else 1
    start, stop, count = (content.whole(of(name)) for name in ("start_frame", "stop_frame", "size"))
    is_job = part.tag == "job"  # its numbers are those of the task's frames, not of the recording's
    has_all = not is_job and not start and step == 1 and count and stop in (None, count - 1)
    is_video = (of("mode") or "interpolation") == "interpolation"
    video = content.Video(
        content.name_of_file(of("source")).rsplit("/", 1)[-1],
        of("name"),
        count if has_all and is_video else None,
        (height, width) if height and width else None,
        None if is_job or not is_video else stop,
    )
    last = MAX_FRAME if is_job or stop is None else stop
    return _Task(video, None if is_job else start or 0, last, step, content.text(root.findtext("meta/study")))


def _image(file: content.AnnotationFile, part: Element, task: _Task) -> content.AnnotatedImage:
    name = content.name_of_file(part.get("name"))
    image = content.AnnotatedImage(
        name, content.pixels(part.get("width")), content.pixels(part.get("height")), video=task.video
    )
    numbered = _FRAME_OF_VIDEO.fullmatch(name) if Path(task.video.name).suffix.lower() in VIDEO_SUFFIXES else None
    if numbered is not None:  # CVAT's own name for a frame of a video, which counts from 0
        image.frame_index = int(numbered[1])
    is_in_task = image.frame_index is None or task.has(image.frame_index, image.frame_index)
    for shape in part:
        name = content.text(shape.get("label"))
        if shape.tag == "tag":
            if name and is_in_task:
                image.labels.append(name)
            else:
                file.leave_out(content.LABEL, NOT_IN_TASK if name else content.NO_CLASS, image)
        elif shape.tag in SHAPES:
            corners = _corners(shape)
            if corners is not None and not is_in_task:
                file.leave_out(content.BOX, NOT_IN_TASK, image)
            else:
                file.add_box(image, name, corners)
    return image


def _read_track(
    file: content.AnnotationFile,
    track: Element,
    of: tuple[str, _Task],
    frames: dict[tuple[str, int], content.AnnotatedImage],
    budget: content.Budget,
) -> None:
    """Put the boxes of a track into the images of its frames."""
    name = content.text(track.get("label"))
    task_id, task = of
    by_frame: dict[int, content.Corners | None] = {}
    for shape in track:
        if shape.tag not in SHAPES:
            continue
        frame, corners, is_outside = content.whole(shape.get("frame")), _corners(shape), shape.get("outside") == "1"
        if corners is None and not is_outside:
            file.left_out[content.BOX, content.NO_EXTENT] += 1
        elif frame is None or frame >= MAX_FRAME:
            file.left_out[content.BOX, NO_FRAME] += 1
        elif frame in by_frame:
            file.left_out[content.BOX, SAME_FRAME] += 1
        elif not is_outside and not task.has(frame, next(iter(by_frame), frame)):
            file.left_out[content.BOX, NOT_IN_TASK] += 1
        else:
            by_frame[frame] = None if is_outside else corners
    for frame, corners in _filled(by_frame, task.step, file.path, budget):
        image = frames.get((task_id, frame))
        if image is None:
            height, width = task.video.size or (None, None)
            image = content.AnnotatedImage("", width, height, task.study_id, frame, video=task.video)
            frames[task_id, frame] = image
        file.add_box(image, name, corners)


def _filled(
    by_frame: Mapping[int, content.Corners | None], step: int, path: Path, budget: content.Budget
) -> Iterable[tuple[int, content.Corners]]:
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
        between, following = range(frame + step, until, step), by_frame[until] or corners
        budget.interpolated += len(between)
        if budget.interpolated > MAX_INTERPOLATED:
            raise content.ImportTooLargeError(
                "{path} describes more than {max_interpolated:,} boxes between the key frames of its tracks, "
                "together with the files before it.",
                "Export it again from CVAT, in parts.",
                path,
                MAX_INTERPOLATED,
            )
        budget.take(len(between))
        for each in between:
            share = (each - frame) / (until - frame)
            x_min, y_min, x_max, y_max = (a + (b - a) * share for a, b in zip(corners, following, strict=True))
            yield each, (x_min, y_min, x_max, y_max)


def _corners(shape: Element) -> content.Corners | None:
    """The upright box around a shape; None for points, which have no area."""

    def of(*names: str) -> content.Corners:
        a, b, c, d = (content.number(shape.get(name)) for name in names)
        return a, b, c, d

    degrees = content.number(shape.get("rotation"))
    if shape.tag == "box":
        return content.turned(of("xtl", "ytl", "xbr", "ybr"), 0.0 if isnan(degrees) else degrees)
    if shape.tag == "ellipse":
        x, y, across, down = of("cx", "cy", "rx", "ry")
        return content.turned((x - across, y - down, x + across, y + down), 0.0 if isnan(degrees) else degrees)
    if shape.tag == "mask":
        return content.sized(*of("left", "top", "width", "height"))
    if shape.tag in OUTLINES:  # "x,y;x,y"
        pairs = (pair.partition(",") for pair in (shape.get("points") or "").split(";"))
        return content.bounds((content.number(x), content.number(y)) for x, _, y in pairs)
    return None
