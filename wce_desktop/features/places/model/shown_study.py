"""What is shown of a study beside another one: read in a thread, without opening it in the session."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import NORMAL, LabelTrack
from wce_desktop.core.annotation.landmark import Landmark
from wce_desktop.session.frame_facts import FramePlace, FramePlaces
from wce_desktop.session.session import Session


@dataclass(frozen=True, eq=False)
class ShownStudy:
    """A study, read only.

    Attributes:
        place: where its frames are read.
        tracks: class but normal -> (N,) scores of the model in use; none without scores.
        colors: (M, 3) mean tissue colours, or None.
        threshold: score at and above which a frame is flagged.
    """

    place: FramePlace
    tracks: dict[str, NDArray[np.float32]]
    colors: NDArray[np.uint8] | None
    threshold: float
    labels: LabelTrack
    findings: tuple[Finding, ...]
    landmarks: tuple[Landmark, ...]

    @property
    def study_id(self) -> str:
        """Its name in the library."""
        return self.place.study.study_id

    @property
    def name(self) -> str:
        """What the list of studies calls it."""
        return self.place.study.name

    @property
    def video_seconds(self) -> NDArray[np.float64]:
        """(N,) the times of its frames."""
        return self.place.index.video_seconds


class StudyReader:
    """Reads studies for one model; may be asked in any thread."""

    def __init__(self, session: Session) -> None:
        self._places = FramePlaces(session)
        self._library, self._files, self._model_id = session.library, session.files, session.model_id
        self._threshold = float(session.settings["threshold"])

    def read(self, study_id: str) -> ShownStudy:
        """A study with what is known of it.

        Raises:
            UserError: its video is gone, or it was never opened.
        """
        place = self._places(study_id)
        tracks: dict[str, NDArray[np.float32]] = {}
        colors, frames = None, len(place.index)
        loaded = self._files(place.study).load_scores(self._model_id, frames) if self._model_id else None
        if loaded is not None:
            file, scores = loaded
            tracks = {name: scores.dense(name, frames) for name in scores.classes if name != NORMAL}
            with file:
                colors = file.mean_color
        library = self._library
        return ShownStudy(
            place,
            tracks,
            colors,
            self._threshold if place.study.threshold is None else place.study.threshold,
            library.annotations.label_track(study_id),
            library.annotations.findings(study_id),
            library.annotations.landmarks(study_id),
        )
