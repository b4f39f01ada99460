"""Counts the labels of a library: the training data of all studies and classes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, case, func, select

from wce_desktop.library import study_rows, tables

_LABEL = tables.labels.c
_COUNTED = select(tables.studies.c.study_id).where(study_rows.IS_FIRST)
IS_COUNTED = (_LABEL.start >= 0) & (_LABEL.stop > _LABEL.start) & (_LABEL.stop < 2**31) & _LABEL.study_id.in_(_COUNTED)
"""Rows that break a rule are set aside when labels are read, and not counted here; nor are those of second readers
and of removed studies."""


class LabelCount(NamedTuple):
    """Labels of one class with one answer in one study; of those given after a time their number and frames."""

    study_id: str
    name: str
    answer: str
    new: int
    new_frames: int


@dataclass(frozen=True, slots=True)
class LabelTotals:
    """Training data: all labelled classes, and the labels given after a time."""

    ever: frozenset[str]
    new_frames: Mapping[str, int]
    """Labelled frames by class."""
    new_studies: int
    new_negatives: Mapping[str, int] = field(default_factory=dict)
    """Frames on which a class is not there, by that class."""


def count_labels(connection: Connection, after_utc: str = "") -> list[LabelCount]:
    """All of a library from one pass over the labels, of which there may be 300,000, in order of studies and classes.

    Args:
        connection: to the library.
        after_utc: the time after which a label counts as new; empty: all do.
    """
    is_new = _LABEL.created_utc > after_utc if after_utc else _LABEL.created_utc >= ""
    count, frames = (func.sum(case((is_new, size), else_=0)) for size in (1, _LABEL.stop - _LABEL.start))
    key = _LABEL.study_id, _LABEL.name, _LABEL.answer
    asked = select(*key, count, frames).where(IS_COUNTED).group_by(*key).order_by(*key)
    return [
        LabelCount(str(study_id), str(name), answer, int(new), int(new_frames))
        for study_id, name, answer, new, new_frames in connection.execute(asked)
    ]
