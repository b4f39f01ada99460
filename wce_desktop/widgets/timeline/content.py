"""What the timeline shows of a study: scores, events, labels, findings, regions, and what was seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from wce_desktop.core import Span, decimation, format_frame, format_time, score_text, tr
from wce_desktop.core.annotation import ClassName, Finding, Landmark
from wce_desktop.core.event import Event, EventList
from wce_desktop.core.seen import Seen, seen_in
from wce_desktop.core.visible_mucosa import share_words
from wce_desktop.widgets.theme import legible


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


class SpanTable:
    """Spans in order of their starts; they may overlap, and the same span may be there twice."""

    def __init__(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> None:
        """From (K,) int64 starts and ends (exclusive), in any order."""
        order = np.lexsort((stops, starts))
        self._keep(starts[order], stops[order])

    @classmethod
    def of(cls, spans: Iterable[Span]) -> SpanTable:
        """From spans in any order."""
        edges = np.array([(span.start, span.stop) for span in spans], dtype=np.int64).reshape(-1, 2)
        return cls(edges[:, 0], edges[:, 1])

    def _keep(self, starts: NDArray[np.int64], stops: NDArray[np.int64]) -> None:
        self.starts, self.stops = starts, stops
        # The furthest end so far never decreases, so that the first span that reaches a place is found by bisection.
        self._reach = np.maximum.accumulate(stops) if len(stops) else stops

    def add(self, span: Span) -> None:
        """Take a span in."""
        at = int(np.searchsorted(self.starts, span.start))
        self._keep(np.insert(self.starts, at, span.start), np.insert(self.stops, at, span.stop))

    def remove(self, span: Span) -> None:
        """Take one span like this out. Raises KeyError when there is none."""
        first = int(np.searchsorted(self.starts, span.start, side="left"))
        last = int(np.searchsorted(self.starts, span.start, side="right"))
        at = np.flatnonzero(self.stops[first:last] == span.stop)
        if not at.size:
            raise KeyError(span)
        self._keep(np.delete(self.starts, first + at[0]), np.delete(self.stops, first + at[0]))

    def columns(self, start: float, stop: float, columns: int) -> NDArray[np.bool_]:
        """Which screen columns of the window `[start, stop)` the spans cover: (columns,) bool."""
        return decimation.covered_columns(self.starts, self._reach, start, stop, columns)

    def holds(self, frame: int) -> bool:
        """Whether a frame is in one of the spans."""
        return bool(self.columns(frame, frame + 1, 1)[0])


def nearest(events: EventList, away: NDArray[np.int64], reach: float) -> Event | None:
    """The event that is the fewest frames `away` (E,), but at most `reach`; of several the highest one."""
    if not len(away) or away.min() > reach:
        return None
    near = np.flatnonzero(away == away.min())
    return events[int(near[np.argmax(events.peak_scores[near])])]


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
        events: in order of time.
        chains: suggested findings with several parts, each with its parts in order of time.
        links: places that are linked with other studies.
        style: the class of a name: title, colour, shape.
        pyramid: of the tracks' values (N, C); None without tracks.
        colors: mean tissue colour along the study; None when not known yet.
        visible: (N,) share of each frame that shows mucosa, NaN for missing frames; None when not known.
        has_view: (N,) bool, the frames that show any; None when not known.
        hidden: along the study, in 0 to 255 and the same in each colour; None when not known.
        blood: (N,) bool, the frames that the blood indicator marks; None when not known.
        unfamiliar: (N,) 1 for frames that look unlike the model's training, 0 for others, NaN; None when not known.
        unlike: the same along the study, as `hidden`.
        no_scores: why there are no tracks yet; empty where scoring is up to the reader.
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
    pyramid: decimation.MinMaxPyramid | None = None
    threshold: float = 0.5
    threshold_words: Callable[[float], str] = score_text
    colors: decimation.MeanColors | None = None
    visible: NDArray[np.float32] | None = None
    has_view: NDArray[np.bool_] | None = None
    hidden: decimation.MeanColors | None = None
    blood: NDArray[np.bool_] | None = None
    unfamiliar: NDArray[np.float32] | None = None
    unlike: decimation.MeanColors | None = None
    events: EventList = field(default_factory=EventList)
    chains: Sequence[Sequence[Event]] = ()
    labels: dict[str, SpanTable] = field(default_factory=dict)
    negatives: dict[str, SpanTable] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    landmarks: Sequence[Landmark] = ()
    links: Sequence[LinkMark] = ()
    no_scores: str = ""
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
                *self.frame_words(at),
                *([tr("flagged")] if any(score >= self.threshold for score, _ in scores) else []),
                tr("seen") if is_seen else tr("not seen"),
            )
        )

    def frame_words(self, frame: int) -> list[str]:
        """How much mucosa a frame shows, and whether it has a blood mark or is unlike the training, as far as known."""
        share = float("nan") if self.visible is None else float(self.visible[frame])
        words = []
        if not math.isnan(share):
            is_counted = self.has_view is None or bool(self.has_view[frame])
            said = tr("{percent} of the mucosa visible", percent=share_words(share))
            words.append(said if is_counted else tr("{words}; need not be read", words=said))
        if self.blood is not None and self.blood[frame]:
            words.append(tr("blood mark (by colour alone)"))
        if self.unfamiliar is not None and self.unfamiliar[frame] > 0:
            words.append(tr("unlike the training"))
        return words

    def seen_in(self, span: Span) -> Seen:
        """How much of a span was seen."""
        return seen_in(self.seen, self.has_view, span)

    def seconds(self, frame: int) -> float | None:
        """The time of a frame since the start, or None when times are not known."""
        if self.video_seconds is None or not 0 <= frame < len(self.video_seconds):
            return None
        return float(self.video_seconds[frame])

    def position_at(self, seconds: float) -> float:
        """The position in fractions of frames at a time; needs times."""
        times = self.video_seconds
        assert times is not None
        after = min(max(int(np.searchsorted(times, seconds, side="left")), 0), len(times) - 1)
        before = max(after - 1, 0)
        gap = float(times[after] - times[before])
        return before + min(max((seconds - float(times[before])) / gap, 0.0), 1.0) if gap > 0 else float(after)

    @property
    def only_fast(self) -> NDArray[np.bool_] | None:
        """(N,) bool: frames that were only played too fast; None where there are none."""
        return self._unseen(self.fast)

    @property
    def only_skipped(self) -> NDArray[np.bool_] | None:
        """(N,) bool: frames left out as similar, and neither seen nor played too fast; None: there are none."""
        skipped = self.skipped
        if skipped is not None and self.fast is not None:
            skipped = skipped & ~self.fast
        return self._unseen(skipped)

    def _unseen(self, flags: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
        if flags is None or self.seen is None:
            return None
        left = flags & ~self.seen
        return left if left.any() else None

    def note_seen_events(self) -> bool:
        """Note which events were seen by now; True when that differs from the last time."""
        peaks = self.events.peak_frames
        now = np.zeros(len(peaks), dtype=np.bool_)
        if self.seen is not None and len(self.seen):
            now = self.seen[np.clip(peaks, 0, len(self.seen) - 1)]
        changed = not np.array_equal(now, self.seen_events)
        self.seen_events = now
        return changed
