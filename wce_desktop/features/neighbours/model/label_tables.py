"""Labels of many studies as a search needs them: read once, kept until an edit."""

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.label import LabelTrack
from wce_desktop.library import Library


class LabelTables:
    """Labels of frames; read by the search thread, invalidated by edits in the window's thread."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._tracks: dict[str, LabelTrack] = {}
        self._names: dict[str, dict[int, tuple[str, ...]]] = {}

    def forget(self) -> None:
        """Labels have changed: read them again when they are asked for next."""
        self._tracks, self._names = {}, {}

    def track(self, study_id: str) -> LabelTrack:
        """The labels of a study, from the library."""
        tracks = self._tracks  # `forget` may put another dictionary in its place meanwhile
        if study_id not in tracks:
            tracks[study_id] = self._library.annotations.label_track(study_id)
        return tracks[study_id]

    def names(self, study_id: str) -> dict[int, tuple[str, ...]]:
        """The classes of each labelled frame."""
        names = self._names
        if study_id not in names:
            found: dict[int, tuple[str, ...]] = {}
            for label in self.track(study_id):
                for frame_index in range(label.span.start, label.span.stop):
                    found[frame_index] = (*found.get(frame_index, ()), label.name)
            names[study_id] = found
        return names[study_id]

    def mask(self, study_id: str, frame_index: NDArray[np.int64], class_name: str = "") -> NDArray[np.bool_]:
        """(N,) True for the rows of (N,) `frame_index` that carry a label, or this one."""
        spans = self.track(study_id).labelled()
        if class_name:
            labels = [label for label in self.track(study_id) if label.name == class_name]
            spans = type(spans)(label.span for label in labels)
        stop = int(frame_index[-1]) + 1 if len(frame_index) else 0
        return np.asarray(spans.to_mask(stop)[frame_index], bool)
