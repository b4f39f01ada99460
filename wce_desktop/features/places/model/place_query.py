"""The place that is searched for: the marked span, the finding or event on screen, or the frames around the frame."""

from dataclasses import dataclass

from training.errors import UserError
from wce_desktop.core.clock import counted, format_time
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.span import Span
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading

FRAMES_AROUND = 8
"""Frames before and behind the frame on screen where nothing is marked and nothing flagged."""
LEAST_FRAMES = 4
"""A shorter place is widened to so many frames: one frame alone says little."""


@dataclass(frozen=True)
class PlaceQuery:
    """A place of a study.

    Attributes:
        span: its frames.
        frame_index: the frame of it that is shown.
        words: what it is, for the reader.
    """

    study_id: str
    patient_id: str
    span: Span
    frame_index: int
    words: str


def place_query(reading: Reading) -> PlaceQuery:
    """The marked span; else the finding, else the event on screen; else the frames around the frame on screen."""
    frame, event = reading.place.frame_index, reading.event_here()
    finding = next((finding for finding in reading.entries.findings if frame in finding.span), None)
    if reading.place.is_span_marked:
        span, what = reading.place.span_to_label(), to_translate("{frames} from {time} (the marked span)")
    elif finding is not None:
        span, what = finding.span, to_translate("{frames} from {time} (the finding here)")
    elif event is not None:
        span, what = event.span, to_translate("{frames} from {time} (the flag here)")
    else:
        first, last = frame - FRAMES_AROUND, frame + FRAMES_AROUND
        span, what = (
            Span(max(0, first), min(reading.frame_count, last + 1)),
            to_translate("{frames} from {time} (around this frame)"),
        )
    span = _widened(span, reading.frame_count)
    start = format_time(float(reading.index.video_seconds[span.start]))
    words = tr(what, frames=counted(len(span), "frame"), time=start)
    shown = frame if frame in span else (span.start + span.stop) // 2
    return PlaceQuery(reading.study.study_id, reading.study.patient_id, span, shown, words)


def _widened(span: Span, frame_count: int) -> Span:
    missing = max(0, LEAST_FRAMES - len(span))
    start = max(0, min(span.start - missing // 2, frame_count - LEAST_FRAMES))
    return Span(min(start, span.start), min(frame_count, max(span.stop, start + LEAST_FRAMES)))


def check_place(reading: Reading | None, other_studies: int, *, needs_scores: bool = True) -> Reading:
    """The open study, if its places can be searched for.

    Args:
        reading: the open study.
        other_studies: of the library.
        needs_scores: places can only be compared by stored embeddings.

    Raises:
        UserError: no study is open, the model in use has not scored it, or there is no other study.
    """
    if reading is None:
        raise UserError("No study is open.", "Open one with {key}.", key_of("open_files"))
    if not other_studies:
        raise UserError("The library has no other study.", "Open another study with {key} first.", key_of("open_files"))
    if needs_scores and reading.flags.embeddings is None:
        raise UserError("This study was not scored by the model in use.", "Score it: {key}.", key_of("score_study"))
    return reading
