"""Edits of labels, findings and landmarks, each one undo step."""

from training.errors import NothingToDoError
from wce_desktop.core.annotation import labelling, landmark_plans, marking
from wce_desktop.core.annotation.change import Plan, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.event import Event
from wce_desktop.core.language import tr
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


def _open(session: Session) -> Reading:
    reading = session.reading
    assert reading is not None, "the action table offers edits only while a study is open"
    return reading


def _apply(session: Session, plan: Plan, model_id: str | None = None) -> None:
    """Apply a planned edit; without changes its title is shown, which says why."""
    if plan.changes:
        session.edit(plan.title, plan.changes, model_id=model_id)
    else:
        session.remarked.emit(f"{plan.title}.")


def label_here(session: Session, name: str) -> None:
    """Label the marked span, or the frame on screen, with a class; a second time takes the label off."""
    reading = _open(session)
    span = reading.span_to_label()
    plan = labelling.toggle_label(
        reading.labels, span, name, study_id=reading.study.study_id, reader=session.library.reader
    )
    _apply(session, plan)
    if reading.is_span_marked:
        session.mark_span(None, None)


def _suggested_by(session: Session) -> str | None:
    """The model that flags frames; None where the live scores do, which are no model."""
    return None if session.are_flags_live else session.model_id


def _check_grouped(session: Session) -> None:
    """Raise `NothingToDoError` while events are grouped: a key would answer for other parts than those shown next."""
    if session.is_grouping:
        raise NothingToDoError(tr("The flags are being grouped into findings."), tr("Press the key again in a moment."))


def accept(session: Session, event: Event) -> None:
    """Accept a suggestion: label its frames with the class that the model suggests.

    Of a suggested finding these are the frames of all its parts, which are linked, and a finding is made of them.
    """
    _check_grouped(session)
    reading, model_id = _open(session), _suggested_by(session)
    reader, study_id = session.library.reader, reading.study.study_id
    if reading.suggested is None:
        plan = labelling.accept_suggestion(reading.labels, event, study_id=study_id, reader=reader, model_id=model_id)
    else:
        plan = marking.accept_finding(
            reading.labels,
            reading.findings,
            reading.links,
            reading.main_of(event),
            reading.parts_of(event),
            study_id=study_id,
            reader=reader,
            model_id=model_id,
            was_seen_before=was_seen_before(session, reading.main_of(event)),
        )
    _apply(session, plan, model_id)


def was_seen_before(session: Session, event: Event) -> bool | None:
    """Whether the reader had seen an event's highest frame before the model's flags came; None for live scores."""
    seen = _open(session).seen_before_flags
    return None if seen is None or session.are_flags_live else bool(seen[event.peak_frame])


def reject(session: Session, event: Event) -> None:
    """Reject a suggestion: its frames without another label become normal; of a suggested finding all its parts."""
    _check_grouped(session)
    reading, model_id = _open(session), _suggested_by(session)
    reader, study_id = session.library.reader, reading.study.study_id
    if reading.suggested is None:
        plan = labelling.reject_suggestion(reading.labels, event, study_id=study_id, reader=reader, model_id=model_id)
    else:
        plan = marking.reject_finding(
            reading.labels,
            reading.findings,
            reading.boxes,
            reading.main_of(event),
            reading.parts_of(event),
            study_id=study_id,
            reader=reader,
            model_id=model_id,
        )
    _apply(session, plan, model_id)


def _kind_here(reading: Reading) -> str:
    """What the frame on screen shows: its label (of several the one of the flag), else the class of the flag."""
    event = reading.event_here()
    names = [label.name for label in reading.labels_here() if label.name != NORMAL]
    if event and (event.name in names or not names):
        return event.name
    return names[0] if names else "other"


def new_finding(session: Session) -> Finding:
    """Make a finding of the marked span, else of the labelled stretch, else of the frame on screen.

    It never covers frames that the reader neither marked nor labelled, even if flagged.
    """
    reading = _open(session)
    kind, span, event = _kind_here(reading), reading.span_to_label(), reading.event_here()
    is_suggested = event is not None and event.name == kind
    if not reading.is_span_marked:
        span = marking.labelled_stretch(reading.labels, kind, reading.frame_index) or span
    finding = Finding.new(
        study_id=reading.study.study_id,
        kind=kind,
        span=span,
        key_frames=(reading.frame_index,),
        reader=session.library.reader,
        model_id=_suggested_by(session) if is_suggested else None,
        was_seen_before=was_seen_before(session, event) if is_suggested and event is not None else None,
    )
    _apply(session, marking.add_finding(reading.labels, finding))
    if reading.is_span_marked:
        session.mark_span(None, None)
    return finding


def change_finding(session: Session, old: Finding, new: Finding, *, goes_on: bool = False) -> None:
    """Write a finding's new kind, comment, size or other details; a new kind is that of its labels and boxes, too.

    If it `goes_on` with the last edit, both are one undo step.
    """
    reading = _open(session)
    if old.kind != new.kind:
        _apply(session, marking.change_kind(reading.labels, reading.boxes, old, new.kind))
    elif old != new and not (goes_on and session.extend_edit(Replace(old, new))):
        _apply(session, marking.change_finding(old, new))


def toggle_key_frame(session: Session, finding: Finding, frame_index: int) -> None:
    """Make a frame a key frame of a finding, or no longer."""
    _apply(session, marking.toggle_key_frame(finding, frame_index))


def remove_finding(session: Session, finding: Finding) -> None:
    """Remove a finding; its frames' labels stay."""
    _apply(session, marking.remove_finding(_open(session).labels, finding))


def set_landmark(session: Session, region: Region) -> None:
    """Set a landmark to the frame on screen; a second time at the same frame takes it away."""
    reading = _open(session)
    study_id, reader = reading.study.study_id, session.library.reader
    plan = landmark_plans.toggle_landmark(reading.landmarks, study_id, region, reading.frame_index, reader=reader)
    _apply(session, plan)


def mark_start(session: Session) -> None:
    """Start the span to label at the frame on screen."""
    reading = _open(session)
    stop = reading.marked_stop
    session.mark_span(reading.frame_index, stop if stop is not None and stop > reading.frame_index else None)


def mark_stop(session: Session) -> None:
    """End the span to label at the frame on screen."""
    reading = _open(session)
    start, last = reading.marked_start, reading.frame_index
    session.mark_span(start if start is not None and start <= last else None, last + 1)
