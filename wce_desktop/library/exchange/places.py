"""Which frame of its study an image of an annotation file is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from training.datasets.annotations.content import AnnotatedImage
from training.datasets.table import MAX_FRAME
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.library.exchange.image_groups import NO_STUDY, ImageGroup, our_name
from wce_desktop.library.exchange.study_frames import FrameName, Studies, StudyFrames

TOO_LOW = to_translate("the number in the name is lower than that of the first frame")
OTHER_LENGTH = to_translate("numbers in the names lie past the end of the study, so they do not count its frames")
FoundBy = Literal["file name", "study and frame", "time", "number"]
"""How an image was matched with a frame: by the name of an image of the study, by what the file says, by a time or a
number in its name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of a study, its (height, width) in px where the recording can be read, and how it was matched."""

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
            return tr("The numbers count from {first}, as was chosen: {image} is frame {frame} of the window.",
                      first=first, **place)  # fmt: skip
        if self.first == 0:
            return tr("The numbers count from 0, because there is a number 0: {image} is frame {frame} of the window.",
                      **place)  # fmt: skip
        if self.first == 1:
            return tr("The numbers count from 1, because the highest is the study's number of frames: "
                      "{image} is frame {frame} of the window.", **place)  # fmt: skip
        return tr("The names do not show whether they count from 0 or from 1. 0 was taken: "
                  "{image} is frame {frame} of the window; check its boxes.", **place)  # fmt: skip


@dataclass
class Places:
    """Finds the frames of images whose study is known."""

    studies: Studies
    first_frame: int | None = None
    """Number that the names of images give the first frame; None: as the names show, else 0."""
    numbers: dict[str, Numbers] = field(default_factory=dict)
    """By study, what `learn_numbers` has seen."""
    _without_pattern: set[str] = field(default_factory=set)
    """Names of groups whose names follow no single pattern."""

    def learn_numbers(self, groups: Iterable[ImageGroup]) -> None:
        """Look at all images that are found by their names, before the first of them is placed."""
        for group in groups:
            frames = self.studies.by_id.get(group.study_id)
            if frames is None:
                continue
            named = [(image, name) for image, name in group.images if _certain_frame(image, frames)[0] is None]
            # One pattern holds for all names of a recording: the same text around a number, or around a time.
            if len({(name.before, name.after, name.is_time) for _, name in named if name.is_sure}) > 1:
                self._without_pattern.add(group.name)
                continue
            for image, name in named:
                if name.is_sure and name.frame_number is not None and not frames.is_folder:
                    number, study = name.frame_number, frames.study
                    example = image.file_name.rsplit("/", 1)[-1], number
                    seen = self.numbers.setdefault(study.study_id, Numbers(study.frame_count, number, number, example))
                    seen.lowest, seen.highest = min(seen.lowest, number), max(seen.highest, number)

    def place(self, image: AnnotatedImage, name: FrameName, group: ImageGroup) -> Place | str:
        """The frame that an image is, or why it is none."""
        frames = self.studies.by_id.get(group.study_id)
        if frames is None:
            return group.problem or NO_STUDY
        frame, found_by = _certain_frame(image, frames)
        if frame is None:
            frame, found_by = self._named_frame(name, group, frames)
        if isinstance(frame, str):
            return frame
        if frame >= MAX_FRAME or 0 < frames.study.frame_count <= frame:
            return to_translate("the frame lies past the end of the study")
        own = frames.own_size(image.file_name.rsplit("/", 1)[-1])
        size, stated = frames.frame_size, (image.height, image.width) if image.height and image.width else own
        if size is not None and stated is not None and stated != size:
            return to_translate("the size is not that of the study's frames")
        return Place(group.study_id, frame, size or stated, found_by)

    def _named_frame(self, name: FrameName, group: ImageGroup, frames: StudyFrames) -> tuple[int | str, FoundBy]:
        """The frame by the time or the number in a name."""
        if frames.is_folder:
            return to_translate("the study has no image of this name"), "number"
        if not name.is_sure or group.name in self._without_pattern:
            return to_translate("the numbers in the names follow no single pattern"), "number"
        if name.seconds is not None:
            frame = frames.frame_at(name.seconds, name.step_seconds)
            return to_translate("the study has no frame at the time in the name") if frame is None else frame, "time"
        number = name.frame_number
        if number is None:
            return to_translate("the name has no number of a frame"), "number"
        seen = self.numbers.get(group.study_id)
        first = 0 if seen is None or seen.first is None else seen.first
        first = first if self.first_frame is None else self.first_frame
        if seen is not None and 0 < seen.frame_count <= seen.highest - first:
            return OTHER_LENGTH, "number"
        return number - first if number >= first else TOO_LOW, "number"

    def example(self, group: ImageGroup, placed: Sequence[tuple[AnnotatedImage, Place]]) -> Iterator[str]:
        """The first, a middle and the last image of a recording whose frames were found by their names."""
        shown = sorted(
            ((place.frame_index, image.shown_name) for image, place in placed if place.found_by in ("time", "number"))
        )
        if not shown:
            return
        frames = self.studies.by_id[group.study_id]
        picked = dict.fromkeys(shown[at] for at in (0, len(shown) // 2, len(shown) - 1))
        yield tr(
            "{recording} is read as {study}: {examples}.",
            recording=group.name,
            study=frames.study.name,
            examples="; ".join(
                tr("{image} is frame {frame}, {seconds} s", image=name, frame=frame + 1,
                   seconds=number_text(frames.shown_seconds(frame), ".2f"))
                for frame, name in picked
            ),
        )  # fmt: skip


def _certain_frame(image: AnnotatedImage, frames: StudyFrames) -> tuple[int | str | None, FoundBy]:
    """The frame that a file or a name says without doubt, and how; None: it has to be found by its name."""
    ours = our_name(image)
    ours = ours if ours is not None and ours[0] else None
    if image.frame_index is not None:
        if ours is not None and ours[1] != image.frame_index:
            return to_translate("the name and the file give different frames"), "study and frame"
        return image.frame_index, "study and frame"
    named = frames.images.get(image.file_name.rsplit("/", 1)[-1])
    if named is not None:
        return named, "file name"
    return (None, "number") if ours is None else (ours[1], "study and frame")
