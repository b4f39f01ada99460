"""Which study and which frame an image of an annotation file is, by the names in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from training.datasets.annotations.content import AnnotatedImage, AnnotationFile
from training.datasets.table import MAX_FRAME
from training.errors import UserError
from training.video import first_picture
from training.video.formats import is_folder, study_images
from training.video.image_header import image_size
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.core.study import Study

NO_STUDY = to_translate("the names do not say which study they belong to, and no study was chosen")
NO_SUCH_IMAGE = to_translate("the study has no image of this name")
NO_NUMBER = to_translate("the name does not end with the number of a frame")
TOO_LOW = to_translate("the number in the name is lower than that of the first frame")
PAST_THE_END = to_translate("the frame lies past the end of the study")
OTHER_SIZE = to_translate("the size is not that of the study's frames")

_OURS = re.compile(r"(?:(.+)-)?frame-(\d{1,9})")
"""The end of what `frame_name` of `training.datasets.annotations.coco` makes, as one file name or below a folder."""
_GENERIC = re.compile(r"(?:frame|image|img|picture|pic)?[-_ ]?\d*", re.IGNORECASE)
"""Names that images of any study may have."""
_LAST_NUMBER = re.compile(r"(?:.*\D)?(\d{1,9})")


FoundBy = Literal["file name", "study and frame", "number"]
"""How an image was matched with a frame: by the name of an image of the study, by what the file says, by its number."""


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of a study, its (height, width) in px where the recording can be read, and how it was found."""

    study_id: str
    frame_index: int
    size: tuple[int, int] | None
    found_by: FoundBy


@dataclass
class Numbers:
    """The numbers in the names of images of one study, by which their frames are found.

    Attributes:
        frame_count: of the study; 0: unknown.
        lowest, highest: number of all names.
        example: one of the names, and its number.
    """

    frame_count: int
    lowest: int
    highest: int
    example: tuple[str, int]

    @property
    def first(self) -> int | None:
        """The number of the first frame, where the names show it: 0 or 1; None where both are possible."""
        if self.lowest == 0:
            return 0
        return 1 if 0 < self.frame_count == self.highest else None

    def sentence(self, chosen: int | None) -> str:
        """From which number the names count, and why that was taken."""
        name, number = self.example
        first = chosen if chosen is not None else self.first or 0
        if number < first:
            name, number = tr("the image with the highest number"), self.highest
        place = {"image": name, "frame": number_text(number - first + 1)}
        if chosen is not None:
            said = tr("The numbers count from {first}, as was chosen: {image} is frame {frame} of the window.",
                      first=first, **place)  # fmt: skip
        elif self.first == 0:
            said = tr("The numbers count from 0, because there is a number 0: {image} is frame {frame} of the window.",
                      **place)  # fmt: skip
        elif self.first == 1:
            said = tr("The numbers count from 1, because the highest is the study's number of frames: "
                      "{image} is frame {frame} of the window.", **place)  # fmt: skip
        else:
            said = tr("The names do not show whether they count from 0 or from 1. 0 was taken: "
                      "{image} is frame {frame} of the window; check its boxes.", **place)  # fmt: skip
        return said


@dataclass
class Recording:
    """A study with what is needed to find frames in it; its files are read when they are first asked for."""

    study: Study

    @cached_property
    def images(self) -> Mapping[str, int]:
        """Name of an image -> its frame; empty for a video, and for a folder that is away."""
        if not is_folder(self.study.path):
            return {}
        try:
            return {name: frame for frame, name in enumerate(study_images(self.study.path))}
        except UserError:
            return {}

    @cached_property
    def frame_size(self) -> tuple[int, int] | None:
        """(height, width) of the frames in px; None where the recording is away or damaged."""
        try:
            height, width, _ = first_picture(self.study.path, self.study.frame_numbering).shape
        except UserError:
            return None
        return height, width

    def own_size(self, name: str) -> tuple[int, int] | None:
        """(height, width) of one image of a folder; None for a video."""
        return image_size(self.study.path / name) if name in self.images else None


@dataclass
class Recordings:
    """All studies of a library, to find the images of annotation files in."""

    studies: tuple[Study, ...]
    first_frame: int | None = None
    """Number that the names of images give the first frame; None: as the names show, else 0."""
    by_id: dict[str, Recording] = field(init=False)
    numbers: dict[str, Numbers] = field(default_factory=dict)
    """By study, what `learn_numbers` has seen."""

    def __post_init__(self) -> None:
        self.by_id = {study.study_id: Recording(study) for study in self.studies}

    @cached_property
    def _by_image(self) -> dict[str, set[str]]:
        """Name of an image -> the studies that have it."""
        found: dict[str, set[str]] = {}
        for study_id, recording in self.by_id.items():
            for name in recording.images:
                found.setdefault(name, set()).add(study_id)
        return found

    @cached_property
    def _by_video(self) -> dict[str, set[str]]:
        """File name of a recording, with and without its suffix, and id -> the studies of that name."""
        found: dict[str, set[str]] = {}
        for study in self.studies:
            for name in {study.study_id, study.path.name.lower(), study.path.stem.lower()}:
                found.setdefault(name, set()).add(study.study_id)
        return found

    def study_of_file(self, file: AnnotationFile) -> str:
        """The one study that a file names, as its recording or in its own name; empty where it names none."""
        for name in (file.recording, Path(file.recording).stem, file.path.stem):
            if study_id := self._named(name):
                return study_id
        return ""

    def study_of_image(self, image: AnnotatedImage) -> str:
        """The one study that an image names: by its id, by the name of an image, or by that of the video before it."""
        if image.study_id in self.by_id:
            return image.study_id
        if (ours := _ours(image)) and ours[0] in self.by_id:
            return ours[0]
        if _GENERIC.fullmatch(image.stem):
            return ""
        having = self._by_image.get(image.file_name.rsplit("/", 1)[-1], set())
        if len(having) == 1:
            return next(iter(having))
        return self._named(image.stem.rstrip("0123456789").rstrip("._- "))

    def place(self, image: AnnotatedImage, study_id: str) -> Place | str:
        """The frame of a study that an image is, or why it is none."""
        recording = self.by_id.get(study_id)
        if recording is None:
            return NO_STUDY
        name = image.file_name.rsplit("/", 1)[-1]
        frame, found_by = self._certain_frame(image, recording)
        if frame is None:
            if recording.images:
                return NO_SUCH_IMAGE
            number, found_by = _last_number(image), "number"
            if number is None:
                return NO_NUMBER
            frame = number - self._first_of(study_id)
            if frame < 0:
                return TOO_LOW
        if frame >= MAX_FRAME or 0 < recording.study.frame_count <= frame:
            return PAST_THE_END
        said = (image.height, image.width) if image.height and image.width else recording.own_size(name)
        size = recording.frame_size
        if size is not None and said is not None and said != size:
            return OTHER_SIZE
        return Place(study_id, frame, size or said, found_by)

    def _certain_frame(self, image: AnnotatedImage, recording: Recording) -> tuple[int | None, FoundBy]:
        """The frame that a file or a name says without doubt, and how; None: it has to be found by its number."""
        if image.frame_index is not None:
            return image.frame_index, "study and frame"
        named = recording.images.get(image.file_name.rsplit("/", 1)[-1])
        if named is not None:
            return named, "file name"
        ours = _ours(image)
        return (None, "number") if ours is None else (ours[1], "study and frame")

    def learn_numbers(self, images: Iterable[tuple[AnnotatedImage, str]]) -> None:
        """Look at all images that are found by the numbers in their names, before the first of them is placed.

        Args:
            images: with the id of the study of each; "" for none.
        """
        for image, study_id in images:
            recording = self.by_id.get(study_id)
            if recording is None or recording.images or self._certain_frame(image, recording)[0] is not None:
                continue
            number = _last_number(image)
            if number is None:
                continue
            known = self.numbers.get(study_id)
            if known is None:
                count, name = recording.study.frame_count, image.file_name.rsplit("/", 1)[-1]
                self.numbers[study_id] = Numbers(count, number, number, (name, number))
            else:
                known.lowest, known.highest = min(known.lowest, number), max(known.highest, number)

    def _first_of(self, study_id: str) -> int:
        """What the first frame of a study is called in names of images."""
        if self.first_frame is not None:
            return self.first_frame
        known = self.numbers.get(study_id)
        return 0 if known is None or known.first is None else known.first

    def _named(self, name: str) -> str:
        having = self._by_video.get(name, set()) | self._by_video.get(name.lower(), set())
        return next(iter(having)) if len(having) == 1 and name else ""


def _last_number(image: AnnotatedImage) -> int | None:
    """The number that the name of an image ends with."""
    found = _LAST_NUMBER.fullmatch(image.stem)
    return None if found is None else int(found[1])


def _ours(image: AnnotatedImage) -> tuple[str, int] | None:
    """Study and frame in a name that this program gave."""
    found = _OURS.fullmatch(image.stem)
    if found is None:
        return None
    folders = image.file_name.split("/")[:-1]
    return found[1] or (folders[-1] if folders else ""), int(found[2])


def check_recording(file: AnnotationFile, recording: Recording) -> None:
    """Refuse a file that was made for another recording.

    Raises:
        UserError: its number of frames or their size differs.
    """
    study = recording.study
    count, size = study.frame_count, recording.frame_size if file.size is not None else None
    if file.frame_count is not None and 0 < count != file.frame_count:
        raise UserError(
            tr(
                "{file} was made for a recording of {theirs} frames; study {study} has {ours}.",
                file=file.path,
                theirs=file.frame_count,
                study=study.study_id,
                ours=count,
            ),
            tr("Frame numbers of another recording cannot be used. Choose the study that the file belongs to."),
        )
    if file.size is not None and size is not None and file.size != size:
        raise UserError(
            tr(
                "{file} was made for frames of {theirs} px; those of study {study} have {ours} px.",
                file=file.path,
                theirs=f"{file.size[1]} x {file.size[0]}",
                study=study.study_id,
                ours=f"{size[1]} x {size[0]}",
            ),
            tr("Choose the study that the file belongs to."),
        )
