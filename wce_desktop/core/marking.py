"""Planned edits of landmarks and findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wce_desktop.core.change import Add, Change, Plan, Remove, Replace
from wce_desktop.core.clock import counted, format_frame
from wce_desktop.core.finding import Finding
from wce_desktop.core.identity import new_id
from wce_desktop.core.label import LabelTrack
from wce_desktop.core.labelling import add_label
from wce_desktop.core.landmark import Landmark, Region
from wce_desktop.core.span import Span


def toggle_landmark(
    landmarks: Iterable[Landmark], study_id: str, region: Region, frame_index: int, *, reader: str
) -> Plan:
    """Set the start of a region to a frame; if it starts there already, remove the landmark."""
    there = next((mark for mark in landmarks if mark.region == region), None)
    number = format_frame(frame_index + 1)
    if there is None:
        mark = Landmark(new_id(), study_id, region, frame_index, reader)
        return Plan(f"Start {region} at frame {number}", (Add(mark),))
    if there.frame_index == frame_index:
        return Plan(f"Remove the landmark {region}", (Remove(there),))
    return Plan(f"Move the start of {region} to frame {number}", (Replace(there, _moved(there, frame_index, reader)),))


def labelled_stretch(track: LabelTrack, name: str, frame_index: int) -> Span | None:
    """The frames without a gap around a frame that carry a label, of one finding or of none; None without the label."""
    label = track.named_at(name, frame_index)
    if label is None:
        return None
    start, stop = label.span.start, label.span.stop
    while (before := track.named_at(name, start - 1)) and before.finding_id == label.finding_id:
        start = before.span.start
    while (after := track.named_at(name, stop)) and after.finding_id == label.finding_id:
        stop = after.span.stop
    return Span(start, stop)


def add_finding(track: LabelTrack, finding: Finding) -> Plan:
    """Add a finding and label its frames with its kind; labels of that kind without a finding are assigned to it.

    A label that extends beyond the finding's span is assigned as a whole.
    """
    joining: list[Change] = [
        Replace(label, replace(label, finding_id=finding.finding_id))
        for label in track.overlapping(finding.kind, finding.span)
        if label.finding_id is None
    ]
    labels = add_label(
        track,
        finding.span,
        finding.kind,
        study_id=finding.study_id,
        reader=finding.reader,
        finding_id=finding.finding_id,
    ).changes
    title = f"New finding: {finding.kind}, {counted(len(finding.span), 'frame')}"
    return Plan(title, (Add(finding), *joining, *labels))


def remove_finding(track: LabelTrack, finding: Finding) -> Plan:
    """Remove a finding; its labels stay, without a finding."""
    freed = [
        Replace(label, replace(label, finding_id=None)) for label in track if label.finding_id == finding.finding_id
    ]
    return Plan(f"Remove finding {finding.kind}", (*freed, Remove(finding)))


def change_finding(old: Finding, new: Finding) -> Plan:
    """Change a finding: comment, size, morphology or key frames."""
    return Plan(f"Change finding {new.kind}", () if old == new else (Replace(old, new),))


def _moved(mark: Landmark, frame_index: int, reader: str) -> Landmark:
    return replace(mark, frame_index=frame_index, reader=reader)
