"""Query, settings and result of a neighbour search: by the frame on screen, a span, or chosen frames; no Qt."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from training.embeddings.knn import Votes
from training.embeddings.neighbour import Metric, Neighbour, Relation, Scope
from training.errors import NothingToDoError, UserError
from wce_desktop.core import counted, format_frame, score_text, tr, tr_count
from wce_desktop.core.annotation.vocabulary import shown_name
from wce_desktop.core.selection import FrameSelection
from wce_desktop.session import frame_facts, keys
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

DECIDED_SHARE, DECIDED_RATIO = 0.5, 1.5
"""A label is suggested that has half of the votes, and so many times those of the next: two classes at a half each
suggest nothing (ours)."""


@dataclass(frozen=True)
class Query:
    """What to compare frames with: one of them, a region, the mean of a span or of a selection, or an image."""

    words: str  # for the reader: "frame 31,204", "the marked span"
    study_id: str = ""  # whose frame it is; "" for an image from disk and for frames of several studies
    patient_id: str = ""
    frame_index: int | None = None  # where it is one frame, or a region of one
    span: tuple[int, int] | None = None  # [start, stop)
    frames: FrameSelection = field(default_factory=FrameSelection)
    vector: NDArray[np.float32] | None = field(default=None, compare=False)
    """(D,) where a model embedded it for this query (a region, an image); None: as stored."""

    @property
    def own_frames(self) -> FrameSelection:
        """The frames labelled when the query is labelled; none for an image from disk."""
        if self.span is not None:
            return FrameSelection({self.study_id: range(*self.span)})
        if self.frame_index is not None:
            return FrameSelection({self.study_id: [self.frame_index]})
        return self.frames


@dataclass(frozen=True)
class SearchSettings:
    """Restrictions of the search."""

    count: int = 24  # how many at most
    metric: Metric = "euclidean"
    scope: Scope = "all"  # of which studies
    is_labelled_only: bool = False  # only frames that carry a label
    class_name: str = ""  # only frames that carry this label; "" for any
    min_seconds_to_query: float = 0.0  # how far apart in time at least, within one study
    min_seconds_among: float = 2.0
    is_live_only: bool = False  # only frames that the live scores flag; without live scores nothing is left out


@dataclass(frozen=True)
class FoundFrame:
    """One neighbour and its relation in time to the query."""

    neighbour: Neighbour
    relation: Relation
    weight: float = float("nan")
    """Its part of the votes, in (0, 1], where it voted; else NaN."""


@dataclass(frozen=True)
class Found:
    """The answer to one query."""

    query: Query
    settings: SearchSettings
    frames: tuple[FoundFrame, ...]  # nearest first
    voters: tuple[FoundFrame, ...]  # those that voted, nearest first
    votes: Votes
    note: str  # what a person should know of it; "" for nothing
    searched: str  # how it was searched: exact, or which index and its measured recall

    @property
    def suggestion(self) -> tuple[str, float] | None:
        """The label with most votes and its share of them in [0, 1]; None without votes."""
        return next(iter(self.votes.weights.items()), None)

    @property
    def is_decided(self) -> bool:
        """Whether enough votes agree for a suggestion."""
        shares = [*self.votes.weights.values(), 0.0, 0.0]
        return shares[0] >= DECIDED_SHARE and shares[0] >= DECIDED_RATIO * shares[1]

    @property
    def shares_in_words(self) -> str:
        """“normal 0.49, blood 0.47”."""
        return ", ".join(f"{shown_name(name)} {score_text(share)}" for name, share in self.votes.weights.items())


def frame_query(reading: Reading) -> Query:
    """Frames like the one on screen."""
    study, frame_index = reading.study, reading.place.frame_index
    words = tr("frame {frame} of {study}", frame=format_frame(frame_index + 1), study=study.name_parts[0])
    return Query(words, study.study_id, study.patient_id, frame_index)


def span_query(reading: Reading) -> Query:
    """Frames like the mean of the marked span, or of the event on screen where none is marked.

    Raises:
        UserError: there is neither.
    """
    event = reading.event_here()
    if not reading.place.is_span_marked and event is None:
        raise NothingToDoError(
            "No span is marked, and no event is on screen.",
            "Mark a span: {mark_start} and {mark_stop}.",
            keys.key_of("mark_start"),
            keys.key_of("mark_stop"),
        )
    span = reading.place.span_to_label() if reading.place.is_span_marked or event is None else event.span
    study = reading.study
    words = tr_count(
        "the {count} frame from {frame} of {study}",
        "the {count} frames from {frame} of {study}",
        len(span),
        frame=format_frame(span.start + 1),
        study=study.name_parts[0],
    )
    return Query(words, study.study_id, study.patient_id, span=(span.start, span.stop))


def selection_query(facts: frame_facts.FrameFacts, frames: FrameSelection) -> Query:
    """Frames like the mean of these; where they are of several studies every study is searched."""
    study_id = frames.study_ids[0] if len(frames.study_ids) == 1 else ""
    study = facts.study(study_id) if study_id else None
    words = counted(frames.count, "chosen frame")
    return Query(words, study_id, study.patient_id if study else "", frames=frames)


def frames_to_accept(session: Session, result: Found | None) -> tuple[FrameSelection, str]:
    """The frames and the label of an accepted suggestion; only frames on screen or chosen.

    Raises:
        UserError: there are no votes, they do not agree, or the query is an image file or not on screen.
    """
    if result is None or result.suggestion is None:
        raise NothingToDoError(
            "There is no suggestion to accept.",
            "Label some frames, then find frames like this one: {key}.",
            keys.key_of("find_like_frame"),
        )
    own, reading = result.query.own_frames, session.reading
    if not own:
        raise UserError(
            "A picture from disk cannot be labelled.",
            "Find frames like the one on screen: {key}.",
            keys.key_of("find_like_frame"),
        )
    is_on_screen = reading is not None and reading.place.frame_index in own.of(reading.study.study_id)
    if not is_on_screen and not result.query.frames:
        raise UserError(
            "The suggestion is for {query}, which is not on screen.",
            "Search again: {key}.",
            result.query.words,
            keys.key_of("find_like_frame"),
        )
    if not result.is_decided:
        raise UserError(
            "The labelled neighbours do not agree: {shares}.",
            "Look at the labelled neighbours and label it yourself.",
            result.shares_in_words,
        )
    return own, result.suggestion[0]
