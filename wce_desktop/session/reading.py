"""The open study with its data; shown by the views, changed only by the session."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.metrics.events import flagged_frames
from training.video import FieldOfView, FrameIndex
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import NORMAL, Label, LabelTrack, picture_frames
from wce_desktop.core.annotation.landmark import Landmark
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.core.event import Event, EventList, find_events
from wce_desktop.core.scores import Scores
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.core.suggested import SuggestedFindings


@dataclass
class Reading:
    """One open study.

    Attributes:
        study: the study's row in the library.
        index: the video's frames and their times, N of them.
        labels, findings, landmarks, boxes, links, report_parts: of the study.
        seen: (N,) bool, True for frames that were on screen long enough.
        fast: (N,) bool, True for frames that were played too fast to count as seen, also where they were seen later.
        seen_before_flags: (N,) bool, `seen` when the model's scores came; None without scores.
        scores: the model's scores, or None where it has not been scored.
        is_partly_scored: whether the tracks are of a scoring that still runs or was stopped; `scores` is None then.
        scores_refusal: why the scores that are there are not used, or None.
        embeddings: the finished file that the scores and CAMs come from.
        live: scores of the same frames by a classifier of the reader's labels; None where there is none.
        flags_by_live: whether frames are flagged by `live`, where it is there, instead of `scores`.
        field_of_view: as scoring found it, what lies outside is not tissue; None without scores.
        threshold: score at and above which a frame is flagged, in [0, 1].
        lowest_threshold: the lowest threshold at which frames were looked at; None: none yet.
        max_gap: unflagged frames that do not end an event.
        events: the flagged events in order of time.
        suggested: the events grouped into suggested findings; None until they are.
        frame_index: the frame on screen.
        chosen: the event that the reader went to last.
        joining: an event of the suggested finding that is to be joined with another one, or None.
        marked_start, marked_stop: the span being marked, half-open; None where it has no such end yet.
    """

    study: Study
    index: FrameIndex
    labels: LabelTrack
    seen: NDArray[np.bool_]
    threshold: float
    max_gap: int
    lowest_threshold: float | None = None
    findings: list[Finding] = field(default_factory=list)
    landmarks: list[Landmark] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    report_parts: list[ReportPart] = field(default_factory=list)
    fast: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    seen_before_flags: NDArray[np.bool_] | None = None
    scores: Scores | None = None
    is_partly_scored: bool = False
    scores_refusal: UserError | None = None
    embeddings: EmbeddingFile | None = None
    live: Scores | None = None
    flags_by_live: bool = False
    field_of_view: FieldOfView | None = None
    events: EventList = field(default_factory=EventList)
    suggested: SuggestedFindings | None = None
    frame_index: int = 0
    chosen: Event | None = None
    joining: Event | None = None
    marked_start: int | None = None
    marked_stop: int | None = None
    _tracks: dict[str, NDArray[np.float32]] = field(default_factory=dict, repr=False)
    _live_tracks: dict[str, NDArray[np.float32]] = field(default_factory=dict, repr=False)
    _flagged: NDArray[np.bool_] | None = field(default=None, repr=False)
    _labelled: NDArray[np.bool_] | None = field(default=None, repr=False)

    @property
    def frame_count(self) -> int:
        """N, the number of frames that the file announces."""
        return len(self.index)

    @property
    def embeddings_classes(self) -> tuple[str, ...]:
        """The classes of the scores and CAMs in the order of their columns."""
        return () if self.embeddings is None else self.embeddings.header.classes

    @property
    def pathology_names(self) -> tuple[str, ...]:
        """The scored classes but normal."""
        return _but_normal(self._tracks)

    def track(self, name: str) -> NDArray[np.float32]:
        """(N,) float32: the scores of one class, NaN for frames that have none; KeyError for a class without scores."""
        return self._tracks[name]

    @property
    def live_names(self) -> tuple[str, ...]:
        """The classes of the live scores but normal."""
        return _but_normal(self._live_tracks)

    def live_track(self, name: str) -> NDArray[np.float32]:
        """As `track`, of the live scores."""
        return self._live_tracks[name]

    @property
    def flag_tracks(self) -> Mapping[str, NDArray[np.float32]]:
        """Class but normal -> (N,) float32, the scores by which frames are flagged."""
        tracks = self._live_tracks if self.flags_by_live and self.live is not None else self._tracks
        return {name: tracks[name] for name in _but_normal(tracks)}

    def set_scores(self, scores: Scores | None, embeddings: EmbeddingFile | None) -> None:
        """Show these scores and their file from now on, with the events they give; live scores are taken away."""
        self.scores, self.embeddings = scores, embeddings
        self.is_partly_scored = False
        self._tracks = self._dense(scores)
        self.live, self._live_tracks = None, {}
        self.find_events()

    def set_scores_so_far(self, scores: Scores) -> None:
        """Show the scores of the first frames, of a job that still runs, with the events they give."""
        self.is_partly_scored = True
        self._tracks = self._dense(scores)
        self.find_events()

    def set_live(self, scores: Scores | None) -> None:
        """Show these live scores, or none, with the events they give if they flag frames."""
        self.live, self._live_tracks = scores, self._dense(scores)
        if self.flags_by_live:
            self.find_events()

    def flag_by_live(self, is_wanted: bool) -> None:
        """Let the live scores flag frames, or the model's."""
        self.flags_by_live = is_wanted
        self.find_events()

    def _dense(self, scores: Scores | None) -> dict[str, NDArray[np.float32]]:
        return {} if scores is None else {name: scores.dense(name, self.frame_count) for name in scores.classes}

    def find_events(self) -> None:
        """Find the flagged events of every class at the current threshold, in order of time."""
        self.events = self.events_at(self.threshold)
        self.chosen, self.joining = self._now(self.chosen), self._now(self.joining)
        self._flagged = None
        self.suggested = None

    def _now(self, event: Event | None) -> Event | None:
        """The event of the same class that has the peak of an earlier one now, which may have grown meanwhile."""
        return None if event is None else self.current(event) or event

    def current(self, event: Event) -> Event | None:
        """The event of the same class that holds the peak of an event of an earlier threshold; None where none does."""
        return next((one for one in self.events.at(event.peak_frame) if one.name == event.name), None)

    def events_at(self, threshold: float) -> EventList:
        """The events that a threshold would flag, in order of time."""
        tracks = self.flag_tracks.items()
        return EventList(find_events(track, threshold, name, max_gap=self.max_gap) for name, track in tracks)

    def use_threshold(self) -> None:
        """Note that a frame is looked at while the flags of this threshold are shown."""
        if self.flag_tracks:
            self.lowest_threshold = self.threshold_read

    @property
    def threshold_read(self) -> float:
        """The lowest threshold at which the study was read: all of its flags have to be seen, or acknowledged."""
        return self.threshold if self.lowest_threshold is None else min(self.lowest_threshold, self.threshold)

    @property
    def listed(self) -> EventList:
        """What the reader goes through, in order of time: the suggested findings by their main parts, or the events."""
        return self.events if self.suggested is None else self.suggested.main

    def parts_of(self, event: Event) -> list[Event]:
        """The parts of the suggested finding of an event, in order of time; the event alone where there is none."""
        return [event] if self.suggested is None else self.suggested.parts_of(event)

    def main_of(self, event: Event) -> Event:
        """The main part of the suggested finding of an event; the event itself where none are suggested."""
        return event if self.suggested is None else self.suggested.main_of(event)

    def flagged(self) -> NDArray[np.bool_]:
        """(N,) bool: the frames at and above the threshold in any class; frames without a score are not flagged."""
        if self._flagged is None:
            self._flagged = np.zeros(self.frame_count, dtype=bool)
            for track in self.flag_tracks.values():
                self._flagged |= flagged_frames(track, self.threshold)
        return self._flagged

    def count_left(self) -> int:
        """How many flagged frames were neither on screen nor labelled, nor rejected as what they are flagged as."""
        left = np.zeros(self.frame_count, dtype=bool)
        for name, track in self.flag_tracks.items():
            of_class = flagged_frames(track, self.threshold)
            for label in self.labels.negatives.overlapping(name, Span(0, self.frame_count)):
                of_class[label.span.start : label.span.stop] = False
            left |= of_class
        return int(np.count_nonzero(left & ~self.seen & ~self.labelled()))

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

    def is_event_seen(self, event: Event) -> bool:
        """Whether the frame for which the event was flagged has been on screen, or has been labelled."""
        frame = event.peak_frame
        return bool(self.seen[frame] or self.labelled()[frame] or self.answer(event))

    @property
    def unseen_listed(self) -> NDArray[np.bool_]:
        """(L,) bool: which of `listed` have neither been on screen with their peak nor been labelled there."""
        return self.unanswered_listed & ~self.seen[self.listed.peak_frames]

    @property
    def unanswered_listed(self) -> NDArray[np.bool_]:
        """(L,) bool: which of `listed` are `unanswered`."""
        return self.unanswered(self.listed)

    def unanswered(self, events: EventList) -> NDArray[np.bool_]:
        """(E,) bool: which events have no answer on their peak: not accepted, rejected or labelled otherwise."""
        negatives = self.labels.negatives
        answered = self.labelled()[events.peak_frames]
        for name in set(negatives.names) & set(events.class_names):
            of_class = np.flatnonzero(events.classes == events.class_names.index(name))
            peaks = events.peak_frames[of_class].tolist()
            answered[of_class] |= np.array([negatives.named_at(name, peak) is not None for peak in peaks], dtype=bool)
        return ~answered

    def answer(self, event: Event) -> str:
        """The reader's answer to the suggestion: "accepted", "rejected" or "" (nothing yet)."""
        names = {label.name for label in self.labels.at(event.peak_frame)}
        if event.name in names:
            return "accepted"
        is_denied = self.labels.negatives.named_at(event.name, event.peak_frame) is not None
        return "rejected" if is_denied or NORMAL in names else ""

    def event_here(self) -> Event | None:
        """The event on screen: of those that hold the frame the chosen one, else that of highest peak, or None."""
        here = self.events.at(self.frame_index)
        return self.chosen if self.chosen in here else next(iter(here), None)

    def frames_of(self, finding: Finding) -> tuple[int, ...]:
        """See `picture_frames`."""
        return picture_frames(finding, self.labels, self.frame_count)

    def stored_cam(self, kind: str, frame_index: int) -> NDArray[np.floating] | None:
        """(h, w) the CAM that scoring stored of a class on a frame; None where there is none."""
        file = self.embeddings
        if file is None or file.cams is None or kind not in file.header.classes:
            return None
        row = int(np.searchsorted(file.frame_index, frame_index))
        if row >= len(file) or file.frame_index[row] != frame_index:
            return None
        cam = np.asarray(file.cams[row, file.header.classes.index(kind)])
        return None if np.isnan(cam).any() else cam

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

    def labels_here(self) -> list[Label]:
        """The labels of the frame on screen."""
        return list(self.labels.at(self.frame_index))


def _but_normal(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name != NORMAL)
