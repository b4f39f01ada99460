"""What annotation files say, whatever their format, and what the files of one import may take in all."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeAlias

from training.datasets.table import MAX_FRAME
from training.errors import UserError
from training.settings import MAX_TEXT
from training.texts import Text

Source = Literal["suggestion", "accepted", "drawn"]
"""A weak label nobody looked at, one that a reader accepted, or a box that a reader drew."""

BOX, IMAGE, LABEL = "box", "image", "label"
"""What is counted where something is left out."""

EMPTY = "nothing lies inside"
NO_NUMBERS = "the corners are not numbers"
NO_CLASS = "no class is given"
NO_EXTENT = "points and lines have no area"
COPIED = "the same box is in the file twice"
SHARES = "it is smaller than a pixel, as if its numbers were shares of the image"
SHOWN_IMAGES = 3

Corners: TypeAlias = tuple[float, float, float, float]
"""(x_min, y_min, x_max, y_max) of a box; nan for what is not a number."""
NOWHERE: Corners = (math.nan,) * 4


@dataclass(frozen=True, slots=True)
class AnnotatedBox:
    """A box of a class; in px of the image, or in shares of its width and height."""

    name: str
    """The class, in the file's words."""
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    is_relative: bool = False
    source: Source = "drawn"
    method: str = ""
    """What suggested it, where a reader accepted it."""
    score: float | None = None
    """In [0, 1]: the model's score of the class in this frame, or how clear the map is; None: a reader drew it."""


@dataclass(frozen=True, slots=True)
class Video:
    """What a file says of the recording that its images come from."""

    name: str = ""
    """File name of the recording."""
    title: str = ""
    """Of the task in which it was annotated; often, but not always, the name of the recording."""
    frame_count: int | None = None
    """Frames of the recording."""
    size: tuple[int, int] | None = None
    """(height, width) of its frames in px."""
    last_frame: int | None = None
    """Highest number of a frame that the recording has to have, 0-based."""


@dataclass(slots=True)
class AnnotatedImage:
    """An image with what is said of it."""

    file_name: str = ""
    """As the file gives it, with "/" between folders; empty for a frame of a video."""
    width: int | None = None
    """In px."""
    height: int | None = None
    """In px."""
    study_id: str = ""
    """The study, where this program wrote the file."""
    frame_index: int | None = None
    """0-based, where the file says it."""
    video_seconds: float | None = None
    original_name: str = ""
    """The name before another tool gave it a new one, where the file says it."""
    video: Video = Video()
    boxes: list[AnnotatedBox] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    """Classes of the whole image, in the file's words."""
    absent: list[str] = field(default_factory=list)
    """Classes of which a reader said that they are not there; nothing is said of others."""

    @property
    def shown_name(self) -> str:
        """What a person knows it by: its name, or the number of its frame in the file."""
        where = (
            Text("frame number {frame_index} of {name}", self.frame_index, self.video.name)
            if self.video.name
            else Text("frame number {frame_index}", self.frame_index)
        )
        return self.file_name.rsplit("/", 1)[-1] or where

    @property
    def stem(self) -> str:
        """The name without folders and suffix."""
        name = self.file_name.rsplit("/", 1)[-1]
        return name.rsplit(".", 1)[0] if "." in name else name


@dataclass(slots=True)
class AnnotationFile:
    """The content of one file, or of a folder whose files belong together."""

    path: Path
    format: str
    """"COCO", "CVAT for video" and the like."""
    images: list[AnnotatedImage] = field(default_factory=list)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(what is counted, why it cannot be used) -> how many."""
    where: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """The same -> names of the first images that are meant."""
    notes: list[str] = field(default_factory=list)
    fingerprints: dict[str, str] = field(default_factory=dict)
    """Study -> fingerprint of its recording, where this program wrote the file."""

    def add_box(
        self,
        image: AnnotatedImage,
        name: str,
        corners: Corners | None,
        *,
        is_relative: bool = False,
        source: Source = "drawn",
        method: str = "",
    ) -> None:
        """Add a box of (x_min, y_min, x_max, y_max), or count why it cannot be used; None: it has no area."""
        x_min, y_min, x_max, y_max = corners or NOWHERE
        if corners is None:
            self.leave_out(BOX, NO_EXTENT, image)
        elif not name:
            self.leave_out(BOX, NO_CLASS, image)
        elif any(map(math.isnan, corners)):
            self.leave_out(BOX, NO_NUMBERS, image)
        elif not (x_min < x_max and y_min < y_max):
            self.leave_out(BOX, EMPTY, image)
        elif not is_relative and max(x_max, y_max) <= 1:
            self.leave_out(BOX, SHARES, image)
        else:
            image.boxes.append(AnnotatedBox(name, x_min, y_min, x_max, y_max, is_relative, source, method))

    def add_negatives(self, negatives: Iterable[AnnotatedImage]) -> None:
        """Add frames on which classes are `absent`: to the images of these frames, or as images of their own."""
        by_frame = {(image.study_id, image.frame_index): image for image in self.images}
        for negative in negatives:
            image = by_frame.setdefault((negative.study_id, negative.frame_index), negative)
            if image is negative:
                self.images.append(image)
            else:
                image.absent += negative.absent

    def take(self, other: AnnotationFile) -> None:
        """Take in the images of another file of this format, and what it leaves out."""
        self.images += other.images
        self.fingerprints |= other.fingerprints
        self.left_out += other.left_out
        for key, names in other.where.items():
            self.where[key] = [*self.where.get(key, []), *names][: SHOWN_IMAGES + 1]

    def leave_out(self, kind: str, reason: str, image: AnnotatedImage) -> None:
        """Count something that cannot be used, and keep the names of the first images it is on."""
        self.left_out[kind, reason] += 1
        names = self.where.setdefault((kind, reason), [])
        if len(names) <= SHOWN_IMAGES and (name := image.shown_name) not in names:
            names.append(name)

    def drop_copies(self) -> None:
        """Count boxes that an image has twice, and keep each once."""
        for image in self.images:
            once = list(dict.fromkeys(image.boxes))
            self.left_out[BOX, COPIED] += len(image.boxes) - len(once)
            image.boxes = once


def bounds(points: Iterable[tuple[float, float]]) -> Corners:
    """The box around points; `NOWHERE` where one is not a number, or there is none."""
    every = list(points)
    if not every or any(map(math.isnan, chain(*every))):
        return NOWHERE
    xs, ys = zip(*every, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def sized(x: float, y: float, width: float, height: float) -> Corners:
    """The box of this size whose upper left corner is given."""
    return x, y, x + width, y + height


def turned(corners: Corners, degrees: float) -> Corners:
    """The box around a box that is turned about its centre."""
    x_min, y_min, x_max, y_max = corners
    across, down, angle = (x_max - x_min) / 2, (y_max - y_min) / 2, math.radians(degrees % 360)
    x, y = (x_min + x_max) / 2, (y_min + y_max) / 2
    half_width = abs(across * math.cos(angle)) + abs(down * math.sin(angle))
    half_height = abs(across * math.sin(angle)) + abs(down * math.cos(angle))
    return x - half_width, y - half_height, x + half_width, y + half_height


def number(value: Any) -> float:
    """A finite number, from JSON or from the text of XML; nan for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        result = float(value)
    except (ValueError, OverflowError):
        return math.nan
    return result if abs(result) <= MAX_FRAME else math.nan


def whole(value: Any) -> int | None:
    """A whole number from 0 on; None for anything else."""
    result = number(value)
    return int(result) if result >= 0 and result.is_integer() else None


def pixels(value: Any) -> int | None:
    """A width or height in px; None for anything else, and for 0."""
    return whole(value) or None


def texts(value: object) -> dict[str, str]:
    """The texts of a JSON object by their names; none of what is no object."""
    return {name: of for name, each in value.items() if (of := text(each))} if isinstance(value, dict) else {}


def text(value: Any) -> str:
    """A name or number as a short text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    try:
        return str(value).strip()[:MAX_TEXT]
    except ValueError:  # thousands of digits
        return ""


def name_of_file(value: Any) -> str:
    """A file's name with "/" between folders."""
    return text(value).replace("\\", "/")


def dicts(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; none where it is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


MAX_ANNOTATIONS = 1_000_000
"""Images, boxes and labels; they take some 600 MB."""
MAX_IMPORT_BYTES = 4 * 1024**3
"""Of the files; some hold the images themselves."""
_LETTERS = 100
"""Of names: more count as a further annotation."""


class ImportTooLargeError(UserError):
    """The files of an import take too much together; none of them is imported."""


@dataclass(slots=True)
class Budget:
    """Counts what the files read so far take."""

    annotations: int = 0
    interpolated: int = 0
    """Boxes between the key frames of tracks; among the annotations."""
    read_bytes: int = 0

    def take_bytes(self, path: Path) -> None:
        """Count a file before it is read.

        Raises:
            ImportTooLargeError: the files have more than `MAX_IMPORT_BYTES`.
        """
        try:
            self.read_bytes += path.stat().st_size
        except OSError:
            return  # whatever is wrong with it is said when it is read
        if self.read_bytes > MAX_IMPORT_BYTES:
            raise ImportTooLargeError(
                "The annotation files have more than {max_import_bytes:,} bytes together.",
                "Import them in parts.",
                MAX_IMPORT_BYTES,
            )

    def take(self, count: int) -> None:
        """Count annotations.

        Raises:
            ImportTooLargeError: the files hold more than `MAX_ANNOTATIONS`.
        """
        self.annotations += count
        if self.annotations > MAX_ANNOTATIONS:
            raise ImportTooLargeError(
                "The files hold more than {max_annotations:,} images, boxes and labels together.",
                "Import them in parts.",
                MAX_ANNOTATIONS,
            )

    def take_file(self, file: AnnotationFile, counted: int = 0) -> None:
        """Count what was read of a file, but for `counted` annotations of it that were counted before."""
        self.take(sum(map(_size, file.images)) - counted)


def _size(image: AnnotatedImage) -> int:
    names = [image.file_name, image.original_name, *image.labels, *image.absent]
    letters = sum(map(len, names)) + sum(len(box.name) for box in image.boxes)
    return 1 + len(image.boxes) + len(image.labels) + len(image.absent) + letters // _LETTERS
