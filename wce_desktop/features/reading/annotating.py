"""Edits of labels, findings and landmarks, each one undo step."""

from collections.abc import Collection

from training.errors import NothingToDoError
from wce_desktop.core import Span, SpanSet, tr, tr_count
from wce_desktop.core.annotation import labelling, landmark_plans, marking
from wce_desktop.core.annotation.change import Remove, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import NORMAL, Label
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.event import Event
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


def label_here(session: Session, name: str) -> None:
    """Label the marked span, or the frame on screen, with a class; a second time takes the label off.

    Raises:
        NothingToDoError: the frame lies behind the overview.
    """
    if not session.is_frame_shown:
        raise NothingToDoError("The frame is not shown.", "Press {key} to show it.", key_of("toggle_play"))
    reading = session.opened()
    span = reading.place.span_to_label()
    plan = labelling.toggle_label(
        reading.entries.labels, span, name, study_id=reading.study.study_id, reader=session.library.reader
    )
    session.edits.apply_and_say(plan)
    if reading.place.is_span_marked:
        session.mark_span(None, None)


def _suggested_by(session: Session) -> str | None:
    """The model that flags frames; None where the live scores do, which are no model."""
    return None if session.scores.are_flags_live else session.model_id


def _further_parts(reading: Reading, part: Event) -> str:
    """How many parts of the suggested finding have no answer beside this one, in words; empty without any."""
    further = sum(each != part and not reading.answer(each) for each in reading.flags.parts_of(part))
    if not further:
        return ""
    return tr_count(
        "{count} further part unanswered: press {key}.",
        "{count} further parts unanswered: press {key}.",
        further,
        key=key_of("show_parts"),
    )


def answer(session: Session, event: Event, *, is_accepted: bool) -> Event:
    """Accept or reject a suggestion, of a suggested finding the part on screen; returns what was answered."""
    part = part_here(session.opened(), event)
    answer_part(session, part, is_accepted)
    return part


def part_here(reading: Reading, event: Event) -> Event:
    """Of a suggested finding the part on screen; else the event itself."""
    parts = (event, *reading.flags.parts_of(event))
    return next((part for part in parts if reading.place.frame_index in part.span), event)


def answer_part(session: Session, part: Event, is_accepted: bool) -> None:
    """Label the frames of one part with the class that the model suggests, or say that this class is not on them.

    Of an accepted suggested finding a finding is made; of other classes nothing is said by a rejection.

    Raises:
        NothingToDoError: events are being grouped; a key would answer for other parts than those shown next.
    """
    if session.is_grouping:
        raise NothingToDoError("The flags are being grouped into findings.", "Press the key again in a moment.")
    reading, model_id = session.opened(), _suggested_by(session)
    entries, reader, study_id = reading.entries, session.library.reader, reading.study.study_id
    finding = None if is_accepted else finding_of(reading, part)
    if reading.flags.suggested is None:
        plan_of = labelling.accept_suggestion if is_accepted else labelling.reject_suggestion
        plan = plan_of(entries.labels, part, study_id=study_id, reader=reader, model_id=model_id)
    elif is_accepted:
        plan = marking.accept_finding(
            entries.labels,
            entries.findings,
            entries.links,
            part,
            reading.flags.parts_of(part),
            study_id=study_id,
            reader=reader,
            model_id=model_id,
            was_seen_before=was_seen_before(session, part),
        )
    else:
        plan = marking.reject_finding(
            entries.labels, entries.findings, entries.boxes, part, study_id=study_id, reader=reader, model_id=model_id
        )
    stays = finding is not None and Remove(finding) not in plan.changes
    first = tr("The finding stays in the list.") if stays else ""
    session.edits.apply_and_say(plan, model_id, first=first, also=_further_parts(reading, part))


def finding_of(reading: Reading, event: Event) -> Finding | None:
    """The finding that an accepted event belongs to; None without one."""
    label = reading.entries.labels.named_at(event.name, event.peak_frame)
    own = (each for each in reading.entries.findings if label is not None and each.finding_id == label.finding_id)
    return next(own, None)


def was_seen_before(session: Session, event: Event) -> bool | None:
    """Whether the reader had seen an event's highest frame before the model's flags came; None for live scores."""
    seen = session.opened().seen_before_flags
    return None if seen is None or session.scores.are_flags_live else bool(seen[event.peak_frame])


def _suggestion_here(reading: Reading) -> Event | None:
    """The flag on screen; none where the reader said that its class is not there."""
    event = reading.event_here()
    negatives, frame = reading.entries.labels.negatives, reading.place.frame_index
    return None if event is None or negatives.named_at(event.name, frame) is not None else event


def _kind_here(reading: Reading) -> str:
    """What the frame on screen shows: its label (of several the one of the flag), else the class of the flag."""
    event = _suggestion_here(reading)
    names = [label.name for label in reading.labels_here() if label.name != NORMAL]
    if event and (event.name in names or not names):
        return event.name
    return names[0] if names else "other"


def _finding_there(reading: Reading, kind: str, span: Span) -> Finding | None:
    """The finding of a class that the label on screen belongs to, or that lies on these frames."""
    label = reading.entries.labels.named_at(kind, reading.place.frame_index)
    of_kind = [finding for finding in reading.entries.findings if finding.kind == kind]
    own = (finding for finding in of_kind if label is not None and finding.finding_id == label.finding_id)
    return next(own, next((finding for finding in of_kind if finding.span.intersects(span)), None))


def new_finding(session: Session) -> Finding:
    """Make a finding of the marked span, else of the labelled stretch, else of the frame on screen.

    Without a marked span a finding of this class that is here already is returned instead.
    It never covers frames that the reader neither marked nor labelled, even if flagged.
    """
    reading = session.opened()
    kind, span, event = _kind_here(reading), reading.place.span_to_label(), _suggestion_here(reading)
    event = event if event is not None and event.name == kind else None
    if not reading.place.is_span_marked:
        there = _finding_there(reading, kind, span if event is None else event.span)
        if there is not None:
            return there
        span = marking.labelled_stretch(reading.entries.labels, kind, reading.place.frame_index) or span
    finding = Finding.new(
        study_id=reading.study.study_id,
        kind=kind,
        span=span,
        key_frames=(reading.place.frame_index,),
        reader=session.library.reader,
        model_id=None if event is None else _suggested_by(session),
        was_seen_before=None if event is None else was_seen_before(session, event),
    )
    session.edits.apply_and_say(marking.add_finding(reading.entries.labels, finding))
    if reading.place.is_span_marked:
        session.mark_span(None, None)
    return finding


def change_finding(session: Session, old: Finding, new: Finding, goes_on: bool = False) -> None:
    """Write a finding's new kind, comment, size or other details; a new kind is that of its labels and boxes, too.

    If it `goes_on` with the last edit, both are one undo step.
    """
    reading = session.opened()
    if old.kind != new.kind:
        session.edits.apply_and_say(marking.change_kind(reading.entries.labels, reading.entries.boxes, old, new.kind))
    elif old != new and not (goes_on and session.edits.extend(Replace(old, new))):
        session.edits.apply(*marking.change_finding(old, new))


def toggle_key_frame(session: Session, finding: Finding, frame_index: int) -> None:
    """Make a frame a key frame of a finding, or no longer."""
    session.edits.apply_and_say(marking.toggle_key_frame(finding, frame_index))


def remove_finding(session: Session, finding: Finding, labels: Collection[Label] = ()) -> None:
    """Remove a finding with these of its labels; its other labels stay, as a remark says."""
    track = session.opened().entries.labels
    gone = {label.label_id for label in labels}
    own = (label for label in track if label.finding_id == finding.finding_id and label.label_id not in gone)
    kept = SpanSet(label.span for label in own).frame_count
    also = tr_count("Labels stay on {count} frame.", "Labels stay on {count} frames.", kept) if kept else ""
    session.edits.apply_and_say(marking.remove_finding(track, finding, labels), also=also)


def set_landmark(session: Session, region: Region) -> None:
    """Set a landmark to the frame on screen; a second time at the same frame takes it away."""
    reading = session.opened()
    study_id, reader = reading.study.study_id, session.library.reader
    plan = landmark_plans.toggle_landmark(
        reading.entries.landmarks, study_id, region, reading.place.frame_index, reader=reader
    )
    session.edits.apply_and_say(plan)


def mark_start(session: Session) -> None:
    """Start the span to label at the frame on screen."""
    place = session.opened().place
    stop = place.marked_stop
    session.mark_span(place.frame_index, stop if stop is not None and stop > place.frame_index else None)


def mark_stop(session: Session) -> None:
    """End the span to label at the frame on screen."""
    place = session.opened().place
    start, last = place.marked_start, place.frame_index
    session.mark_span(start if start is not None and start <= last else None, last + 1)
