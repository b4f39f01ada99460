"""The flags of the open study: its scores, the events that they give, and their groups."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.metrics.events import flagged_frames
from training.video import FieldOfView
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.blood import TRACK as BLOOD
from wce_desktop.core.event import Event, EventList, Scores, find_events
from wce_desktop.core.rates import RateScale, threshold_text
from wce_desktop.core.suggested import SuggestedFindings
from wce_desktop.core.visible_mucosa import TRACK, frames_with_view


@dataclass
class Flags:
    """What the model in use, or the live head, flags in one study."""

    frame_count: int  # N, the number of frames that the file announces
    threshold: float  # standard score at and above which a frame is flagged, in [0, 1]
    max_gap: int  # unflagged frames that do not end an event
    lowest_threshold: float | None = None  # the lowest one at which frames were looked at; None: none yet
    scores: Scores | None = None  # the model's scores, or None where it has not been scored
    is_hidden: bool = False  # by the reading protocol: the scores are there, but not shown yet
    confirmed: NDArray[np.bool_] | None = None  # (N,) frames of findings of the unaided pass: no flag there is offered
    is_partial: bool = False  # the tracks are of a scoring that still runs or was stopped; `scores` is None then
    refusal: UserError | None = None  # why the scores that are there are not used, or None
    embeddings: EmbeddingFile | None = None  # the finished file that the scores and CAMs come from
    live: Scores | None = None  # of the same frames by a classifier of the reader's labels; None where there is none
    by_live: bool = False  # whether frames are flagged by `live`, where it is there, instead of `scores`
    unfamiliar: NDArray[np.float32] | None = None  # (N,) 1 for frames unlike the training's, 0, NaN; None: not known
    field_of_view: FieldOfView | None = None  # as scoring found it, what lies outside is not tissue
    events: EventList = field(default_factory=EventList)  # the flagged events in order of time
    suggested: SuggestedFindings | None = None  # the events grouped into suggested findings; None until they are
    chosen: Event | None = None  # the event that the reader went to last
    joining: Event | None = None  # of the suggested finding that is to be joined with another one, or None
    _scale: RateScale | None = None
    _tracks: dict[str, NDArray[np.float32]] = field(default_factory=dict, repr=False)
    _live_tracks: dict[str, NDArray[np.float32]] = field(default_factory=dict, repr=False)
    _flagged: NDArray[np.bool_] | None = field(default=None, repr=False)

    @property
    def mean_color(self) -> NDArray[np.uint8] | None:
        """(N, 3) mean RGB of each frame; None where the scores are not of every frame."""
        colors = None if self.embeddings is None else self.embeddings.mean_color
        return colors if colors is not None and len(colors) == self.frame_count else None

    @cached_property
    def visible_mucosa(self) -> NDArray[np.float32] | None:
        """(N,) share of each frame that shows mucosa, NaN for missing frames; None where it was not computed."""
        return self.indicator(TRACK)

    @cached_property
    def has_view(self) -> NDArray[np.bool_]:
        """(N,) bool: the frames that show mucosa; all of them where that was not computed."""
        visible = self.visible_mucosa
        return (
            np.ones(self.frame_count, np.bool_) if visible is None else frames_with_view(visible, self.indicator(BLOOD))
        )

    @property
    def pathology_names(self) -> tuple[str, ...]:
        """The scored classes but normal."""
        return _but_normal(self._tracks)

    def track(self, name: str) -> NDArray[np.float32]:
        """(N,) float32: the standard scores of one class, NaN for frames without; KeyError for a class without."""
        return self._tracks[name]

    def indicator(self, name: str) -> NDArray[np.float32] | None:
        """(N,) a stored indicator, NaN for frames without a value; None where it was not computed."""
        tracks = None if self.embeddings is None else self.embeddings.tracks
        if self.embeddings is None or tracks is None or name not in tracks:
            return None
        result = np.full(self.frame_count, np.nan, np.float32)
        is_inside = self.embeddings.frame_index < self.frame_count
        result[self.embeddings.frame_index[is_inside]] = tracks[name][is_inside]
        return result

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
        tracks = self._live_tracks if self.by_live and self.live is not None else self._tracks
        return {name: tracks[name] for name in _but_normal(tracks)}

    @property
    def scale(self) -> RateScale | None:
        """Of the scores by which frames are flagged; None: they are as the model gives them."""
        return self.live.scale if self.by_live and self.live is not None else self._scale

    @property
    def threshold_text(self) -> str:
        """The threshold as a rate, or as a score where there are no rates."""
        return threshold_text(self.threshold, self.scale)

    def set_scores(self, scores: Scores | None, embeddings: EmbeddingFile | None) -> None:
        """Show these scores and their file from now on, with the events they give; live scores are taken away."""
        self.scores, self.embeddings = scores, embeddings
        for name in ("visible_mucosa", "has_view"):
            self.__dict__.pop(name, None)
        self.is_partial = False
        self._scale = None if scores is None else scores.scale
        self._tracks = self._dense(scores)
        self.live, self._live_tracks = None, {}
        self.find_events()

    def set_scores_so_far(self, scores: Scores) -> None:
        """Show the scores of the first frames, of a job that still runs, with the events they give."""
        self.is_partial = True
        self._scale = scores.scale
        self._tracks = self._dense(scores)
        self.find_events()

    def set_live(self, scores: Scores | None) -> None:
        """Show these live scores, or none, with the events they give if they flag frames."""
        self.live, self._live_tracks = scores, self._dense(scores)
        if self.by_live:
            self.find_events()

    def flag_by_live(self, is_wanted: bool) -> None:
        """Let the live scores flag frames, or the model's."""
        self.by_live = is_wanted
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
        events = EventList(find_events(track, threshold, name, max_gap=self.max_gap) for name, track in tracks)
        if self.confirmed is None:
            return events
        before = np.concatenate(([0], np.cumsum(self.confirmed)))
        return events.chosen(before[events.stops] == before[events.starts])

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


def _but_normal(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name != NORMAL)
