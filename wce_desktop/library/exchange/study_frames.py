"""Finds frames of a library's studies by the number or time in the name of an image."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.video import FrameIndex, build_index, first_picture, folders, formats
from training.video.image_header import image_size
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.study_pictures import kept_index

MAX_DIGITS = 9
"""Of a frame's number."""
_RENAMED = re.compile(r"(.+)[_.](?:png|jpe?g|bmp|tiff?|webp)\.rf\..*", re.IGNORECASE)
"""What Roboflow makes of a name: the suffix, and a hash."""
_TIME = re.compile(r"(.+)#t=(\d{1,7}(?:\.\d{1,9})?)(?:\.[A-Za-z]\w*)?")
"""What VoTT calls a frame of a video: its time in seconds."""
_SECONDS = re.compile(r"(.*?)(?<![\d.])(\d{1,7}\.\d{1,9})_?(?:s|sec|seconds)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_GENERIC = re.compile(r"(?:frames?|images?|img|pictures?|pics?|pts|no|nr)?", re.IGNORECASE)
"""Words that stand before the number in names of images of any study."""
_SAMPLED = re.compile(r".*_(?:mp4|m4v|mov|avi|mkv|webm|mpe?g|wmv)[-_]", re.IGNORECASE)
"""Before the number that Roboflow gives to a picture of a video: it counts the pictures taken, not the frames."""
_SEPARATORS = "-_. #()[]"


@dataclass(frozen=True, slots=True)
class FrameName:
    """A name cut at the number or the time of its frame.

    Attributes:
        before, after: the rest of the name.
        number: digits, or a time in seconds; empty: there is none.
        is_time: whether it is a time.
        is_sure: whether the other names show which of several numbers it is.
    """

    before: str
    number: str = ""
    after: str = ""
    is_time: bool = False
    is_sure: bool = True

    @property
    def frame_number(self) -> int | None:
        """As the name counts; None where there is none."""
        is_number = self.number and not self.is_time and len(self.number) <= MAX_DIGITS
        return int(self.number) if is_number else None

    @property
    def seconds(self) -> float | None:
        """The time; None where there is none."""
        return float(self.number) if self.is_time else None

    @property
    def step_seconds(self) -> float:
        """Half of the last digit of the time: names are rounded."""
        return 0.5 * 10.0 ** -len(self.number.partition(".")[2])

    @property
    def recordings(self) -> tuple[str, ...]:
        """What the name may say of the recording, the longest first; none where any study's images may be called so."""
        words = self.before.strip(_SEPARATORS)
        last = re.split(r"[-_. ]", words)[-1]
        short = words[: -len(last)].strip(_SEPARATORS) if last and _GENERIC.fullmatch(last) else words
        after = self.after.strip(_SEPARATORS)
        if not short:
            return () if _GENERIC.fullmatch(after) else (after,)
        return tuple(dict.fromkeys((words, short)))

    @property
    def is_free(self) -> bool:
        """Whether the number stands by itself, so that it is no part of a word such as a hash."""
        return not self.after or self.after[0] in _SEPARATORS


def plain_name(file_name: str) -> str:
    """A name without folders, suffix, and what Roboflow adds."""
    name = file_name.rsplit("/", 1)[-1]
    if (renamed := _RENAMED.fullmatch(name)) is not None:
        return renamed[1]
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and f".{suffix.lower()}" in formats.IMAGE_SUFFIXES | {".webp", ".gif"} else name


def frame_names(names: Collection[str], is_recording: Callable[[str], bool]) -> dict[str, FrameName]:
    """Each of the names of some images, as `plain_name` makes them, cut at its frame's number or time.

    Where several numbers stand in a name, the frame's is the last one if the rest names a recording; else the one that
    differs between names which are alike otherwise. Where more than one differs, it is the last one if several names
    share the rest; else it is not sure.

    Args:
        names: of images of which the file says the same.
        is_recording: whether a text is the name of a recording of the library.
    """
    alike: dict[str, list[str]] = {}
    cut: dict[str, FrameName] = {}
    for name in dict.fromkeys(names):
        if (timed := _TIME.fullmatch(name) or _SECONDS.fullmatch(name)) is not None:
            cut[name] = FrameName(timed[1], timed[2], is_time=True)
        else:
            alike.setdefault(_DIGITS.sub("0", name), []).append(name)
    for members in alike.values():
        cut |= _cut_alike(members, is_recording)
    return cut


def _cut_alike(names: Sequence[str], is_recording: Callable[[str], bool]) -> Mapping[str, FrameName]:
    """Of names that differ in their numbers only."""
    fields = {name: list(_DIGITS.finditer(name)) for name in names}
    count = len(fields[names[0]])
    if not count:
        return {name: FrameName(name) for name in names}
    at_last = {name: _cut_at(name, numbers[-1]) for name, numbers in fields.items()}
    named = {name for name, each in at_last.items() if each.is_free and any(map(is_recording, each.recordings[:1]))}
    named -= {name for name in names if is_recording(name)}  # "clip2" is the study clip2, not frame 2 of clip
    if named:
        return {name: replace(each, is_sure=name in named) for name, each in at_last.items()}
    differing = [at for at in range(count) if len({numbers[at].group() for numbers in fields.values()}) > 1]
    at = differing[0] if len(differing) == 1 else count - 1
    cut = {name: _cut_at(name, numbers[at]) for name, numbers in fields.items()}
    is_shared = len({(each.before, each.after) for each in cut.values()}) < len(names)
    is_sure = len(differing) == 1 or count == 1 or is_shared
    return {name: replace(each, is_sure=_is_sure(each, at == count - 1, is_sure)) for name, each in cut.items()}


def _cut_at(name: str, number: re.Match[str]) -> FrameName:
    return FrameName(name[: number.start()], number.group(), name[number.end() :])


def _is_sure(name: FrameName, is_last: bool, is_sure: bool) -> bool:
    """A number after a word such as "frame" is sure; one to which letters are glued may be part of a word."""
    is_after_word = re.search(r"(?:^|[-_. ])(?:frame|image|img)[-_. ]?$", name.before, re.IGNORECASE) is not None
    is_apart = is_last or not name.before or name.before[-1] in _SEPARATORS
    return name.is_free and is_apart and not _SAMPLED.fullmatch(name.before) and (is_sure or is_after_word)


def is_generic(words: str) -> bool:
    """Whether images and folders of any study may be called so."""
    return _GENERIC.fullmatch(_DIGITS.sub("", words).strip(_SEPARATORS)) is not None


LEAST_STEP = 1e-3
"""In seconds: by how much the time in a name may lie before that of its frame."""


@dataclass
class StudyFrames:
    """A study; its files are read when they are first asked for."""

    study: Study
    folder: Path | None = None
    """In the library, where the times of the frames are kept."""

    @cached_property
    def is_folder(self) -> bool:
        """Whether it is a folder of images, of which names and not numbers tell the frames; False where it is away."""
        return formats.is_folder(self.study.path)

    @cached_property
    def images(self) -> Mapping[str, int]:
        """Name of an image -> its frame, where it is one; empty for a video, and for a folder that is away."""
        if not self.is_folder:
            return {}
        try:
            names = list(folders.list_study(self.study.path, self.study.frame_numbering).names)
            if len(names) != self.study.frame_count:  # some hold several pictures, of which none is the name's
                names = list(self._index().files)
        except UserError:
            return {}
        counts = Counter(names)
        return {name: frame for frame, name in enumerate(names) if counts[name] == 1}

    @cached_property
    def frame_size(self) -> tuple[int, int] | None:
        """(height, width) of the frames in px as they are shown; None where the recording is away or damaged."""
        try:
            height, width, _ = first_picture(self.study.path, self.study.frame_numbering).shape
        except UserError:
            return None
        return height, width

    @cached_property
    def seconds(self) -> NDArray[np.float64] | None:
        """(N,) time of each frame; None where the recording is away or damaged."""
        try:
            return self._index().video_seconds
        except UserError:
            return None

    def _index(self) -> FrameIndex:
        """The index that the library keeps; where there is none, a new one."""
        index = kept_index(self.folder) if self.folder is not None else None
        if index is not None:
            return index
        return build_index(self.study.path, numbering=self.study.frame_numbering)

    def frame_at(self, seconds: float, rounding: float) -> int | None:
        """The frame that is on screen at a time; None past the end, and where times are not known.

        `rounding` is by how much the time may have been rounded down; of that at most a part of a frame counts, as
        names leave zeros at the end out.
        """
        times = self.seconds
        if times is None or not len(times):
            return None
        step = float(np.median(np.diff(times))) if len(times) > 1 else LEAST_STEP
        if seconds > float(times[-1]) + step:
            return None
        slack = max(min(rounding, step / 4), LEAST_STEP)
        return max(int(np.searchsorted(times, seconds + slack, "right")) - 1, 0)

    def shown_seconds(self, frame: int) -> float:
        """About when a frame is on screen, without opening the recording."""
        count = self.study.frame_count
        return self.study.duration_seconds * frame / (count - 1) if count > 1 else 0.0

    def own_size(self, name: str) -> tuple[int, int] | None:
        """(height, width) of one image of a folder, turned as the frames are; None for a video."""
        return image_size(self.study.path / name, self.study.frame_numbering) if name in self.images else None


class Studies:
    """All studies of a library, found by their names, ids and images."""

    def __init__(self, studies: tuple[Study, ...], folder_of: Callable[[str], Path] | None = None) -> None:
        """`folder_of` gives the folder of a study in the library by its id."""
        self.by_id = {
            study.study_id: StudyFrames(study, folder_of(study.study_id) if folder_of else None) for study in studies
        }

    @cached_property
    def _by_image(self) -> dict[str, set[str]]:
        """Name of an image -> the studies that have it."""
        having: dict[str, set[str]] = {}
        for study_id, frames in self.by_id.items():
            for name in frames.images:
                having.setdefault(name, set()).add(study_id)
        return having

    @cached_property
    def _by_name(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        """Id, title and file name of a recording, with and without suffix -> the studies; as written, and folded."""
        exact: dict[str, set[str]] = {}
        folded: dict[str, set[str]] = {}
        for study_id, frames in self.by_id.items():
            path = frames.study.path
            for name in {study_id, frames.study.name, path.name, path.stem}:
                composed = unicodedata.normalize("NFC", name)  # systems write an umlaut as one letter or as two
                exact.setdefault(composed, set()).add(study_id)
                folded.setdefault(composed.casefold(), set()).add(study_id)
        return exact, folded

    def named(self, name: str) -> frozenset[str]:
        """The studies that a name may mean, those written exactly so if there are any; none for a stranger."""
        exact, folded = self._by_name
        composed = unicodedata.normalize("NFC", name)
        result = exact.get(composed) or folded.get(composed.casefold())
        return frozenset(result or ()) if name else frozenset()

    def of_content(self, fingerprint: str, study_id: str) -> str:
        """The study with this content, of several the one with this id; empty: none, or not clear which."""
        having = [own for own, frames in self.by_id.items() if fingerprint and frames.study.fingerprint == fingerprint]
        return study_id if study_id in having else having[0] if len(having) == 1 else ""

    def of_image(self, name: str) -> str:
        """The one study that has an image of this name; empty: none or several."""
        having = self._by_image.get(name, set())
        return next(iter(having)) if len(having) == 1 else ""
