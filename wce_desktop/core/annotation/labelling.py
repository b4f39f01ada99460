"""Labelling as pure functions from the present labels to the changes to make.

Labels of one name never overlap: labelling frames that are labelled already adds only what is missing, and taking a
label off some frames splits it. A frame labelled "normal" has no other label:

* adding a label removes "normal" from its frames;
* adding "normal" labels only those frames of a span that have no other label;
* where every frame of the span has another label, "normal" is a correction and replaces those labels.

Of one class a frame carries one answer: labelling it removes the "no" of this class there, and rejecting
its label. "Normal" and a "no" say different things and stand beside each other.

The title of a plan says what happens to other labels; every plan is one undo step.
"""

from collections.abc import Iterable

from training.texts import Text, count_text, join_texts
from wce_desktop.core.annotation.change import Add, Change, Plan, Remove
from wce_desktop.core.annotation.label import NORMAL, Label, LabelTrack
from wce_desktop.core.annotation.vocabulary import name_text, shown_name
from wce_desktop.core.event import Event
from wce_desktop.core.identity import new_id
from wce_desktop.core.language import tr_count
from wce_desktop.core.span import Span, SpanSet


def toggle_label(track: LabelTrack, span: Span, name: str, *, study_id: str, reader: str) -> Plan:
    """A digit key: label the unlabelled frames of the span; if there are none, remove the label."""
    if name == NORMAL:
        return mark_normal(track, span, study_id=study_id, reader=reader)
    held = track.frames(name, span)
    if held.frame_count == len(span):
        return _removed(track, name, span, len(span))
    return add_label(track, Label(new_id(), study_id, span, name, reader=reader))


def add_label(track: LabelTrack, label: Label) -> Plan:
    """Add a label to those of its frames that do not carry it yet; each piece gets an id of its own."""
    if label.name == NORMAL:
        return _add_normal(track, label)
    missing = track.frames(label.name, label.span).missing_in(label.span)
    normal = track.frames(NORMAL, label.span)
    if not missing and not normal:
        text = tr_count(
            "The frame is already labelled {name}",
            "All {count} frames are already labelled {name}",
            len(label.span),
            name=shown_name(label.name),
        )
        return Plan(text, ())
    denied = remove_label(track.negatives, label.span, label.name)
    changes = (*remove_label(track, label.span, NORMAL), *denied, *_add(label, missing))
    return Plan(with_removed(_label_title(missing.frame_count, label), changes), changes)


def mark_normal(track: LabelTrack, span: Span, name: str = NORMAL, *, study_id: str, reader: str) -> Plan:
    """The key 0 (see above). If nothing is left to mark, "normal" is removed."""
    label = Label(new_id(), study_id, span, name, reader=reader)
    normal = track.frames(NORMAL, span)
    others = _others(track, span)
    if others.frame_count == len(span):
        names = _names_in(track, span)
        changes = [change for name in names for change in remove_label(track, span, name)]
        title = count_text(
            "{count:,} frame marked normal, no longer {names}",
            "{count:,} frames marked normal, no longer {names}",
            len(span),
            [name_text(each) for each in names],
        )
        return Plan(title, (*changes, *_add(label, normal.missing_in(span))))
    if normal.union(others).frame_count == len(span):
        return _removed(track, NORMAL, span, normal.frame_count)
    return _add_normal(track, label)


def accept_suggestion(track: LabelTrack, event: Event, *, study_id: str, reader: str, model_id: str | None) -> Plan:
    """Label an event's frames with the class the model suggests."""
    label = Label(new_id(), study_id, event.span, event.name, "accepted_suggestion", None, reader, model_id)
    return add_label(track, label)


def reject_suggestion(track: LabelTrack, event: Event, *, study_id: str, reader: str, model_id: str | None) -> Plan:
    """Say that the class of an event is not on its frames; a second time, take that back.

    A label of this class is removed there. Nothing is said of other classes, and nothing becomes normal.
    """
    missing, name = track.negatives.frames(event.name, event.span).missing_in(event.span), name_text(event.name)
    if not missing:
        changes = remove_label(track.negatives, event.span, event.name)
        title = count_text(
            "“Not {name}” taken back on {count:,} frame",
            "“Not {name}” taken back on {count:,} frames",
            len(event.span),
            name,
        )
        return Plan(title, changes)
    label = Label(new_id(), study_id, event.span, event.name, reader=reader, model_id=model_id, answer="no")
    title = count_text("Not {name}: {count:,} frame", "Not {name}: {count:,} frames", len(event.span), name)
    return Plan(title, (*remove_label(track, event.span, event.name), *_add(label, missing)))


def add_negative(track: LabelTrack, label: Label) -> tuple[Change, ...]:
    """Changes that add a label that says no to those of its frames on which nothing is said of its class."""
    said = track.frames(label.name, label.span).union(track.negatives.frames(label.name, label.span))
    return _add(label, said.missing_in(label.span))


def remove_label(track: LabelTrack, span: Span, name: str) -> tuple[Change, ...]:
    """Changes that remove a label from the frames of a span; frames outside the span stay labelled."""
    changes: list[Change] = []
    for label in track.overlapping(name, span):
        changes.append(Remove(label))
        if label.span.start < span.start:
            changes.append(Add(label.over(Span(label.span.start, span.start))))
        if label.span.stop > span.stop:
            changes.append(Add(label.over(Span(span.stop, label.span.stop))))
    return tuple(changes)


def changed_labels(changes: Iterable[Change]) -> tuple[list[Label], list[Label]]:
    """The labels added and removed by changes, without those that came and went on the way."""
    changes = list(changes)
    added = [change.new for change in changes if isinstance(change.new, Label)]
    removed = [change.old for change in changes if isinstance(change.old, Label)]
    passing = set(added) & set(removed)
    return [label for label in added if label not in passing], [label for label in removed if label not in passing]


def removed_frames(changes: Iterable[Change]) -> dict[str, int]:
    """Class -> frames that lose this label, by changes that may split labels or give them to a finding."""
    added, removed = changed_labels(changes)
    kept: dict[tuple[str, str], list[Span]] = {}
    for label in added:
        kept.setdefault((label.study_id, label.name), []).append(label.span)
    counts: dict[str, int] = {}
    for label in removed:
        if label.answer == "yes":
            left = SpanSet(kept.get((label.study_id, label.name), ()))
            counts[label.name] = counts.get(label.name, 0) + left.missing_in(label.span).frame_count
    return {name: count for name, count in counts.items() if count}


def with_removed(title: str, changes: Iterable[Change]) -> Text:
    """A title with what its changes remove of other labels: "…, normal removed from 4 frames"."""
    counts = removed_frames(changes)
    return join_texts(", ", (title, *(_removed_words(name, count) for name, count in counts.items())))


def apply_to_track(track: LabelTrack, changes: Iterable[Change]) -> None:
    """Apply the label changes of an edit, undo or redo to a track; other changes are ignored."""
    for change in changes:
        if isinstance(change.old, Label):
            track.remove(change.old)
        if isinstance(change.new, Label):
            track.add(change.new)


def _add_normal(track: LabelTrack, label: Label) -> Plan:
    others = _others(track, label.span)
    missing = others.union(track.frames(NORMAL, label.span)).missing_in(label.span)
    if not missing:
        text = tr_count("The frame is already labelled", "All {count} frames are already labelled", len(label.span))
        return Plan(text, ())
    title = count_text("{count:,} frame marked normal", "{count:,} frames marked normal", missing.frame_count)
    if others.frame_count:
        title = count_text(
            "{count:,} frame marked normal ({kept:,} keep {names})",
            "{count:,} frames marked normal ({kept:,} keep {names})",
            missing.frame_count,
            others.frame_count,
            [name_text(name) for name in _names_in(track, label.span)],
        )
    return Plan(title, _add(label, missing))


def _label_title(count: int, label: Label) -> Text:
    """What undo calls a label on `count` frames."""
    name = name_text(label.name)
    if not count:
        return Text("{name} kept", name)
    if label.source == "accepted_suggestion":
        return count_text("{name} accepted on {count:,} frame", "{name} accepted on {count:,} frames", count, name)
    return count_text("{name} labelled on {count:,} frame", "{name} labelled on {count:,} frames", count, name)


def _removed(track: LabelTrack, name: str, span: Span, count: int) -> Plan:
    return Plan(_removed_words(name, count), remove_label(track, span, name))


def _removed_words(name: str, count: int) -> Text:
    return count_text(
        "{name} removed from {count:,} frame", "{name} removed from {count:,} frames", count, name_text(name)
    )


def _add(label: Label, missing: SpanSet) -> tuple[Change, ...]:
    return tuple(Add(label.over(piece)) for piece in missing)


def _names_in(track: LabelTrack, span: Span) -> list[str]:
    return [name for name in track.names if name != NORMAL and track.overlapping(name, span)]


def _others(track: LabelTrack, span: Span) -> SpanSet:
    """The frames of the span that carry a label other than normal."""
    return SpanSet(piece for name in _names_in(track, span) for piece in track.frames(name, span))
