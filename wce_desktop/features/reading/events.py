"""The next event, and why there are no events."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core import Span, score_text, tr
from wce_desktop.core.annotation.landmark import Landmark, small_bowel
from wce_desktop.core.decimation import runs
from wce_desktop.core.event import Event, EventList
from wce_desktop.session.completeness.protocol import HIDDEN
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


def next_event(
    events: EventList, frame_index: int, *, backwards: bool = False, wanted: NDArray[np.bool_] | None = None
) -> Event | None:
    """The nearest event after (or before) a frame, by the frame of its peak; around the ends it starts over.

    Args:
        events: the study's events, E of them.
        frame_index: where the reader is.
        backwards: look towards the start.
        wanted: (E,) bool, which events count (those not seen, say); all when None.

    Returns:
        The event, or None when none counts. An event whose peak is on screen comes last.
    """
    rows = np.arange(len(events)) if wanted is None else np.flatnonzero(wanted)
    if not rows.size:
        return None
    rows = rows[np.argsort(events.peak_frames[rows], kind="stable")]
    peaks = events.peak_frames[rows]
    at = np.searchsorted(peaks, frame_index, "left") - 1 if backwards else np.searchsorted(peaks, frame_index, "right")
    return events[int(rows[at % len(rows)])]


def next_open(reading: Reading, frame_index: int, *, backwards: bool = False) -> tuple[Event | None, str]:
    """The next flag without an answer after (or before) a frame, in order of time, whatever finding it is a part of.

    Returns:
        The event, or None when all were answered; and what to say, empty unless it starts over.
    """
    events, wanted = reading.flags.events, reading.unanswered(reading.flags.events)
    event = next_event(events, frame_index, backwards=backwards, wanted=wanted)
    if event is None:
        key = key_of("next_event")
        return None, tr("Every flag has been answered. Press {key} to go through all of them.", key=key)
    if (event.peak_frame >= frame_index) if backwards else (event.peak_frame <= frame_index):
        values = {"left": int(np.count_nonzero(wanted)), "flags": len(events)}
        if backwards:
            return event, tr("From the end again: {left} of {flags} flags not answered.", **values)
        return event, tr("From the beginning again: {left} of {flags} flags not answered.", **values)
    return event, ""


def next_unread(unread: NDArray[np.bool_], frame_index: int, within: Span) -> int | None:
    """Where the next stretch of unread frames begins; past the last one it starts over.

    Args:
        unread: (N,) bool.
        frame_index: where the reader is; a stretch that begins here, or at the next frame, comes last.
        within: the frames that count.

    Returns:
        The first frame of the stretch; None when there is none.
    """
    starts, _ = runs(unread[within.start : within.stop])
    if not len(starts):
        return None
    starts += within.start
    return int(starts[np.searchsorted(starts, frame_index + 1, "right") % len(starts)])


def to_read(landmarks: Iterable[Landmark], frame_count: int) -> tuple[Span, str]:
    """The small bowel as far as its landmarks say, else the whole study; and what it is called in a sentence."""
    bowel = small_bowel(landmarks, frame_count)
    return (bowel, tr("the small bowel")) if bowel else (Span(0, frame_count), tr("the study"))


def why_no_events(session: Session) -> tuple[str, str, str]:
    """Why no flags are shown, with title and action of the next step; empty texts if there is none."""
    reading = session.reading
    if reading is None:
        return tr("No study is open."), tr("Open study…"), "open_files"
    if reading.flags.events:
        return "", "", ""
    if reading.flags.is_hidden:
        return tr(HIDDEN), tr("Finish the first pass…"), "end_first_pass"
    if session.current_model is None:
        return tr("There is no model yet."), tr("Add a model folder…"), "add_model"
    if not reading.flags.flag_tracks and session.scores.is_being_scored:
        return tr("Scoring of this study runs or waits (see Jobs). Flags appear as they are found."), "", ""
    if not reading.flags.flag_tracks and reading.flags.scores is not None:
        return tr("All classes of this model are switched off."), tr("Classes…"), "edit_classes"
    if not reading.flags.flag_tracks and reading.flags.embeddings is not None:
        return (
            tr("The model in use has embeddings and no scores. Live scores are learned from your labels."),
            tr("Use live scores for flags"),
            "flag_by_live",
        )
    if not reading.flags.flag_tracks:
        return tr("This study has not been scored yet."), tr("Score this study"), "score_study"
    highest = [np.nanmax(track) for track in reading.flags.flag_tracks.values() if not np.isnan(track).all()]
    if reading.flags.is_partial and session.scores.is_being_scored:
        return tr("No flags yet; this study is still being scored."), "", ""
    if reading.flags.is_partial:
        return tr("No flags in the part of this study that is scored."), tr("Score the rest"), "score_study"
    if not highest:
        return tr("The study has no scores: none of its frames could be read."), "", ""
    sentence = tr("No flags at this threshold; the highest score is {score}.", score=score_text(float(max(highest))))
    return sentence, tr("Lower the threshold"), "lower_threshold"
