"""Suggested findings, events that are taken to show the same; and planned edits: accept, reject, join, split.

Each plan is one undo step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.change import Add, Change, Plan, Remove, Replace
from wce_desktop.core.clock import counted
from wce_desktop.core.event import Event
from wce_desktop.core.event_list import EventList, highest_first
from wce_desktop.core.finding import Box, Finding
from wce_desktop.core.label import Label, LabelTrack
from wce_desktop.core.labelling import add_label, apply_to_track, reject_suggestion
from wce_desktop.core.link import Link
from wce_desktop.core.marking import remove_finding
from wce_desktop.core.span import Span, SpanSet

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class SuggestedFindings:
    """The E events of a study in G groups; the events of a group are the *parts* of one suggested finding.

    Attributes:
        events: in order of time.
        groups: (E,) int64, the group of each event, 0 to G - 1.
        scores: (G,) float32 in [0, 1]: the mean score of all frames of a group's events (soft voting; Intrator et al.
            2023, section 3.2).
    """

    events: EventList
    groups: NDArray[np.int64]
    scores: NDArray[np.float32]
    main: EventList = field(init=False)
    """The part with the highest score of each suggested finding, in order of time: it stands for the finding."""
    main_part_counts: NDArray[np.int64] = field(init=False)
    """(L,) how many parts each finding of `main` has."""
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
        object.__setattr__(self, "_main_row", main_row)
        object.__setattr__(self, "_counts", np.bincount(self.groups, minlength=len(self.scores)))
        object.__setattr__(self, "main", self.events.chosen(is_main))
        object.__setattr__(self, "main_part_counts", self._counts[self.groups[is_main]])

    def __len__(self) -> int:
        return len(self.scores)

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

    def with_parts(self) -> list[list[Event]]:
        """The findings that have several parts, each with its parts in order of time."""
        several = np.flatnonzero(self._counts > 1)
        rows = [np.flatnonzero(self.groups == group) for group in several.tolist()]
        return [[self.events[int(row)] for row in held] for held in rows]


def linked_events(events: EventList, links: Iterable[Link]) -> tuple[Pairs, Pairs]:
    """The pairs of events (rows in order of time) that the reader's links join, and those that they keep apart.

    A link names two frames and classes; it is of the events of these classes that hold them. A link of which one is not
    flagged any more says nothing.
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


def accept_finding(
    track: LabelTrack,
    findings: Iterable[Finding],
    links: Iterable[Link],
    main: Event,
    parts: Sequence[Event],
    *,
    study_id: str,
    reader: str,
    model_id: str | None,
) -> Plan:
    """Label the frames of all parts with the class of the main one, link the parts, and make a finding of them.

    Args:
        track, findings, links: of the study.
        main: the part that stands for the suggested finding.
        parts: all of them, in order of time.
        study_id, reader: stored with what is made.
        model_id: the model that suggests; None where it is no model.

    The labels carry the finding's id; its span is that of the main part, and its key frames are the peaks of the parts.
    A finding of this class that lies on one of the parts already takes the new labels and key frames.
    """
    spans = SpanSet(part.span for part in parts)
    peaks = tuple(part.peak_frame for part in parts)
    of_class = [finding for finding in findings if finding.kind == main.name]
    finding = next((finding for finding in of_class if _lies_on(finding, spans)), None)
    changes: list[Change] = []
    if finding is None:
        finding = Finding.new(study_id=study_id, kind=main.name, span=main.span, key_frames=peaks, reader=reader)
        changes.append(Add(finding))
        changes += _without_key_frames(of_class, spans)
    elif more := [peak for peak in peaks if peak not in finding.key_frames]:
        changes.append(Replace(finding, replace(finding, key_frames=tuple(sorted((*finding.key_frames, *more))))))
    after = LabelTrack(_labels_on(track, parts))
    for span in spans:
        step = _labels(after, span, main.name, study_id, reader, model_id, finding.finding_id)
        apply_to_track(after, step)
        changes += step
    changes += _links(links, main, [part for part in parts if part != main], study_id, reader, is_same=True)
    title = f"Accept {main.name} on {counted(spans.frame_count, 'frame')}"
    if len(parts) > 1:
        title += f" in {len(parts)} parts"
    return Plan(title if changes else f"{title}: accepted already", tuple(changes))


def reject_finding(
    track: LabelTrack,
    findings: Iterable[Finding],
    boxes: Iterable[Box],
    main: Event,
    parts: Sequence[Event],
    *,
    study_id: str,
    reader: str,
    model_id: str | None,
) -> Plan:
    """Reject the suggestion on the frames of all parts: those without another label become normal.

    A finding of this class all of whose frames lie on the parts is removed, unless something was written about it or it
    has boxes.
    """
    changes: list[Change] = []
    spans = SpanSet(part.span for part in parts)
    with_boxes = {box.finding_id for box in boxes}
    empty = [
        finding
        for finding in findings
        if finding.kind == main.name and finding.finding_id not in with_boxes and _is_rejected(finding, track, spans)
    ]
    # A study can have 100,000 labels: only those in question are copied where that suffices.
    after = LabelTrack(track if empty else _labels_on(track, parts))
    for finding in empty:
        freed = remove_finding(after, finding).changes
        apply_to_track(after, freed)
        changes += freed
    for part in parts:
        for name in dict.fromkeys((main.name, part.name)):  # accepting labels all parts with the main one's class
            suggestion = replace(part, name=name)
            step = reject_suggestion(after, suggestion, study_id=study_id, reader=reader, model_id=model_id)
            apply_to_track(after, step.changes)
            changes += step.changes
    title = f"Reject {main.name} on {counted(spans.frame_count, 'frame')}"
    if empty:
        title += f", remove {counted(len(empty), 'finding')}"
    return Plan(title if changes else f"{title}: they are labelled as something else", tuple(changes))


def join(links: Iterable[Link], first: Sequence[Event], second: Sequence[Event], *, study_id: str, reader: str) -> Plan:
    """Say that two suggested findings, given by their parts, are one; what kept their parts apart is taken back."""
    held = list(links)
    apart = [Remove(link) for link in held if not link.is_same and _is_between(link, first, second)]
    # By way of the highest peak, which a higher threshold flags longest.
    hub = max(first, key=lambda part: part.peak_score)
    others = [part for part in (*first, *second) if part != hub]
    added = _links(held, hub, others, study_id, reader, is_same=True)
    return Plan(f"Join {counted(len(first) + len(second), 'part')} of a finding", (*apart, *added))


def split(links: Iterable[Link], part: Event, others: Sequence[Event], *, study_id: str, reader: str) -> Plan:
    """Say that one part shows another finding than the others; what joined them is taken back."""
    held = list(links)
    joined = [Remove(link) for link in held if link.is_same and _is_between(link, [part], others)]
    added = _links(held, part, others, study_id, reader, is_same=False)
    return Plan(f"Split a part from {counted(len(others), 'other')}", (*joined, *added))


def _labels(
    track: LabelTrack, span: Span, name: str, study_id: str, reader: str, model_id: str | None, finding_id: str
) -> list[Change]:
    """Changes that label a span and assign to a finding those of its labels that have none, or lie on the span."""
    assigned: list[Change] = [
        Replace(label, replace(label, finding_id=finding_id))
        for label in track.overlapping(name, span)
        if label.finding_id is None or (label.finding_id != finding_id and label.span.intersect(span) == label.span)
    ]
    plan = add_label(
        track,
        span,
        name,
        study_id=study_id,
        reader=reader,
        source="accepted_suggestion",
        finding_id=finding_id,
        model_id=model_id,
    )
    return [*assigned, *plan.changes]


def _labels_on(track: LabelTrack, parts: Sequence[Event]) -> list[Label]:
    """The labels that share a frame with one of the parts."""
    found = {
        label.label_id: label for part in parts for name in track.names for label in track.overlapping(name, part.span)
    }
    return list(found.values())


def _links(
    links: Iterable[Link], event: Event, others: Sequence[Event], study_id: str, reader: str, *, is_same: bool
) -> list[Change]:
    """Links from the peak of an event to those of others, but those that are there."""
    known = {_ends(link) for link in links if link.is_same == is_same}
    made = [
        Link.new(
            study_id=study_id,
            frame_index=event.peak_frame,
            other_study_id=study_id,
            other_frame_index=other.peak_frame,
            is_same=is_same,
            reader=reader,
            name=event.name,
            other_name=other.name,
        )
        for other in others
    ]
    return [Add(link) for link in made if _ends(link) not in known]


def _ends(link: Link) -> frozenset[tuple[int, str]]:
    return frozenset(((link.frame_index, link.name), (link.other_frame_index, link.other_name)))


def _is_between(link: Link, first: Sequence[Event], second: Sequence[Event]) -> bool:
    """Whether a link of one study leads from one of the first events to one of the second ones."""
    if link.study_id != link.other_study_id:
        return False
    ends = (link.frame_index, link.name), (link.other_frame_index, link.other_name)
    return any(_holds(first, one) and _holds(second, other) for one, other in (ends, ends[::-1]))


def _holds(events: Sequence[Event], end: tuple[int, str]) -> bool:
    frame_index, name = end
    return any(frame_index in event.span and name in ("", event.name) for event in events)


def _lies_on(finding: Finding, spans: SpanSet) -> bool:
    return any(finding.span.intersects(span) for span in spans)


def _without_key_frames(findings: Iterable[Finding], spans: SpanSet) -> list[Change]:
    """Changes that take key frames on the spans away from findings: these frames are of another one now."""
    changes: list[Change] = []
    for finding in findings:
        kept = tuple(frame for frame in finding.key_frames if not spans.contains(frame))
        if kept != finding.key_frames:
            changes.append(Replace(finding, replace(finding, key_frames=kept)))
    return changes


def _is_rejected(finding: Finding, track: LabelTrack, spans: SpanSet) -> bool:
    """Whether nothing is left of a finding without these frames, and nothing was written about it."""
    if _is_described(finding) or not _lies_on(finding, spans):
        return False
    own = [label.span for label in track if label.finding_id == finding.finding_id] or [finding.span]
    return not SpanSet(own).difference(spans)


def _is_described(finding: Finding) -> bool:
    return bool(finding.comment or finding.morphology or finding.size_mm is not None)
