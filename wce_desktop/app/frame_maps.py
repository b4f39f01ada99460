"""Which explanation a frame of the open study has: from its scores at once, else from what was computed for it."""

from dataclasses import dataclass

import numpy as np

from wce_desktop.app.session import Session
from wce_desktop.core.explained_map import ExplainedMap
from wce_desktop.core.label import NORMAL
from wce_desktop.core.overlay import full_scale_of

SCALE_SAMPLE = 2000  # frames that the overlay's scale is taken from


@dataclass(frozen=True, slots=True)
class Method:
    """A way of explaining: its name for requests, and what the screen calls it."""

    name: str
    title: str
    tip: str


METHODS = (
    Method("cam", "CAM", "The classifier's evidence, coarse and at once, also while playing."),
    Method("quick", "Score-CAM, quick", "Covers parts of the frame and watches the score; strongest channels only."),
    Method("score-cam", "Score-CAM, exact", "Covers parts of the frame and watches the score; every channel."),
)
_METHODS = {method.name: method for method in METHODS}


def method_of(name: str) -> Method:
    """The method of this name."""
    return _METHODS[name]


def explained_classes(session: Session) -> tuple[str, ...]:
    """The classes that can be explained: those of the scores, else those of the model in use, without normal."""
    reading, model = session.reading, session.current_model
    if reading is None or reading.scores is not None or model is None:
        return reading.pathology_names if reading is not None else ()
    return tuple(name for name in model.classes if name != NORMAL)


class FrameMaps:
    """The maps of the explained class on the frames of the open study, by the chosen method."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.method = METHODS[0].name
        self.class_name: str | None = None
        self._scale: tuple[object, float | None] = (None, None)

    def of(self, frame_index: int) -> ExplainedMap | None:
        """The map of a frame, or None while it has none."""
        return self._from_scores(frame_index) if self.method == "cam" else None

    @property
    def is_from_scores(self) -> bool:
        """Whether every scored frame has its map already."""
        reading = self._session.reading
        has_cams = reading is not None and reading.embeddings is not None and reading.embeddings.cams is not None
        return self.method == "cam" and has_cams and self.class_name in self._columns()

    def _columns(self) -> tuple[str, ...]:
        reading = self._session.reading
        return () if reading is None else reading.embeddings_classes

    def _from_scores(self, frame_index: int) -> ExplainedMap | None:
        """The CAM that scoring kept; all frames on one scale, so that weak evidence looks weak."""
        reading, model = self._session.reading, self._session.current_model
        if not self.is_from_scores or reading is None or reading.embeddings is None or model is None:
            return None
        cams = reading.embeddings.cams
        assert cams is not None
        column = self._columns().index(self.class_name or "")
        values = np.asarray(cams[frame_index, column], dtype=np.float32)
        if np.isnan(values).any():
            return None
        known = self._session.vocabulary.of(self.class_name or "")
        return ExplainedMap(values, self._scale_of(cams, column), f"CAM, {known.title}", model.title)

    def _scale_of(self, cams: np.ndarray, column: int) -> float | None:
        key = (id(cams), column)
        if self._scale[0] != key:
            every = max(1, len(cams) // SCALE_SAMPLE)
            self._scale = (key, full_scale_of(np.asarray(cams[::every, column])))
        return self._scale[1]
