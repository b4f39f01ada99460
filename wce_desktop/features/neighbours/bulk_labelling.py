"""Frames that were selected together, of any studies, labelled or put into a finding as one edit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from training.errors import NothingToDoError
from training.texts import Text, count_text
from wce_desktop.core import Span, capital, new_id, tr, tr_count
from wce_desktop.core.annotation import labelling, marking
from wce_desktop.core.annotation.change import Add, Change
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label, LabelSource
from wce_desktop.core.annotation.labelling import apply_to_track
from wce_desktop.core.annotation.vocabulary import name_text, shown_name
from wce_desktop.core.selection import FrameSelection
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session


def label_frames(session: Session, selection: FrameSelection, name: str, *, model_id: str | None = None) -> int:
    """Label the frames that do not carry the label yet; returns how many those are. One undo step.

    Args:
        session: whose library is edited; open study or not.
        selection: the frames.
        name: of a class of the vocabulary; "normal" leaves frames with other labels unchanged.
        model_id: the model whose neighbours suggested it, for the audit log; also recorded as the source of the labels.
    """
    changes = {
        study_id: _labels_of(session, selection, study_id, name, model_id=model_id) for study_id in selection.study_ids
    }
    labelled = sum(
        len(item.span) for each in changes.values() for item in labelling.changed_labels(each)[0] if item.name == name
    )
    if not any(changes.values()):
        message = tr_count(
            "The frame is already labelled {name}.",
            "All {count} frames are already labelled {name}.",
            selection.count,
            name=shown_name(name),
        )
        session.remarked.emit(message)
        return 0
    studies = [study_id for study_id in changes if changes[study_id]]
    title = count_text(
        "{name} labelled on {count:,} frame", "{name} labelled on {count:,} frames", labelled, name_text(name)
    )
    if len(studies) > 1:
        title = count_text(
            "{name} labelled on {count:,} frame in {parts:,} studies",
            "{name} labelled on {count:,} frames in {parts:,} studies",
            labelled,
            name_text(name),
            len(studies),
        )
    session.edits.apply_to_studies(_with_removed(title, changes), changes, model_id)
    return labelled


def label_selection(session: Session, selection: FrameSelection, name: str) -> str:
    """Label frames, and return what was done, in words.

    Raises:
        UserError: the selection is empty.
    """
    if not selection:
        raise NothingToDoError("No frames are selected.", "Draw a lasso or a box around them first.")
    if not label_frames(session, selection, name):
        title = session.vocabulary.of(name).title_in_sentence
        return tr("Nothing to do: already labelled {label} or something else.", label=title)
    return _undone_by_key(session.edits.undo_title or "")


def replace_labels(session: Session, selection: FrameSelection, name: str) -> str:
    """Take all other labels off the frames and give them this one, as one undo step; returns that, in words.

    Args:
        name: of a class of the vocabulary; "": the frames have no label afterwards.

    Raises:
        NothingToDoError: the frames carry this label and no other.
    """
    changes: dict[str, list[Change]] = {}
    for study_id in selection.study_ids:
        track, of_study = session.library.annotations.label_track(study_id), list[Change]()
        for span in selection.spans(study_id):
            for other in [each for each in track.names if each != name and track.overlapping(each, span)]:
                removed = labelling.remove_label(track, span, other)
                apply_to_track(track, removed)
                of_study += removed
            if name:
                label = Label(new_id(), study_id, span, name, reader=session.library.reader)
                added = labelling.add_label(track, label).changes
                apply_to_track(track, added)
                of_study += added
        changes[study_id] = of_study
    if not any(changes.values()):
        raise NothingToDoError("There is nothing to change: these frames are labelled so already.")
    title = count_text("Labels removed from {count:,} frame", "Labels removed from {count:,} frames", selection.count)
    if name:
        title = count_text(
            "{count:,} frame relabelled as {name}",
            "{count:,} frames relabelled as {name}",
            selection.count,
            name_text(name),
        )
    title = _with_removed(title, changes)
    session.edits.apply_to_studies(title, changes)
    return _undone_by_key(title)


def _undone_by_key(title: str) -> str:
    return tr("{what}. {key} undoes it.", what=capital(tr(title)), key=key_of("undo"))


def _with_removed(title: str, changes: Mapping[str, Sequence[Change]]) -> Text:
    return labelling.with_removed(title, [change for of_study in changes.values() for change in of_study])


def add_to_finding(session: Session, selection: FrameSelection, finding: Finding) -> None:
    """Extend a finding to the selected frames of its study and label them.

    Raises:
        UserError: none of the frames is of the finding's study.
    """
    frames = selection.of(finding.study_id)
    if not len(frames):
        raise NothingToDoError("None of these frames belongs to the finding's study.", "Select frames of that study.")
    first, last = int(frames[0]), int(frames[-1])
    grown = Span(min(finding.span.start, first), max(finding.span.stop, last + 1))
    changes = list(marking.change_finding(finding, replace(finding, span=grown)).changes)
    changes += _labels_of(session, selection, finding.study_id, finding.kind, finding_id=finding.finding_id)
    title = count_text(
        "{count:,} frame added to finding {name}",
        "{count:,} frames added to finding {name}",
        len(frames),
        name_text(finding.kind),
    )
    session.edits.apply_to_studies(labelling.with_removed(title, changes), {finding.study_id: changes})


def new_findings(session: Session, selection: FrameSelection, kind: str) -> tuple[Finding, ...]:
    """Make a finding of the selected frames of each study, and label them with its kind; one undo step.

    A finding lies in one study, and its span reaches from the first to the last of the frames; only the frames
    themselves are labelled.
    """
    created: list[Finding] = []
    changes: dict[str, list[Change]] = {}
    for study_id in selection.study_ids:
        frames, reader = selection.of(study_id), session.library.reader
        span, key = Span(int(frames[0]), int(frames[-1]) + 1), (int(frames[0]),)
        finding = Finding.new(study_id=study_id, kind=kind, span=span, key_frames=key, reader=reader)
        labels = _labels_of(session, selection, study_id, kind, finding_id=finding.finding_id)
        changes[study_id] = [Add(finding), *labels]
        created.append(finding)
    session.edits.apply_to_studies(_with_removed(marking.new_finding_title(kind, selection.count), changes), changes)
    return tuple(created)


def _labels_of(
    session: Session,
    selection: FrameSelection,
    study_id: str,
    name: str,
    *,
    finding_id: str | None = None,
    model_id: str | None = None,
) -> list[Change]:
    """Changes that label the frames of one study; a copy of its labels takes each in so that the next sees it."""
    track, changes = session.library.annotations.label_track(study_id), list[Change]()
    source: LabelSource = "accepted_suggestion" if model_id else "reader"
    for span in selection.spans(study_id):
        label = Label(new_id(), study_id, span, name, source, finding_id, session.library.reader, model_id)
        plan = labelling.add_label(track, label)
        apply_to_track(track, plan.changes)
        changes += plan.changes
    return changes
