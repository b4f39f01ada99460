"""The open study with its data; shown by the views, changed only by the session."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.metrics.events import flagged_frames
from training.video import FrameIndex
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import NORMAL, Label, LabelTrack, picture_frames
from wce_desktop.core.annotation.landmark import Landmark
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.report_part import ReportPart, part_of
from wce_desktop.core.blood import TRACK, marked_frames
from wce_desktop.core.drawings import Drawings, drawings_of
from wce_desktop.core.event import Event, EventList
from wce_desktop.core.seen import Seen, seen_in
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.session.flags import Flags


@dataclass
class Entries:
    """What was entered for one study of `frame_count` frames."""

    frame_count: int
    labels: LabelTrack
    findings: list[Finding] = field(default_factory=list)
    landmarks: list[Landmark] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    report_parts: list[ReportPart] = field(default_factory=list)
    _labelled: NDArray[np.bool_] | None = field(default=None, repr=False)
    _drawings: tuple[ReportPart | None, Drawings] = field(default=(None, Drawings()), repr=False)

    @property
    def drawings(self) -> Drawings:
        """What is drawn on frames, and which of them the report shows; read once, since it is painted often."""
        part = part_of(self.report_parts, "drawings")
        if part is not self._drawings[0]:
            self._drawings = part, drawings_of(part)
        return self._drawings[1]

    def labelled(self) -> NDArray[np.bool_]:
        """(N,) bool: the frames that carry a label by which a class is there."""
        if self._labelled is None:
            self._labelled = np.zeros(self.frame_count, dtype=bool)
            for label in self.labels:
                self._labelled[label.span.start : label.span.stop] = True
        return self._labelled

    def labels_changed(self, spans: Iterable[Span] | None = None) -> None:
        """Look at the labels on these spans again, or at all of them."""
        if spans is None or self._labelled is None:
            self._labelled = None
            return
        for span in spans:
            self._labelled[span.start : span.stop] = False
            for name in self.labels.names:
                for label in self.labels.overlapping(name, span):
                    self._labelled[label.span.start : label.span.stop] = True

    def frames_of(self, finding: Finding) -> tuple[int, ...]:
        """See `picture_frames`."""
        return picture_frames(finding, self.labels, self.frame_count)


@dataclass
class Place:
    """Where the reader is: the frame on screen, and the half-open span being marked."""

    frame_index: int = 0
    marked_start: int | None = None  # None where the span has no such end yet
    marked_stop: int | None = None

    @property
    def is_span_marked(self) -> bool:
        """Whether the reader marks a span at the moment."""
        return self.marked_start is not None or self.marked_stop is not None

    def span_to_label(self) -> Span:
        """The marked span, or the frame on screen where none is marked."""
        start, stop = self.marked_start, self.marked_stop
        if start is None and stop is None:
            return Span(self.frame_index, self.frame_index + 1)
        first = self.frame_index if start is None else start
        last = self.frame_index if stop is None else stop - 1
        return Span(min(first, last), max(first, last) + 1)


@dataclass
class Reading:
    """One open study of N frames: its row in the library, what was entered for it, and what is flagged in it."""

    study: Study
    index: FrameIndex  # its frames and their times
    entries: Entries
    flags: Flags
    place: Place
    seen: NDArray[np.bool_]  # (N,) True for frames that were on screen long enough
    fast: NDArray[np.bool_]  # (N,) True for frames that were played too fast to count as seen, also where seen later
    seen_before_flags: NDArray[np.bool_] | None = None  # (N,) `seen` when the model's scores came; None without scores
    usable_index: Path | None = None  # the kept index; None: jobs make their own
    view: str = ""  # the view in which the reader looked at it last; "" for none
    is_synthetic: bool = False  # rendered by the phantom

    @property
    def frame_count(self) -> int:
        """N, the number of frames that the file announces."""
        return len(self.index)

    @property
    def unread(self) -> NDArray[np.bool_]:
        """(N,) bool: the frames that are to be read and were not seen; those without visible mucosa are not."""
        return self.flags.has_view & ~self.seen

    @property
    def marked_as_blood(self) -> NDArray[np.bool_] | None:
        """(N,) bool: see `core.blood.marked_frames`; None where the blood indicator was not computed."""
        values = self.flags.indicator(TRACK)
        return None if values is None else marked_frames(values, self.entries.landmarks)

    def seen_in(self, within: Span | None = None) -> Seen:
        """How much of a span, or of the study, was seen."""
        return seen_in(self.seen, self.flags.has_view, within or Span(0, self.frame_count))

    def count_left(self) -> int:
        """How many flagged frames were neither on screen nor labelled, nor rejected as what they are flagged as."""
        left = np.zeros(self.frame_count, dtype=bool)
        for name, track in self.flags.flag_tracks.items():
            of_class = flagged_frames(track, self.flags.threshold)
            for label in self.entries.labels.negatives.overlapping(name, Span(0, self.frame_count)):
                of_class[label.span.start : label.span.stop] = False
            left |= of_class
        return int(np.count_nonzero(left & ~self.seen & ~self.entries.labelled()))

    def is_event_seen(self, event: Event) -> bool:
        """Whether every part of the event's suggested finding has been on screen with its peak, or was answered."""
        peaks = [(part, part.peak_frame) for part in self.flags.parts_of(event)]
        labelled = self.entries.labelled()
        return all(self.seen[frame] or labelled[frame] or self.answer(part) for part, frame in peaks)

    def unseen(self, events: EventList) -> NDArray[np.bool_]:
        """(E,) bool: which events are `unanswered`, with a peak that has not been on screen."""
        return self.unanswered(events) & ~self.seen[events.peak_frames]

    def unanswered(self, events: EventList) -> NDArray[np.bool_]:
        """(E,) bool: which events have no answer on their peak: not accepted, rejected or labelled otherwise."""
        negatives = self.entries.labels.negatives
        answered = self.entries.labelled()[events.peak_frames]
        for name in set(negatives.names) & set(events.class_names):
            of_class = np.flatnonzero(events.classes == events.class_names.index(name))
            peaks = events.peak_frames[of_class].tolist()
            answered[of_class] |= np.array([negatives.named_at(name, peak) is not None for peak in peaks], dtype=bool)
        return ~answered

    def answer(self, event: Event) -> str:
        """The reader's answer to the suggestion: "accepted", "rejected" or "" (nothing yet)."""
        names = {label.name for label in self.entries.labels.at(event.peak_frame)}
        if event.name in names:
            return "accepted"
        is_denied = self.entries.labels.negatives.named_at(event.name, event.peak_frame) is not None
        return "rejected" if is_denied or NORMAL in names else ""

    def event_here(self) -> Event | None:
        """The event on screen; see `event_at`."""
        return self.event_at(self.place.frame_index)

    def event_at(self, frame_index: int) -> Event | None:
        """Of the events that hold a frame the chosen one, else that of highest peak, or None."""
        here = self.flags.events.at(frame_index)
        return self.flags.chosen if self.flags.chosen in here else next(iter(here), None)

    def labels_here(self) -> list[Label]:
        """The labels of the frame on screen."""
        return list(self.entries.labels.at(self.place.frame_index))
