"""Planned edits of findings and suggested findings; each is one undo step."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from training.texts import Text, count_text, join_texts
from wce_desktop.core.annotation.change import Add, Change, Plan, Remove, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.annotation.labelling import (
    add_label,
    apply_to_track,
    reject_suggestion,
    remove_label,
    with_removed,
)
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.vocabulary import name_text
from wce_desktop.core.event import Event
from wce_desktop.core.identity import new_id
from wce_desktop.core.language import tr
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.suggested import EarlierFinding


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
    label = Label(new_id(), finding.study_id, finding.span, finding.kind, "reader", finding.finding_id, finding.reader)
    labels = add_label(track, label).changes
    title = new_finding_title(finding.kind, len(finding.span))
    return Plan(with_removed(title, labels), (Add(finding), *joining, *labels))


def new_finding_title(kind: str, count: int) -> Text:
    """What undo calls a new finding on so many frames."""
    return count_text(
        "New finding: {name}, {count:,} frame", "New finding: {name}, {count:,} frames", count, name_text(kind)
    )


def remove_finding(track: LabelTrack, finding: Finding, removed: Collection[Label] = ()) -> Plan:
    """Remove a finding, with these of its labels; its other labels stay, without a finding."""
    gone = {label.label_id for label in removed}
    own = [label for label in track if label.finding_id == finding.finding_id]
    changes = [
        Remove(label) if label.label_id in gone else Replace(label, replace(label, finding_id=None)) for label in own
    ]
    frames = SpanSet(label.span for label in own if label.label_id in gone).frame_count
    title = Text("Finding {name} removed", name_text(finding.kind))
    if frames:
        title = count_text(
            "Finding {name} removed with its labels on {count:,} frame",
            "Finding {name} removed with its labels on {count:,} frames",
            frames,
            name_text(finding.kind),
        )
    return Plan(title, (*changes, Remove(finding)))


def change_finding(old: Finding, new: Finding) -> Plan:
    """Change what a reader has entered for a finding, or its key frames."""
    return Plan(Text("Finding {name} changed", name_text(new.kind)), () if old == new else (Replace(old, new),))


def change_kind(track: LabelTrack, boxes: Iterable[Box], old: Finding, kind: str) -> Plan:
    """Give a finding another kind; its labels and boxes of the old kind become those of the new one.

    Frames that carry the new label already keep it; it joins the finding where it belongs to none.
    """
    if old.kind == kind:
        return Plan(Text("Finding {name} changed", name_text(kind)), ())
    changes: list[Change] = [Replace(old, replace(old, kind=kind))]
    changes += [
        Replace(box, replace(box, name=kind))
        for box in boxes
        if box.finding_id == old.finding_id and box.name == old.kind
    ]
    for label in track:
        if label.finding_id == old.finding_id and label.name == old.kind:
            changes.append(Remove(label))
            changes += remove_label(track.negatives, label.span, kind)
            missing = track.frames(kind, label.span).missing_in(label.span)
            changes += [Add(replace(label.over(piece), name=kind)) for piece in missing]
    changes += [
        Replace(label, replace(label, finding_id=old.finding_id))
        for label in track.overlapping(kind, old.span)
        if label.finding_id is None
    ]
    return Plan(Text("Finding {old} changed to {new}", name_text(old.kind), name_text(kind)), tuple(changes))


def toggle_key_frame(finding: Finding, frame_index: int) -> Plan:
    """Add a frame to the key frames of a finding, or take it away; they stay in order of time."""
    kept = set(finding.key_frames) ^ {frame_index}
    new = replace(finding, key_frames=tuple(sorted(kept)))
    number = frame_index + 1
    is_added = frame_index in kept
    title = Text("Key frame {count:,} added", number) if is_added else Text("Key frame {count:,} removed", number)
    return Plan(title, (Replace(finding, new),))


def accept_finding(
    track: LabelTrack,
    findings: Iterable[Finding],
    links: Iterable[Link],
    part: Event,
    parts: Sequence[Event],
    *,
    study_id: str,
    reader: str,
    model_id: str | None,
    was_seen_before: bool | None = None,
) -> Plan:
    """Label the frames of one part of a suggested finding with its class, and make a finding of it.

    Args:
        track, findings, links: of the study.
        part: the part that was shown; the others get no label.
        parts: all of them, in order of time.
        study_id, reader: stored with what is made.
        model_id: the model that suggests; None where it is no model.
        was_seen_before: whether the reader had seen the part before the model flagged it; None where not known.

    The labels carry the finding's id. A finding of this class that lies on one of the parts already takes the new
    labels and the peak as a key frame, and the part is linked with those that were accepted before.
    """
    of_class = [finding for finding in findings if finding.kind == part.name]
    finding = next((finding for finding in of_class if any(finding.span.intersects(each.span) for each in parts)), None)
    changes: list[Change] = []
    title = count_text(
        "{name} accepted on {count:,} frame",
        "{name} accepted on {count:,} frames",
        len(part.span),
        name_text(part.name),
    )
    if finding is None:
        finding = Finding.new(
            study_id=study_id,
            kind=part.name,
            span=part.span,
            key_frames=(part.peak_frame,),
            reader=reader,
            model_id=model_id,
            was_seen_before=was_seen_before,
        )
        title = count_text(
            "{name} accepted on {count:,} frame, new finding",
            "{name} accepted on {count:,} frames, new finding",
            len(part.span),
            name_text(part.name),
        )
        changes.append(Add(finding))
        for other in of_class:  # its frames belong to another finding now
            kept = tuple(frame for frame in other.key_frames if frame not in part.span)
            if kept != other.key_frames:
                changes.append(Replace(other, replace(other, key_frames=kept)))
    elif part.peak_frame not in finding.key_frames:
        keys = tuple(sorted((*finding.key_frames, part.peak_frame)))
        changes.append(Replace(finding, replace(finding, key_frames=keys)))
    after, finding_id = LabelTrack(_labels_on(track, part)), finding.finding_id
    changes += [
        Replace(label, replace(label, finding_id=finding_id))
        for label in after.overlapping(part.name, part.span)
        if label.finding_id is None
        or (label.finding_id != finding_id and label.span.intersect(part.span) == label.span)
    ]
    label = Label(new_id(), study_id, part.span, part.name, "accepted_suggestion", finding_id, reader, model_id)
    labels = add_label(after, label).changes
    changes, title = [*changes, *labels], with_removed(title, labels)
    accepted = [each for each in parts if each != part and track.named_at(part.name, each.peak_frame)]
    changes += _links(links, part, accepted, study_id, reader, is_same=True)
    return Plan(title if changes else tr("{edit}: accepted already", edit=tr(title)), tuple(changes))


def reject_finding(
    track: LabelTrack,
    findings: Iterable[Finding],
    boxes: Iterable[Box],
    part: Event,
    *,
    study_id: str,
    reader: str,
    model_id: str | None,
) -> Plan:
    """Say that the class of one part of a suggested finding is not on its frames.

    A finding of this class all of whose frames lie on the part is removed, unless something was written about it or it
    has boxes.
    """
    with_boxes = {box.finding_id for box in boxes}
    empty = [
        finding
        for finding in findings
        if finding.kind == part.name and finding.finding_id not in with_boxes and _is_rejected(finding, track, part)
    ]
    # A study can have 100,000 labels: only those in question are copied where that suffices.
    after = LabelTrack(track.answers() if empty else _labels_on(track, part))
    changes: list[Change] = []
    for finding in empty:
        freed = remove_finding(after, finding).changes
        apply_to_track(after, freed)
        changes += freed
    plan = reject_suggestion(after, part, study_id=study_id, reader=reader, model_id=model_id)
    if not empty:
        return Plan(plan.title, (*changes, *plan.changes))
    parts = count_text("{count:,} finding removed", "{count:,} findings removed", len(empty))
    return Plan(join_texts(", ", (plan.title, parts)), (*changes, *plan.changes))


def join(links: Iterable[Link], first: Sequence[Event], second: Sequence[Event], *, study_id: str, reader: str) -> Plan:
    """Link two suggested findings, given by their parts, as one; links that keep their parts apart are removed."""
    held = list(links)
    apart = [Remove(link) for link in held if not link.is_same and _is_between(link, first, second)]
    hub = _by_peak(first)[0]
    others = [part for part in (*first, *second) if not _is_same_place(part, hub)]
    added = _links(held, hub, others, study_id, reader, is_same=True)
    count = len(first) + len(second)
    title = count_text("{count:,} part joined", "{count:,} parts joined", count)
    return Plan(title, (*apart, *added))


def split(links: Iterable[Link], part: Event, others: Sequence[Event], *, study_id: str, reader: str) -> Plan:
    """Link one part as another finding than the others, which stay one; links that join them with it are removed.

    Raises:
        ValueError: there are no others.
    """
    held, others = list(links), [other for other in others if not _is_same_place(other, part)]
    if not others:
        raise ValueError("a part is split off from others")
    joined = [Remove(link) for link in held if link.is_same and _is_between(link, [part], others)]
    added = _links(held, part, others, study_id, reader, is_same=False)
    # The part may be what held the others together: by links, or as the one that looks like each of them.
    hub, *rest = _by_peak(others)
    together = _links(held, hub, rest, study_id, reader, is_same=True)
    title = count_text("A part split from {count:,} other", "A part split from {count:,} others", len(others))
    return Plan(title, (*joined, *added, *together))


def link_earlier(
    links: Iterable[Link], part: Event, earlier: EarlierFinding, *, study_id: str, reader: str, is_same: bool
) -> Plan:
    """Link a suggested finding, by its part, with a finding of an earlier study: as the same, or as another one.

    A link of the part with this finding that says the opposite is removed.
    """
    finding, ends = earlier.finding, (part.peak_frame, earlier.frame_index)
    held = [
        link for link in links
        if link.other_study_id == earlier.study_id and (link.frame_index, link.other_frame_index) == ends
    ]  # fmt: skip
    opposite = [Remove(link) for link in held if link.is_same != is_same]
    result = Link.new(
        study_id=study_id,
        frame_index=part.peak_frame,
        other_study_id=earlier.study_id,
        other_frame_index=earlier.frame_index,
        is_same=is_same,
        reader=reader,
        name=part.name,
        other_name=finding.kind,
    )
    added = [] if any(link.is_same == is_same for link in held) else [Add(result)]
    kind = name_text(finding.kind)
    title = (
        Text("Linked with a {name} of an earlier study", kind) if is_same else Text("Not the {name} seen earlier", kind)
    )
    return Plan(title, (*opposite, *added))


def _labels_on(track: LabelTrack, part: Event) -> set[Label]:
    """The labels, also those that say no, that share a frame with a part."""
    tracks = track, track.negatives
    return {label for kept in tracks for name in kept.names for label in kept.overlapping(name, part.span)}


def _links(
    links: Iterable[Link], event: Event, others: Sequence[Event], study_id: str, reader: str, *, is_same: bool
) -> list[Change]:
    """Links from the peak of an event to those of others, but those that are there."""
    known = {_ends(link) for link in links if link.is_same == is_same}
    result = [
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
    return [Add(link) for link in result if _ends(link) not in known]


def _is_same_place(first: Event, second: Event) -> bool:
    """Whether a link means the same place by two events, of which one may be of an earlier threshold."""
    return (first.peak_frame, first.name) == (second.peak_frame, second.name)


def _by_peak(parts: Sequence[Event]) -> list[Event]:
    """The highest peak first, by way of which parts are linked: it stays flagged longest when the threshold rises."""
    return sorted(parts, key=lambda part: -part.peak_score)


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


def _is_rejected(finding: Finding, track: LabelTrack, part: Event) -> bool:
    """Whether nothing is left of a finding without the frames of a part, and nothing was written about it."""
    if finding.is_described or not finding.span.intersects(part.span):
        return False
    own = [label.span for label in track if label.finding_id == finding.finding_id] or [finding.span]
    return not SpanSet(own).difference([part.span])
