"""Suggested boxes of the open study, until accepted or rejected."""

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.inference.explanation import Method
from training.inference.weak_labels import weak_boxes
from training.video import FieldOfView, paste_map
from wce_desktop.core.boxes import SuggestedBox, accept_boxes
from wce_desktop.core.overlay import normalise
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session


class BoxSuggestions:
    """Suggested boxes by frame; they are not labels, are not stored, and are dropped when the study is closed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._boxes: dict[int, tuple[SuggestedBox, ...]] = {}

    def at(self, frame_index: int) -> tuple[SuggestedBox, ...]:
        """What is suggested on a frame."""
        return self._boxes.get(frame_index, ())

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames that have suggestions, in order."""
        return tuple(sorted(self._boxes))

    def suggest(
        self,
        frame_index: int,
        values: NDArray[np.floating],
        view: FieldOfView,
        *,
        level: float,
        name: str,
        method: Method,
    ) -> int:
        """Suggest boxes around areas above `level` of a CAM's maximum; returns how many.

        Args:
            frame_index: whose map it is.
            values: (h, w) raw map over the square that the model saw.
            view: the study's field of view; boxes come in pixels of its frames.
            level: in (0, 1], as the line on the frame.
            name: the class that is explained.
            method: how the map was made.
        """
        overlay = paste_map(normalise(values), view, view.height_px, view.width_px)
        model_id = self._session.model_id
        found = tuple(
            SuggestedBox(frame_index, *box.corners, name, box.strength, method, model_id)
            for box in weak_boxes(overlay, threshold=level)
        )
        self._boxes[frame_index] = found
        if not found:
            del self._boxes[frame_index]
        return len(found)

    def accept(self, frame_index: int) -> None:
        """Keep what is suggested on a frame with the labels, as one edit.

        Raises:
            UserError: nothing is suggested there.
        """
        reading, suggested = self._session.reading, self.at(frame_index)
        if reading is None or not suggested:
            raise UserError(
                "No box is suggested on this frame.", "Press {key} to suggest boxes.", key_of("suggest_boxes")
            )
        reader = self._session.library.reader
        plan = accept_boxes(suggested, reading.entries.findings, reading.study.study_id, reader)
        self._session.edits.apply(plan.title, plan.changes, model_id=suggested[0].model_id)
        del self._boxes[frame_index]

    def reject(self, frame_index: int) -> int:
        """Take the suggestions of a frame away; returns how many there were.

        Raises:
            UserError: nothing is suggested there.
        """
        if frame_index not in self._boxes:
            raise UserError(
                "No box is suggested on this frame.", "Press {key} to suggest boxes.", key_of("suggest_boxes")
            )
        return len(self._boxes.pop(frame_index))

    def forget(self) -> None:
        """Clear all suggestions, for another study."""
        self._boxes.clear()
