"""What the timeline shows of a study: scores, events, labels, findings, regions, and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.landmark import Landmark
from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.clock import format_frame, format_time
from wce_desktop.core.decimation import MeanColors, MinMaxPyramid
from wce_desktop.core.event import Event, EventList
from wce_desktop.core.language import tr
from wce_desktop.core.score_text import score_text
from wce_desktop.core.span import Span
from wce_desktop.widgets.theme import legible
from wce_desktop.widgets.timeline.span_table import SpanTable


@dataclass(frozen=True, eq=False)
class Track:
    """The scores of one class.

    Args:
        name: the class in the vocabulary, such as "polyp".
        title: what the screen shows, such as "Polyp".
        color: "#rrggbb".
        values: (N,) float32 in [0, 1], N the study's frames; NaN where a frame has no score.
        flags: whether a score at or above the threshold flags a frame; it stands out then.
        is_dashed: whether the line is dashed.
    """

    name: str
    title: str
    color: str
    values: NDArray[np.float32]
    flags: bool = True
    is_dashed: bool = False


@dataclass(frozen=True, eq=False)
class EventTable:
    """The events as arrays of length E, in order of time.

    Attributes:
        classes: (E,) the class of each, as its place in `class_names`.
    """

    spans: SpanTable
    peaks: NDArray[np.int64]
    scores: NDArray[np.float32]
    classes: NDArray[np.intp]
    class_names: tuple[str, ...]

    @classmethod
    def of(cls, events: Iterable[Event]) -> EventTable:
        """In order of time; a list that holds arrays already is taken over as it is."""
        if isinstance(events, EventList):
            found = events.ordered("time")
            spans = SpanTable.in_order(found.starts, found.stops)
            return cls(spans, found.peak_frames, found.peak_scores, found.classes, found.class_names)
        ordered = sorted(events, key=lambda event: (event.span.start, event.span.stop))
        names = tuple(sorted({event.name for event in ordered}))
        return cls(
            SpanTable.of(event.span for event in ordered),
            np.array([event.peak_frame for event in ordered], dtype=np.int64),
            np.array([event.peak_score for event in ordered], dtype=np.float32),
            np.array([names.index(event.name) for event in ordered], dtype=np.intp),
            names,
        )

    def nearest(self, frame: int, reach: float) -> Event | None:
        """The event that holds a frame, or lies at most `reach` frames beside it; of several the highest one."""
        starts, stops = self.spans.starts, self.spans.stops
        beside = np.maximum(np.maximum(starts - frame, frame - (stops - 1)), 0)
        if not len(starts) or beside.min() > reach:
            return None
        near = np.flatnonzero(beside == beside.min())
        return self._event(int(near[np.argmax(self.scores[near])]))

    def nearest_peak(self, frame: int, reach: float) -> Event | None:
        """The event whose peak lies nearest to a frame, at most `reach` frames away; of several the highest one."""
        away = np.abs(self.peaks - frame)
        if not len(away) or away.min() > reach:
            return None
        near = np.flatnonzero(away == away.min())
        return self._event(int(near[np.argmax(self.scores[near])]))

    def _event(self, row: int) -> Event:
        return Event(
            Span(int(self.spans.starts[row]), int(self.spans.stops[row])),
            self.class_names[int(self.classes[row])],
            float(self.scores[row]),
            int(self.peaks[row]),
        )


@dataclass(frozen=True, eq=False)
class Chain:
    """The parts of one suggested finding.

    Attributes:
        name: the class of the part with the highest score.
        peaks: (P,) frames of the parts' peaks in order of time.
    """

    name: str
    peaks: tuple[int, ...]

    @classmethod
    def of(cls, parts: Sequence[Event]) -> Chain:
        """Of the parts in order of time."""
        main = max(parts, key=lambda part: part.peak_score)
        return cls(main.name, tuple(part.peak_frame for part in parts))


@dataclass(frozen=True, slots=True)
class LinkMark:
    """A place that is linked with a place of another study.

    Attributes:
        is_same: whether both show the same place, or different ones.
        text: what the popup says: which study, and when.
    """

    frame_index: int
    is_same: bool
    text: str


def _grey_class(name: str) -> ClassName:
    return ClassName(name, name.replace("_", " ").capitalize(), "", "#b8b8b8", "bar")


@dataclass(eq=False)
class Content:
    """One study as the lanes paint it; only `TimelineView` changes it.

    Attributes:
        frame_count: N.
        video_seconds: (N,) float64, not decreasing; None when times are not known.
        chains: suggested findings with several parts.
        links: places that are linked with other studies.
        style: the class of a name: title, colour, shape.
        pyramid: of the tracks' values (N, C); None without tracks.
        colors: mean tissue colour along the study; None when not known yet.
        note: what must be known beside the scores, or "".
        is_being_scored: whether the tracks, if there are none yet, are on their way.
        labels, negatives: of each class the spans on which it is said to be there, and not to be there.
        seen: (N,) bool, or None when nothing was seen.
        fast: (N,) bool, frames that were played too fast to count as seen, or None.
        skipped: (N,) bool, frames that were left out as similar while playing, or None.
        seen_events: (E,) bool, True for the events whose peak was seen; `note_seen_events` keeps it.
    """

    frame_count: int = 0
    video_seconds: NDArray[np.float64] | None = None
    style: Callable[[str], ClassName] = _grey_class
    tracks: Sequence[Track] = ()
    pyramid: MinMaxPyramid | None = None
    threshold: float = 0.5
    colors: MeanColors | None = None
    events: EventTable = field(default_factory=lambda: EventTable.of(()))
    chains: Sequence[Chain] = ()
    labels: dict[str, SpanTable] = field(default_factory=dict)
    negatives: dict[str, SpanTable] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    landmarks: Sequence[Landmark] = ()
    links: Sequence[LinkMark] = ()
    note: str = ""
    is_being_scored: bool = False
    seen: NDArray[np.bool_] | None = None
    fast: NDArray[np.bool_] | None = None
    skipped: NDArray[np.bool_] | None = None
    marked: Span | None = None
    selected: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    cursor: int = 0
    seen_events: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    def color(self, name: str) -> QColor:
        """The colour of a class: its track's if there is one, so that both always agree."""
        for track in self.tracks:
            if track.name == name:
                return legible(track.color)
        return legible(self.style(name).color)

    @property
    def words(self) -> str:
        """The frame on screen in words: "frame 120 of 3,000, 0:01:00, Blood 0.97, flagged, not seen"."""
        at = self.cursor
        if not 0 <= at < self.frame_count:
            return tr("no study")
        seconds = self.seconds(at)
        scores = [(float(track.values[at]), self.style(track.name).shown_title) for track in self.tracks]
        told = [f"{title} {score_text(score)}" for score, title in scores if score >= self.threshold]
        if scores and not told:
            told = [f"{max(scores)[1]} {score_text(max(scores)[0])}"]
        is_seen = self.seen is not None and bool(self.seen[at])
        return ", ".join(
            (
                tr("frame {frame} of {last}", frame=format_frame(at + 1), last=format_frame(self.frame_count)),
                *([format_time(seconds)] if seconds is not None else []),
                *told,
                *([tr("flagged")] if any(score >= self.threshold for score, _ in scores) else []),
                tr("seen") if is_seen else tr("not seen"),
            )
        )

    def seconds(self, frame: int) -> float | None:
        """The time of a frame since the start, or None when times are not known."""
        if self.video_seconds is None or not 0 <= frame < len(self.video_seconds):
            return None
        return float(self.video_seconds[frame])

    def seconds_at(self, position: float) -> float:
        """The time at a position in fractions of frames; needs times."""
        times = self.video_seconds
        assert times is not None
        before = min(max(int(position), 0), len(times) - 1)
        after = min(before + 1, len(times) - 1)
        return float(times[before] + (times[after] - times[before]) * min(max(position - before, 0.0), 1.0))

    def position_at(self, seconds: float) -> float:
        """The position in fractions of frames at a time, the reverse of `seconds_at`; needs times."""
        times = self.video_seconds
        assert times is not None
        after = min(max(int(np.searchsorted(times, seconds, side="left")), 0), len(times) - 1)
        before = max(after - 1, 0)
        gap = float(times[after] - times[before])
        return before + min(max((seconds - float(times[before])) / gap, 0.0), 1.0) if gap > 0 else float(after)

    def links_near(self, frame: int, reach: float) -> list[LinkMark]:
        """The links whose marks lie within so many frames of a frame."""
        return [mark for mark in self.links if abs(mark.frame_index - frame) <= reach]

    @property
    def only_fast(self) -> NDArray[np.bool_] | None:
        """(N,) bool: frames that were only played too fast; None where there are none."""
        if self.fast is None or self.seen is None or len(self.fast) != len(self.seen):
            return None
        found = self.fast & ~self.seen
        return found if found.any() else None

    @property
    def only_skipped(self) -> NDArray[np.bool_] | None:
        """(N,) bool: frames left out as similar, and neither seen nor played too fast; None: there are none."""
        if self.skipped is None or self.seen is None or len(self.skipped) != len(self.seen):
            return None
        found = self.skipped & ~self.seen
        if self.fast is not None and len(self.fast) == len(found):
            found &= ~self.fast
        return found if found.any() else None

    def is_only_skipped(self, frame: int) -> bool:
        """Whether a frame was left out as similar and is still not seen."""
        found = self.only_skipped
        return found is not None and 0 <= frame < len(found) and bool(found[frame])

    def is_only_fast(self, frame: int) -> bool:
        """Whether a frame was played too fast to count as seen, and was not seen another time."""
        if self.fast is None or self.seen is None or not 0 <= frame < min(len(self.fast), len(self.seen)):
            return False
        return bool(self.fast[frame] and not self.seen[frame])

    def note_seen_events(self) -> bool:
        """Note which events were seen by now; True when that differs from the last time."""
        peaks = self.events.peaks
        now = np.zeros(len(peaks), dtype=np.bool_)
        if self.seen is not None and len(self.seen):
            now = self.seen[np.clip(peaks, 0, len(self.seen) - 1)]
        changed = not np.array_equal(now, self.seen_events)
        self.seen_events = now
        return changed
