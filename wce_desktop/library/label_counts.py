"""Counts the labels of a library: the training data of all studies and classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, case, func, select

from wce_desktop.library import tables

_SPAN = tables.labels.c
_SECOND = select(tables.studies.c.study_id).where(tables.studies.c.second_of.is_not(None))
_SOUND = (_SPAN.start >= 0) & (_SPAN.stop > _SPAN.start) & (_SPAN.stop < 2**31) & _SPAN.study_id.not_in(_SECOND)
_COUNTS = _SOUND & (_SPAN.answer == "yes")
"""Rows that break a rule are set aside when labels are read, and not counted
here; nor are those of second readers, and those that say no."""


@dataclass(frozen=True, slots=True)
class NewLabels:
    """New training data of one study: number of labels and of frames (a frame may have two labels)."""

    study_id: str
    labels: int
    frames: int


def new_labels(connection: Connection, after_utc: str) -> tuple[NewLabels, ...]:
    """The labels given after a time, by study; "" for all of them."""
    column = tables.labels.c
    asked = (
        select(column.study_id, func.count(), func.sum(column.stop - column.start))
        .where(column.created_utc > after_utc, _COUNTS)
        .group_by(column.study_id)
        .order_by(column.study_id)
    )
    return tuple(NewLabels(study_id, int(count), int(frames)) for study_id, count, frames in connection.execute(asked))


def label_counts(connection: Connection, after_utc: str) -> dict[str, int]:
    """Labelled frames by class, of the labels given after a time; "" for all of them."""
    column = tables.labels.c
    asked = select(column.name, func.sum(column.stop - column.start)).where(column.created_utc > after_utc, _COUNTS)
    return {str(name): int(frames) for name, frames in connection.execute(asked.group_by(column.name))}


def label_counts_by_study(connection: Connection) -> tuple[tuple[str, str, int], ...]:
    """Study, class and labelled frames; one pass, of which a library may need many, over perhaps 300,000 labels."""
    column = tables.labels.c
    asked = select(column.study_id, column.name, func.sum(column.stop - column.start)).where(_COUNTS)
    rows = connection.execute(asked.group_by(column.study_id, column.name))
    return tuple((str(study_id), str(name), int(frames)) for study_id, name, frames in rows)


@dataclass(frozen=True, slots=True)
class LabelTotals:
    """Training data: all labelled classes, and the labels given after a time."""

    ever: frozenset[str]
    new_frames: Mapping[str, int]
    """Labelled frames by class."""
    new_studies: int
    new_negatives: Mapping[str, int] = field(default_factory=dict)
    """Frames on which a class is not there, by that class."""


def label_totals(connection: Connection, after_utc: str, left_out: Collection[str] = ()) -> LabelTotals:
    """All of it from one pass over the labels, of which there may be 100,000; `left_out`: studies that do not count."""
    column, is_new = tables.labels.c, tables.labels.c.created_utc > after_utc
    frames = func.sum(case((is_new, column.stop - column.start), else_=0))
    asked = select(column.study_id, column.name, column.answer, func.max(is_new), frames).where(_SOUND)
    if left_out:
        asked = asked.where(column.study_id.not_in(left_out))
    rows = connection.execute(asked.group_by(column.study_id, column.name, column.answer)).all()
    new: dict[str, Counter[str]] = {"yes": Counter(), "no": Counter()}
    for _, name, answer, has_new, count in rows:
        if has_new and answer in new:
            new[answer][str(name)] += int(count)
    studies = {study_id for study_id, _, answer, has_new, _ in rows if has_new and answer in new}
    ever = frozenset(str(name) for _, name, answer, _, _ in rows if answer == "yes")
    return LabelTotals(ever, new["yes"], len(studies), new["no"])


def patients_by_class(connection: Connection) -> dict[str, frozenset[str]]:
    """Of each class the patients who have a frame with that label."""
    joined = tables.labels.join(tables.studies, tables.labels.c.study_id == tables.studies.c.study_id)
    asked = select(tables.labels.c.name, tables.studies.c.patient_id).select_from(joined).distinct()
    found: dict[str, set[str]] = {}
    for name, patient_id in connection.execute(asked.where(_COUNTS)):
        found.setdefault(str(name), set()).add(str(patient_id))
    return {name: frozenset(patients) for name, patients in found.items()}
