"""Queries: the frame on screen, a span, or chosen frames."""

from training.errors import UserError
from wce_desktop.core.clock import counted, format_frame
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours.model.neighbour_query import Found, Query
from wce_desktop.session.frame_facts import FrameFacts
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


def frame_query(session: Session) -> Query:
    """Frames like the one on screen.

    Raises:
        UserError: no study is open.
    """
    reading = open_reading(session)
    study, frame_index = reading.study, reading.place.frame_index
    words = tr("frame {frame} of {study}", frame=format_frame(frame_index + 1), study=study.name)
    return Query(words, study.study_id, study.patient_id, frame_index)


def span_query(session: Session) -> Query:
    """Frames like the mean of the marked span, or of the event on screen where none is marked.

    Raises:
        UserError: there is neither.
    """
    reading = open_reading(session)
    event = reading.event_here()
    if not reading.place.is_span_marked and event is None:
        raise UserError(
            "No span is marked, and no event is on screen.",
            "Mark a span: {mark_start} and {mark_stop}.",
            key_of("mark_start"),
            key_of("mark_stop"),
        )
    span = reading.place.span_to_label() if reading.place.is_span_marked or event is None else event.span
    study = reading.study
    words = tr_count(
        "the {count} frame from {frame} of {study}",
        "the {count} frames from {frame} of {study}",
        len(span),
        frame=format_frame(span.start + 1),
        study=study.name,
    )
    return Query(words, study.study_id, study.patient_id, span=(span.start, span.stop))


def selection_query(facts: FrameFacts, frames: FrameSelection) -> Query:
    """Frames like the mean of these; where they are of several studies every study is searched."""
    study_id = frames.study_ids[0] if len(frames.study_ids) == 1 else ""
    study = facts.study(study_id) if study_id else None
    words = counted(frames.count, "chosen frame")
    return Query(words, study_id, study.patient_id if study else "", frames=frames)


def frames_to_accept(session: Session, found: Found | None) -> tuple[FrameSelection, str]:
    """The frames and the label of an accepted suggestion; only frames on screen or chosen.

    Raises:
        UserError: there are no votes, they do not agree, or the query is an image file or not on screen.
    """
    if found is None or found.suggestion is None:
        raise UserError(
            "There is no suggestion to accept.",
            "Label some frames, then find frames like this one: {key}.",
            key_of("find_like_frame"),
        )
    own, reading = found.query.own_frames, session.reading
    if not own:
        raise UserError(
            "A picture from disk cannot be labelled.",
            "Find frames like the one on screen: {key}.",
            key_of("find_like_frame"),
        )
    is_on_screen = reading is not None and reading.place.frame_index in own.of(reading.study.study_id)
    if not is_on_screen and not found.query.frames:
        raise UserError(
            "The suggestion is for {query}, which is not on screen.",
            "Search again: {key}.",
            found.query.words,
            key_of("find_like_frame"),
        )
    if not found.is_decided:
        raise UserError(
            "The labelled neighbours do not agree: {shares}.",
            "Look at the labelled neighbours and label it yourself.",
            found.shares_in_words,
        )
    return own, found.suggestion[0]


def open_reading(session: Session) -> Reading:
    """The open study, or `UserError`."""
    if session.reading is None:
        raise UserError("No study is open.", "Open one with {key}.", key_of("open_files"))
    return session.reading
