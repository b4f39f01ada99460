"""A frame of any study of the library: whose it is, its time, its labels, and where it is read."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import field_of_view_of
from training.errors import UserError
from training.video import FieldOfView, FrameIndex, build_index
from wce_desktop.core import format_frame, format_time, tr
from wce_desktop.core.annotation import LabelTrack, shown_name
from wce_desktop.core.study import Study
from wce_desktop.session import places, study_files
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class FramePlace:
    """What is needed to read the frames of a study."""

    study: Study  # its row in the library
    index: FrameIndex  # its frames and their times
    field_of_view: FieldOfView | None  # as scoring found it; None where the study was not scored by the model in use

    @property
    def path(self) -> Path:
        """The video file or folder of images."""
        return self.study.path


def place_of(reading: Reading) -> FramePlace:
    """Where the frames of the open study are read."""
    return FramePlace(reading.study, reading.index, reading.flags.field_of_view)


class FramePlaces:
    """Looks places up for one model; may be asked in any thread."""

    def __init__(self, session: Session) -> None:
        self._library, self._files, self._model_id = session.library, session.files, session.model_id

    def __call__(self, study_id: str) -> FramePlace:
        """The place of a study's frames.

        Raises:
            UserError: the library has no such study, or its video is gone, cannot be read, or is another one now.
        """
        try:
            study = self._library.studies.get(study_id)
        except KeyError as error:
            raise UserError(
                "The library no longer has the study {study_id}.", "Search again.", repr(study_id)
            ) from error
        if not places.is_there(study.path):
            raise UserError(
                "The video of “{name}” was not found.", "Locate it: Study, Find a moved video.", study.shown_name
            )
        files = self._files(study)
        index = files.load_index(study.fingerprint) or self._new_index(study, files)
        return FramePlace(study, index, self._field_of_view(files))

    @staticmethod
    def _new_index(study: Study, files: study_files.StudyFiles) -> FrameIndex:
        """The index of an imported study that was never opened; kept for the next time."""
        index = build_index(study.path, numbering=study.frame_numbering)
        if index.fingerprint != study.fingerprint:
            raise UserError(
                "The file of “{name}” has changed since it was added.", "Open it as a new study.", study.shown_name
            )
        with suppress(UserError):  # a library that cannot be written has to do it again
            files.save_index(index)
        return index

    def _field_of_view(self, files: study_files.StudyFiles) -> FieldOfView | None:
        path = files.scores_path(self._model_id)
        if not self._model_id or not path.is_file():
            return None
        try:
            with files.open_embeddings(path) as file:
                return field_of_view_of(file)
        except UserError:  # without it frames are shown as they are
            return None


@dataclass(frozen=True)
class FrameFact:
    """Texts that describe one frame."""

    study_id: str
    frame_index: int
    study_name: str  # `Study.shown_name`; the id if the study was deleted
    video_seconds: float  # NaN where the study has no index
    labels: tuple[str, ...]  # names of the classes that the frame carries

    @property
    def caption(self) -> str:
        """“P03 · 1:02:14”."""
        return f"{self.study_name} · {format_time(self.video_seconds)}"

    @property
    def sentence(self) -> str:
        """“P03, frame 31,204 at 1:02:14, labelled polyp”."""
        study, frame, time = self.study_name, format_frame(self.frame_index + 1), format_time(self.video_seconds)
        if not self.labels:
            return tr("{study}, frame {frame} at {time}, without a label", study=study, frame=frame, time=time)
        labels = tr(" and ").join(map(shown_name, self.labels))
        return tr(
            "{study}, frame {frame} at {time}, labelled {labels}", study=study, frame=frame, time=time, labels=labels
        )


class FrameFacts:
    """Reads the data of frames study by study and caches them until `forget`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._studies: dict[str, Study | None] = {}
        self._seconds: dict[str, NDArray[np.float64]] = {}
        self._labels: dict[str, LabelTrack] = {}

    def of(self, study_id: str, frame_index: int) -> FrameFact:
        """Data of one frame."""
        study, seconds = self.study(study_id), self._seconds_of(study_id)
        at = float(seconds[frame_index]) if seconds is not None and frame_index < len(seconds) else float("nan")
        labels = tuple(label.name for label in self.labels(study_id).at(frame_index))
        return FrameFact(study_id, frame_index, study.shown_name if study else study_id, at, labels)

    def study(self, study_id: str) -> Study | None:
        """A study, or None if it was deleted."""
        if study_id not in self._studies:
            self._studies[study_id] = None
            with suppress(KeyError):
                self._studies[study_id] = self._session.library.studies.get(study_id)
        return self._studies[study_id]

    def labels(self, study_id: str) -> LabelTrack:
        """The labels of a study; of the open one those that the session holds."""
        reading = self._session.reading
        if reading is not None and reading.study.study_id == study_id:
            return reading.entries.labels
        if study_id not in self._labels:
            self._labels[study_id] = self._session.library.annotations.label_track(study_id)
        return self._labels[study_id]

    def forget(self) -> None:
        """Labels or studies have changed: look everything but the times up again."""
        self._studies.clear()
        self._labels.clear()

    def _seconds_of(self, study_id: str) -> NDArray[np.float64] | None:
        reading = self._session.reading
        if reading is not None and reading.study.study_id == study_id:
            return reading.index.video_seconds
        if study_id not in self._seconds:
            study = self.study(study_id)
            index = self._session.files(study).load_index(study.fingerprint) if study else None
            if index is None:  # until the study is opened
                return None
            self._seconds[study_id] = index.video_seconds
        return self._seconds[study_id]
