"""Scores of studies whose scoring still runs or was stopped: the flags of what is scored so far."""

import contextlib

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer

from training.embeddings.writer import partial_scores
from training.errors import UserError
from training.inference.scores_so_far import ScoredRows
from wce_desktop.core.scores import Scores
from wce_desktop.session.session import Session

SHOWN_EVERY_MILLISECONDS = 1000  # finding the events of 500,000 frames takes a part of it


class ScoresSoFar(QObject):
    """Collects what running jobs have scored, and shows it in the open study once a second at most."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._rows: dict[tuple[str, str], list[ScoredRows]] = {}
        self._later = QTimer(self, singleShot=True, interval=SHOWN_EVERY_MILLISECONDS)
        self._later.timeout.connect(self.show)
        session.study_opened.connect(self._show_soon)
        session.model_changed.connect(self._show_soon)

    def add(self, study_id: str, model_id: str, rows: ScoredRows) -> None:
        """Keep further scores of a study by a model; the open study shows them soon, the first ones at once."""
        held = self._rows.setdefault((study_id, model_id), [])
        if held and held[0].classes != rows.classes:
            held.clear()  # started again with another classifier
        held.append(rows)
        reading = self._session.reading
        if reading is not None and reading.study.study_id == study_id and not self._later.isActive():
            if not reading.flags.is_partial:
                self.show()
            self._later.start()

    def show(self) -> None:
        """Show what is there of the open study by the model in use."""
        reading = self._session.reading
        if reading is None:
            return
        study_id, model_id = reading.study.study_id, self._session.model_id
        held = self._rows.get((study_id, model_id)) or self._stopped_rows()
        if held and (scores := _joined(held)) is not None:
            self._session.scores.show_so_far(study_id, model_id, scores)

    def _stopped_rows(self) -> list[ScoredRows]:
        """What a scoring that was stopped, perhaps in an earlier session, has left of the open study."""
        reading, path = self._session.reading, None
        if reading is not None and reading.flags.scores is None and self._session.model_id:
            path = self._session.files(reading.study).scores_path(self._session.model_id)
        if reading is None or path is None or self._session.scores.is_being_scored:
            return []
        with contextlib.suppress(UserError, OSError):  # scoring again says what is wrong with it
            if (kept := partial_scores(path, reading.study.fingerprint)) is not None:
                return [ScoredRows(0, *kept)]
        return []

    def _show_soon(self) -> None:
        """The study that was opened may be scored in part by the model; its views are not all there yet."""
        self._later.start()

    def forget(self, study_id: str, model_id: str) -> None:
        """The scores are in the library, or were discarded."""
        if self._rows.pop((study_id, model_id), None) is not None:
            self._session.scores.forget_so_far(study_id)

    def close(self) -> None:
        """Show nothing any more."""
        self._later.stop()
        self._session.study_opened.disconnect(self._show_soon, missing_ok=True)
        self._session.model_changed.disconnect(self._show_soon, missing_ok=True)


def _joined(held: list[ScoredRows]) -> Scores | None:
    """All rows in order of the frames, each frame once; the list becomes one item."""
    frames: NDArray[np.int64] = np.concatenate([np.arange(len(part.scores)) + part.first for part in held])
    values = np.concatenate([part.scores for part in held])
    found, place = np.unique(frames[::-1], return_index=True)  # the newest row of a frame
    values = values[::-1][place]
    if len(found) and found[-1] == found[0] + len(found) - 1:
        held[:] = [ScoredRows(int(found[0]), held[0].classes, values)]
    return Scores(held[0].classes, values, found) if len(found) else None
