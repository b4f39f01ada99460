"""What to label next: the most informative frames of all scored studies, each with its reason.

Doubt is that of the model in use, or of the live scores where these flag frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.embeddings.what_to_label import (
    COVERED_LABELS,
    MOST_CANDIDATES,
    Pick,
    candidates,
    foremost,
    label_count,
    pick_to_label,
    undecided,
)
from training.errors import NothingToDoError, UserError
from training.runs.reporter import Reporter
from wce_desktop.core import capital, score_text, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.study import Study
from wce_desktop.features.neighbours.neighbour_search import LabelTables
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session

UNDECIDED, CERTAIN, FAR, NEAR = 0.7, 0.2, 0.58, 0.42
"""Ours: two best scores closer than 0.3 are called undecided, farther apart than 0.8 certain; 1.4 times the usual
distance is far, 0.7 times near."""


def reason_in_words(
    vocabulary: Vocabulary, classes: Sequence[str], scores: NDArray[np.float32], pick: Pick, nearest_label: str
) -> str:
    """Why a frame is suggested: the two best scores, and the nearest labelled frame.

    Args:
        classes: C names.
        scores: (C,) of the frame.
        nearest_label: of the nearest labelled frame, "" where none is labelled.
    """
    order = np.argsort(-scores, kind="stable")[:2].tolist()
    named = [f"{vocabulary.of(classes[at]).title_in_sentence} {score_text(float(scores[at]))}" for at in order]
    best = capital(named[0] if len(named) == 1 else tr("{one} or {other}", one=named[0], other=named[1]))
    doubt = tr("{classes}: not certain.", classes=best)
    if pick.undecided < CERTAIN:
        doubt = f"{capital(named[0])}."
    if pick.undecided >= UNDECIDED:
        doubt = tr("{classes}: undecided.", classes=best)
    if not nearest_label:
        return f"{doubt} {tr('There are no labelled frames to compare it with yet.')}"
    name = vocabulary.of(nearest_label).title_in_sentence
    if pick.far >= FAR:
        return f"{doubt} {tr('Unlike all frames labelled so far (nearest: {label}).', label=name)}"
    if pick.far <= NEAR:
        return f"{doubt} {tr('Similar to frames labelled {label}.', label=name)}"
    return f"{doubt} {tr('Few labelled frames are similar (nearest: {label}).', label=name)}"


QUEUE_FRAMES = 20
MOST_KNOWN = 4000


@dataclass(frozen=True)
class NextFrame:
    """One frame of the queue."""

    study_id: str
    study_name: str
    frame_index: int
    video_seconds: float
    reason: str


class _Rows(NamedTuple):
    """Of one study: the frames that may be asked for, and labelled ones to compare them with."""

    study: Study
    classes: tuple[str, ...]
    points: NDArray[np.float32]
    doubt: NDArray[np.float32]
    scores: NDArray[np.float32]
    frames: NDArray[np.int64]
    seconds: NDArray[np.float64]
    labelled: NDArray[np.float32]
    names: list[str]


class WhatNext:
    """Works out the queue; runs in a thread of the window."""

    def __init__(self, session: Session) -> None:
        self._library, self._files, self._vocabulary = session.library, session.files, session.vocabulary
        self._model_id = session.model_id
        self._head = session.live_head if session.flags_by_live else None
        self._first = session.reading.study.study_id if session.reading else ""

    def find(self, reporter: Reporter, count: int = QUEUE_FRAMES) -> tuple[NextFrame, ...]:
        """The queue: the open study first, then study by study, the best frames of each first.

        Raises:
            UserError: no study was scored, the model has no classes, or every frame is labelled.
        """
        parts, by_doubt = self._gather(reporter)
        points, doubt = (
            np.concatenate(rows) for rows in zip(*((part.points, part.doubt) for part in parts), strict=True)
        )
        if not len(points):
            raise NothingToDoError(
                "Every frame of the scored studies carries a label.",
                "Score another study: {key}.",
                key_of("score_study"),
            )
        labelled = np.concatenate([part.labelled for part in parts])
        best = foremost(np.argsort(-doubt, kind="stable"), MOST_CANDIDATES, by_doubt=by_doubt)
        reporter.check()
        picks = pick_to_label(points[best], doubt[best], labelled, count=count, by_doubt=by_doubt)
        places = [(part, row) for part in parts for row in range(len(part.doubt))]
        names = [name for part in parts for name in part.names]
        queue = [self._next(places[best[pick.row]], pick, names) for pick in picks]
        order = {part.study.study_id: number for number, part in enumerate(parts)}
        return tuple(sorted(queue, key=lambda item: (item.study_id != self._first, order[item.study_id])))

    def _gather(self, reporter: Reporter) -> tuple[list[_Rows], bool]:
        """Those of every scored study, and whether doubt counts: whether there are enough labels."""
        scored = [
            (study, path)
            for study in self._library.studies.shown()
            if (path := (files := self._files(study)).scores_path(self._model_id)).is_file() and not files.is_hidden
        ]
        if not self._model_id or not scored:
            raise UserError(
                "No study has been scored by the model in use.", "Score this study: {key}.", key_of("score_study")
            )
        parts, labels, weights = list[_Rows](), LabelTables(self._library), set[str]()
        by_doubt = sum(self._label_count(study, path, labels) for study, path in scored) >= COVERED_LABELS
        for number, (study, path) in enumerate(scored):
            reporter.progress(number, len(scored), "studies", "looking for frames to label")
            reporter.check()
            with EmbeddingFile.open(path, study.fingerprint) as file:
                weights.add(file.header.model_sha256)
                parts.append(self._rows(study, file, labels, len(scored), reporter, by_doubt=by_doubt))
            if len(weights) > 1:
                raise UserError(
                    "“{study}” was scored by another version of this model than the other studies.",
                    "Score it again: {key}.",
                    study.shown_name,
                    key_of("score_study"),
                )
        return parts, by_doubt

    @staticmethod
    def _label_count(study: Study, path: Path, labels: LabelTables) -> int:
        if not labels.track(study.study_id).labelled():
            return 0
        with EmbeddingFile.open(path, study.fingerprint) as file:
            return label_count(file.video_seconds, labels.mask(study.study_id, file.frame_index))

    def _rows(
        self,
        study: Study,
        file: EmbeddingFile,
        labels: LabelTables,
        studies: int,
        reporter: Reporter,
        *,
        by_doubt: bool,
    ) -> _Rows:
        """Those of one of so many studies; the model and so the classes are the same for all."""
        scores = file.scores if self._head is None else self._head.scores(file, reporter)
        if scores is None or scores.shape[1] == 0:
            raise UserError(
                "The model of “{study}” has no classes, so it cannot suggest frames to label.",
                "Use a fine-tuned model.",
                study.shown_name,
            )
        labelled, doubt = labels.mask(study.study_id, file.frame_index), undecided(scores)
        most = max(50, MOST_CANDIDATES // studies)
        rows = np.sort(candidates(doubt, file.video_seconds, ~labelled, most=most, by_doubt=by_doubt))
        held = _thinned(np.flatnonzero(labelled), max(1, MOST_KNOWN // studies))
        names = labels.names(study.study_id)
        return _Rows(
            study,
            file.header.classes if self._head is None else self._head.classes,
            np.asarray(file.embeddings[rows], np.float32),
            doubt[rows],
            scores[rows],
            file.frame_index[rows],
            file.video_seconds[rows],
            np.asarray(file.embeddings[held], np.float32),
            [names[frame][0] for frame in file.frame_index[held].tolist()],
        )

    def _next(self, place: tuple[_Rows, int], pick: Pick, names: Sequence[str]) -> NextFrame:
        part, row = place
        nearest = names[pick.nearest] if pick.nearest >= 0 else ""
        reason = reason_in_words(self._vocabulary, part.classes, part.scores[row], pick, nearest)
        frame, seconds = int(part.frames[row]), float(part.seconds[row])
        return NextFrame(part.study.study_id, part.study.shown_name, frame, seconds, reason)


def _thinned(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """At most `most` evenly spaced rows."""
    return rows if len(rows) <= most else rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]
