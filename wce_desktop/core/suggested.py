"""Suggested findings: events that seem to show the same finding."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.clock import format_time, score_text
from wce_desktop.core.event import Event, EventList, Order, highest_first
from wce_desktop.core.language import to_translate, tr

Pairs = tuple[tuple[int, int], ...]
STORED = to_translate("by how alike their frames look and how close in time they are")
"""How events are grouped without a re-identification model."""


@dataclass(frozen=True, slots=True)
class EarlierFinding:
    """A confirmed finding of another study of the patient that looks like a suggested finding.

    Attributes:
        study_id, study_name: its study.
        finding: it.
        frame_index: the frame that stands for it.
        seconds: time of this frame in its study; NaN where it is not known.
        similarity: cosine of both vectors, in [-1, 1].
        is_linked: whether the reader has linked the two as the same.
    """

    study_id: str
    study_name: str
    finding: Finding
    frame_index: int
    seconds: float
    similarity: float
    is_linked: bool = False


def earlier_words(earlier: EarlierFinding, title: str) -> str:
    """“looks like Polyp of P03 at 0:12:01, similarity 0.87”; `title` is that of the class."""
    values = {"title": title, "study": earlier.study_name, "similarity": score_text(earlier.similarity)}
    if math.isnan(earlier.seconds):
        if earlier.is_linked:
            return tr("linked with {title} of {study}, similarity {similarity}", **values)
        return tr("looks like {title} of {study}, similarity {similarity}", **values)
    values["time"] = format_time(earlier.seconds)
    if earlier.is_linked:
        return tr("linked with {title} of {study} at {time}, similarity {similarity}", **values)
    return tr("looks like {title} of {study} at {time}, similarity {similarity}", **values)


@dataclass(frozen=True, eq=False)
class SuggestedFindings:
    """The E events of a study in G groups; the events of a group are the *parts* of one suggested finding.

    Attributes:
        events: in order of time.
        groups: (E,) int64, the group of each event, 0 to G - 1.
        scores: (G,) float32 in [0, 1]: the mean score of all frames of a group's events (soft voting; Intrator et al.
            2023, section 3.2).
        means: how they were grouped, in words that follow "grouped".
        earlier: group -> the finding of an earlier study that looks like it.
    """

    events: EventList
    groups: NDArray[np.int64]
    scores: NDArray[np.float32]
    means: str = STORED
    earlier: Mapping[int, EarlierFinding] = field(default_factory=dict)
    main: EventList = field(init=False)
    """The part with the highest score of each suggested finding, in order of time: it stands for the finding."""
    main_part_counts: NDArray[np.int64] = field(init=False)
    """(L,) how many parts each finding of `main` has."""
    is_main: NDArray[np.bool_] = field(init=False)
    """(E,) which events are in `main`."""
    _main_row: NDArray[np.int64] = field(init=False, repr=False)
    _counts: NDArray[np.int64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.groups.shape != (len(self.events),):
            raise ValueError(f"{len(self.events)} events need as many groups, not {self.groups.shape}")
        order = highest_first(self.events.peak_scores)
        main_row = np.zeros(len(self.scores), np.int64)
        main_row[self.groups[order[::-1]]] = order[::-1]  # the highest comes last and stays
        is_main = np.zeros(len(self.events), bool)
        is_main[main_row] = True
        object.__setattr__(self, "is_main", is_main)
        object.__setattr__(self, "_main_row", main_row)
        object.__setattr__(self, "_counts", np.bincount(self.groups, minlength=len(self.scores)))
        object.__setattr__(self, "main", self.events.chosen(is_main))
        object.__setattr__(self, "main_part_counts", self._counts[self.groups[is_main]])

    def __len__(self) -> int:
        return len(self.scores)

    def ranking(self, order: Order) -> NDArray[np.intp]:
        """(L,) the places of `main` in an order: by the first frame of each finding, or by the highest score."""
        if order == "score":
            return highest_first(self.main.peak_scores)
        first = np.full(len(self.scores), np.iinfo(np.int64).max)
        np.minimum.at(first, self.groups, self.events.starts)
        return np.argsort(first[self.groups[self.is_main]], kind="stable")

    def ordered(self, order: Order) -> EventList:
        """`main` by the first frame of each finding, or by the highest score."""
        return self.main.arranged(self.ranking(order), order)

    def group_of(self, event: Event) -> int:
        """The group of an event, or -1 where it is none of these."""
        row = self.events.row_of(event)
        return int(self.groups[row]) if row >= 0 else -1

    def main_of(self, event: Event) -> Event:
        """The part that stands for the finding of an event; the event itself where it is none of these."""
        group = self.group_of(event)
        return event if group < 0 else self.events[int(self._main_row[group])]

    def parts_of(self, event: Event) -> list[Event]:
        """All parts of the finding of an event in order of time; the event alone where it is none of these."""
        group = self.group_of(event)
        return [event] if group < 0 else [self.events[int(row)] for row in np.flatnonzero(self.groups == group)]

    def score_of(self, event: Event) -> float:
        """The soft-voted score of the finding of an event, in [0, 1]."""
        group = self.group_of(event)
        return event.peak_score if group < 0 else float(self.scores[group])

    def earlier_of(self, event: Event) -> EarlierFinding | None:
        """The finding of an earlier study that looks like the finding of an event, or None."""
        return self.earlier.get(self.group_of(event))

    def with_parts(self) -> list[list[Event]]:
        """The findings that have several parts, each with its parts in order of time."""
        several = np.flatnonzero(self._counts > 1)
        rows = [np.flatnonzero(self.groups == group) for group in several.tolist()]
        return [[self.events[int(row)] for row in held] for held in rows]


def linked_events(events: EventList, links: Iterable[Link]) -> tuple[Pairs, Pairs]:
    """The pairs of events (rows in order of time) that the reader's links join, and those that they keep apart.

    A link names two frames and their classes; it means the events of these classes that contain the frames. A link is
    ignored while one of the two is not flagged.
    """
    same: list[tuple[int, int]] = []
    different: list[tuple[int, int]] = []
    for link in links:
        if link.study_id == link.other_study_id:
            first = _named(events, link.frame_index, link.name)
            second = _named(events, link.other_frame_index, link.other_name)
            if first is not None and second is not None and first != second:
                (same if link.is_same else different).append((events.row_of(first), events.row_of(second)))
    return tuple(same), tuple(different)


def _named(events: EventList, frame_index: int, name: str) -> Event | None:
    """The event of a class that holds a frame; without a class the one of the highest peak."""
    return next((event for event in events.at(frame_index) if name in ("", event.name)), None)
