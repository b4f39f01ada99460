"""Finds frames that look alike in every study that the model in use has scored; runs in a thread of the window."""

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.embeddings.knn import NEIGHBOURS, Votes, votes
from training.embeddings.neighbour import Neighbour, NeighbourFilter, StudyEmbeddings, relation
from training.embeddings.neighbour_index import NeighbourIndex
from training.errors import UserError
from training.metrics.events import flagged_frames
from training.runs.reporter import Reporter
from training.texts import Text, join_texts
from wce_desktop.core.annotation.label import LabelTrack
from wce_desktop.core.event import Scores
from wce_desktop.core.rates import Stated
from wce_desktop.core.span import SpanSet
from wce_desktop.features.neighbours.neighbour_query import (
    Found,
    FoundFrame,
    Query,
    SearchSettings,
)
from wce_desktop.library import Library
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session


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
            by_frame: dict[int, tuple[str, ...]] = {}
            for label in self.track(study_id):
                for frame_index in range(label.span.start, label.span.stop):
                    by_frame[frame_index] = (*by_frame.get(frame_index, ()), label.name)
            names[study_id] = by_frame
        return names[study_id]

    def mask(self, study_id: str, frame_index: NDArray[np.int64], class_name: str = "") -> NDArray[np.bool_]:
        """(N,) True for the rows of (N,) `frame_index` that carry a label, or this one."""
        track = self.track(study_id)
        spans = SpanSet(label.span for label in track.named(class_name)) if class_name else track.labelled()
        stop = int(frame_index[-1]) + 1 if len(frame_index) else 0
        return np.asarray(spans.to_mask(stop)[frame_index], bool)


MOST_AVERAGED = 2000
"""For larger selections the mean is taken over this many evenly spaced frames (ours)."""
_StudyKey = tuple[str, str, str, int]


class NeighbourSearch:
    """Keeps the index open from query to query; not thread-safe: one thread calls `find`, `forget_labels` any."""

    def __init__(self, session: Session) -> None:
        self._library, self._files = session.library, session.files
        self._labels = LabelTables(session.library)
        self._live = LiveFlags(session)
        self._index: NeighbourIndex | None = None
        self._damaged: dict[str, str] = {}  # study_id -> name
        self._key: tuple[_StudyKey, ...] = ()

    def forget_labels(self) -> None:
        """Labels have changed."""
        self._labels.forget()

    def find(self, query: Query, settings: SearchSettings, model_id: str, reporter: Reporter) -> Found:
        """The frames similar to the query, and the vote of the labelled ones.

        Raises:
            UserError: no study was scored by the model, or the query has no embedding.
        """
        index = self._open(model_id, reporter)
        vector = self._vector(index, query, reporter)
        where = self._filter(index, query, settings, reporter)
        result = index.find(vector, settings.count, metric=settings.metric, where=where, check=reporter.check)
        # Were a class that is asked for the only one with a vote, it would win every vote.
        is_narrow = bool(settings.class_name) or settings.is_live_only
        wide = replace(settings, class_name="", is_live_only=False, is_labelled_only=True)
        open_to_all = self._filter(index, query, wide, reporter) if is_narrow else where
        voted = self._vote(index, vector, open_to_all, reporter)
        frames = tuple(_found(query, item) for item in result.items)
        voters = tuple(_found(query, voter.neighbour, voter.weight) for voter in voted.voters)
        note = join_texts(" ", (result.note, self._left_out))
        return Found(query, settings, frames, voters, voted, note, index.description)

    def close(self) -> None:
        """Close the files."""
        if self._index is not None:
            self._index.close()
        self._index, self._key = None, ()

    def _open(self, model_id: str, reporter: Reporter) -> NeighbourIndex:
        """The index over what is scored now; opened again only where that has changed."""
        if not model_id:
            raise UserError("No model is in use.", "Add a model folder: {key}.", key_of("add_model"))
        studies, key = [], []
        for study in self._library.studies.shown():
            reporter.check()
            files = self._files(study)
            path = files.scores_path(model_id)
            if path.is_file() and not files.is_hidden:
                studies.append(StudyEmbeddings(study.study_id, study.patient_id, path, study.fingerprint))
                key.append((study.study_id, study.patient_id, str(path), path.stat().st_mtime_ns))
        if not studies:
            raise UserError(
                "No study has been scored by this model yet.", "Score this study: {key}.", key_of("score_study")
            )
        if self._index is None or self._key != tuple(key):
            self.close()
            cache = self._library.folder / "indexes" / model_id
            sound = self._sound(studies)
            if not sound:
                raise UserError(
                    self._left_out, Text("Open such a study and score it again: {key}.", key_of("score_study"))
                )
            self._index = NeighbourIndex.open(sound, cache=cache, check=reporter.check, progress=reporter.progress)
            self._key = tuple(key)
        return self._index

    def _sound(self, studies: Sequence[StudyEmbeddings]) -> list[StudyEmbeddings]:
        """The studies whose embeddings can be read and are their own: one damaged file must not block the others."""
        self._damaged, sound = {}, []
        for study in studies:
            try:
                EmbeddingFile.open(study.path, study.recording).close()
                sound.append(study)
            except UserError:
                self._damaged[study.study_id] = self._library.studies.get(study.study_id).shown_name
        return sound

    @property
    def _left_out(self) -> str:
        names = ", ".join(self._damaged.values())
        if not names:
            return ""
        return Text("The scores of {names} are damaged or belong to another recording and were left out.", names)

    def _vector(self, index: NeighbourIndex, query: Query, reporter: Reporter) -> NDArray[np.float32]:
        if query.vector is not None:
            return query.vector
        self._check_scored(index, (query.study_id,) if query.study_id else query.frames.study_ids)
        if query.span is not None:
            return index.mean_of(query.study_id, query.span)
        chosen = list(query.frames) if query.frame_index is None else [(query.study_id, query.frame_index)]
        if not chosen:
            raise UserError("No frames are chosen to compare with.", "Choose frames first.")
        vectors = []
        for row in np.unique(np.linspace(0, len(chosen) - 1, MOST_AVERAGED).astype(int)):
            reporter.check()
            with contextlib.suppress(UserError):  # it does not decode
                vectors.append(index.vector(*chosen[row]))
        if not vectors:
            raise UserError("There is no embedding of {query}.", "Choose another frame nearby.", query.words)
        return np.asarray(np.mean(vectors, axis=0, dtype=np.float64), np.float32)

    def _check_scored(self, index: NeighbourIndex, study_ids: Iterable[str]) -> None:
        names = {study.study_id: study.shown_name for study in self._library.studies.shown()}
        for study_id in study_ids:
            if study_id in self._damaged:
                raise UserError(
                    "The scores of “{study}” are damaged.",
                    "Open it and score it again: {key}.",
                    self._damaged[study_id],
                    key_of("score_study"),
                )
            if study_id not in index.study_ids:
                raise UserError(
                    "“{study}” was not scored by the model in use.",
                    "Open it and score it: {key}.",
                    names.get(study_id, study_id),
                    key_of("score_study"),
                )

    def _filter(
        self, index: NeighbourIndex, query: Query, settings: SearchSettings, reporter: Reporter
    ) -> NeighbourFilter:
        """An image and frames of several studies belong to no single study: all studies are searched."""
        return NeighbourFilter(
            study_id=query.study_id,
            patient_id=query.patient_id,
            frame_index=query.frame_index,
            span=query.span,
            scope=settings.scope if query.study_id else "all",
            min_seconds_to_query=settings.min_seconds_to_query,
            min_seconds_among=settings.min_seconds_among,
            frames=self._masks(index, query, settings, reporter),
        )

    def _masks(
        self, index: NeighbourIndex, query: Query, settings: SearchSettings, reporter: Reporter
    ) -> Mapping[str, NDArray[np.bool_]] | None:
        """For each study which rows may be found; None for all."""
        is_by_label = settings.is_labelled_only or bool(settings.class_name)
        is_by_live = settings.is_live_only and self._live.are_there
        if not is_by_label and not is_by_live and not query.frames:
            return None
        masks = {}
        for study_id in index.study_ids:
            frames = index.frame_index(study_id)
            mask = (
                self._labels.mask(study_id, frames, settings.class_name) if is_by_label else np.ones(len(frames), bool)
            )
            if is_by_live:
                mask = mask & np.isin(frames, self._live.of(study_id, reporter))
            masks[study_id] = mask & ~np.isin(frames, query.frames.of(study_id))
        return masks

    def _vote(
        self, index: NeighbourIndex, vector: NDArray[np.float32], where: NeighbourFilter, reporter: Reporter
    ) -> Votes:
        """Vats' 290 voters of 100,000 are the nearest; of 1,000 they are everybody. So the root of the labelled frames
        votes at most (ours): 290 from 84,100 on.
        """
        labels = {study_id: self._labels.names(study_id) for study_id in index.study_ids}
        if not any(labels.values()):
            return Votes({}, (), Text("No frame is labelled yet."))
        voters = min(NEIGHBOURS, math.ceil(math.sqrt(sum(map(len, labels.values())))))
        return votes(index, vector, labels, where=where, k=voters, check=reporter.check)


class LiveFlags:
    """The frames that the live scores flag; kept until these change."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: tuple[object, ...] = ()
        self._flagged: dict[str, NDArray[np.int64]] = {}

    @property
    def are_there(self) -> bool:
        """Whether there are live scores."""
        return self._session.live_head is not None

    def of(self, study_id: str, reporter: Reporter) -> NDArray[np.int64]:
        """(n,) flagged frames of a study that the model in use has scored."""
        head, reading = self._session.live_head, self._session.reading
        threshold = float(reading.flags.threshold if reading is not None else self._session.settings["threshold"])
        shown = head, threshold, self._session.vocabulary.off
        if shown != self._shown:
            self._shown, self._flagged = shown, {}
        if head is None:
            return np.zeros(0, np.int64)
        if study_id not in self._flagged:
            files = self._session.files(self._session.library.studies.get(study_id))
            with files.open_embeddings(files.scores_path(head.model_id)) as file:
                frames = file.frame_index.copy()
                scores = Scores(head.classes, head.scores(file, reporter), frames)
            scores, flagged = scores.without(shown[2]).standardised(Stated({})), np.zeros(len(frames), np.bool_)
            for name in scores.classes[1:]:
                flagged |= flagged_frames(scores.standard(name), threshold)
            self._flagged[study_id] = frames[flagged]
        return self._flagged[study_id]


def _found(query: Query, item: Neighbour, weight: float = float("nan")) -> FoundFrame:
    return FoundFrame(item, relation(query.study_id, query.frame_index, item), weight)
