"""What annotation files say, whatever their format: images with boxes and labels, and what could not be used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from training.datasets.table import MAX_FRAME
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
    """Of the explanation that suggested it, such as "score-cam"; empty: not said."""
    score: float | None = None
    """In [0, 1]: how strong the suggestion is; None: a reader drew it, or it is not said."""


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

    @property
    def box_count(self) -> int:
        """How many boxes can be used."""
        return sum(len(image.boxes) for image in self.images)

    def add_box(
        self,
        image: AnnotatedImage,
        name: str,
        corners: Sequence[float | None],
        *,
        is_relative: bool = False,
        source: Source = "drawn",
        method: str = "",
    ) -> None:
        """Add a box of (x_min, y_min, x_max, y_max), or count why it cannot be used."""
        if not name:
            self.leave_out(BOX, NO_CLASS, image)
            return
        x_min, y_min, x_max, y_max = corners
        if x_min is None or y_min is None or x_max is None or y_max is None:
            self.leave_out(BOX, NO_NUMBERS, image)
        elif not (x_min < x_max and y_min < y_max):
            self.leave_out(BOX, EMPTY, image)
        elif not is_relative and max(x_max, y_max) <= 1:
            self.leave_out(BOX, SHARES, image)
        else:
            image.boxes.append(AnnotatedBox(name, x_min, y_min, x_max, y_max, is_relative, source, method))

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


def bounds(points: Iterable[tuple[float | None, float | None]]) -> tuple[float | None, ...]:
    """(x_min, y_min, x_max, y_max) around points; four times None where one is no number, or there is none."""
    xs, ys = [], []
    for x, y in points:
        if x is None or y is None:
            return (None,) * 4
        xs.append(x)
        ys.append(y)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (None,) * 4


def turned(corners: Sequence[float | None], degrees: float) -> tuple[float | None, ...]:
    """The box around a box that is turned about its centre."""
    x_min, y_min, x_max, y_max = corners
    if x_min is None or y_min is None or x_max is None or y_max is None:
        return tuple(corners)
    across, down, angle = (x_max - x_min) / 2, (y_max - y_min) / 2, math.radians(degrees % 360)
    x, y = (x_min + x_max) / 2, (y_min + y_max) / 2
    half_width = abs(across * math.cos(angle)) + abs(down * math.sin(angle))
    half_height = abs(across * math.sin(angle)) + abs(down * math.cos(angle))
    return x - half_width, y - half_height, x + half_width, y + half_height


def number(value: Any) -> float | None:
    """A finite number, from JSON or from the text of XML; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if abs(found) <= MAX_FRAME else None  # not a number compares as False


def whole(value: Any) -> int | None:
    """A whole number from 0 on; None for anything else."""
    found = number(value)
    return int(found) if found is not None and found >= 0 and found == int(found) else None


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
