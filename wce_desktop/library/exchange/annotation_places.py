"""Which study and which frame an image of an annotation file is, by the names in the file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from training.datasets.annotations.content import AnnotatedImage, AnnotationFile
from training.datasets.table import MAX_FRAME
from training.errors import UserError
from training.video import first_picture
from training.video.formats import is_folder, study_images
from training.video.image_header import image_size
from wce_desktop.core.study import Study

NO_STUDY = "the names say no study, and none was chosen"
NO_SUCH_IMAGE = "the study has no image of this name"
NO_NUMBER = "the name does not end with the number of a frame"
PAST_THE_END = "the frame lies past the end of the study"
OTHER_SIZE = "the size is not that of the study's frames"

_OURS = re.compile(r"(?:(.+)-)?frame-(\d{1,9})")
"""The end of what `frame_name` of `training.datasets.annotations.coco` makes, as one file name or below a folder."""
_GENERIC = re.compile(r"(?:frame|image|img|picture|pic)?[-_ ]?\d*", re.IGNORECASE)
"""Names that images of any study may have."""
_LAST_NUMBER = re.compile(r"(?:.*\D)?(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of a study, and its (height, width) in px where the recording can be read.

    `is_guessed`: its number was read off the name of an image of another program.
    """

    study_id: str
    frame_index: int
    size: tuple[int, int] | None
    is_guessed: bool = False


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
            height, width, _ = first_picture(self.study.path).shape
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
    first_frame: int = 0
    """Number that the names of images give the first frame."""
    by_id: dict[str, Recording] = field(init=False)

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
        frame, is_guessed = image.frame_index, False
        if frame is None:
            frame = recording.images.get(name)
        if frame is None and (ours := _ours(image)):
            frame = ours[1]
        if frame is None and not recording.images:
            frame, is_guessed = self._last_number(image), True
        if frame is None:
            return NO_SUCH_IMAGE if recording.images else NO_NUMBER
        if frame >= MAX_FRAME or 0 < recording.study.frame_count <= frame:
            return PAST_THE_END
        said = (image.height, image.width) if image.height and image.width else recording.own_size(name)
        size = recording.frame_size
        if size is not None and said is not None and said != size:
            return OTHER_SIZE
        return Place(study_id, frame, size or said, is_guessed)

    def _last_number(self, image: AnnotatedImage) -> int | None:
        """The frame whose number the name of an image ends with."""
        found = _LAST_NUMBER.fullmatch(image.stem)
        frame = -1 if found is None else int(found[1]) - self.first_frame
        return frame if frame >= 0 else None

    def _named(self, name: str) -> str:
        having = self._by_video.get(name, set()) | self._by_video.get(name.lower(), set())
        return next(iter(having)) if len(having) == 1 and name else ""


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
            f"{file.path} was made for a recording of {file.frame_count:,} frames; study {study.study_id} has "
            f"{count:,}.",
            "Frame numbers of another recording cannot be used. Choose the study that the file belongs to.",
        )
    if file.size is not None and size is not None and file.size != size:
        raise UserError(
            f"{file.path} was made for frames of {file.size[1]} x {file.size[0]} px; those of study "
            f"{study.study_id} have {size[1]} x {size[0]} px.",
            "Choose the study that the file belongs to.",
        )
