"""The studies of a library with what is needed to find frames in them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.video import FrameIndex, build_index, first_picture
from training.video.folders import study_images
from training.video.formats import is_folder
from training.video.image_header import image_size
from wce_desktop.core.study import Study

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
        return is_folder(self.study.path)

    @cached_property
    def images(self) -> Mapping[str, int]:
        """Name of an image -> its frame, where it is one; empty for a video, and for a folder that is away."""
        if not self.is_folder:
            return {}
        try:
            names = list(study_images(self.study.path, self.study.frame_numbering))
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
        try:
            if self.folder is not None:
                return FrameIndex.load(self.folder / "index.npz")
        except (UserError, OSError):
            pass  # not made yet, of an older version, or damaged: it can be made again
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
        found = exact.get(composed) or folded.get(composed.casefold())
        return frozenset(found or ()) if name else frozenset()

    def of_content(self, fingerprint: str, study_id: str) -> str:
        """The study with this content, of several the one with this id; empty: none, or not clear which."""
        having = [own for own, frames in self.by_id.items() if fingerprint and frames.study.fingerprint == fingerprint]
        return study_id if study_id in having else having[0] if len(having) == 1 else ""

    def of_image(self, name: str) -> str:
        """The one study that has an image of this name; empty: none or several."""
        having = self._by_image.get(name, set())
        return next(iter(having)) if len(having) == 1 else ""
