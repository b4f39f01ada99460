"""The frames of a study that were on screen long enough, as merged spans."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, func, insert, select

from wce_desktop.core.span import Span, SpanSet
from wce_desktop.library import tables

_TABLE = tables.seen_spans
_COLUMN = tables.seen_spans.c


# SQLite stores anything in any column: text and blobs count as greater than every number.
_IS_SOUND = (_COLUMN.start >= 0) & (_COLUMN.stop > _COLUMN.start) & (_COLUMN.stop < 2**31)


def read(connection: Connection, study_id: str) -> SpanSet:
    """All seen frames of a study; rows that are no span are left out."""
    asked = select(_COLUMN.start, _COLUMN.stop).where(_COLUMN.study_id == study_id, _IS_SOUND)
    return SpanSet(Span(int(start), int(stop)) for start, stop in connection.execute(asked))


def counts(connection: Connection) -> dict[str, int]:
    """How many frames of each study were seen."""
    asked = select(_COLUMN.study_id, func.sum(_COLUMN.stop - _COLUMN.start)).where(_IS_SOUND)
    return {study_id: int(count) for study_id, count in connection.execute(asked.group_by(_COLUMN.study_id))}


def mark(connection: Connection, study_id: str, spans: Iterable[Span]) -> None:
    """Add spans; those that touch become one row, so the table stays as small as reading is steady."""
    for span in SpanSet(spans):
        touching = (_COLUMN.study_id == study_id, _COLUMN.start <= span.stop, _COLUMN.stop >= span.start, _IS_SOUND)
        rows = connection.execute(select(_COLUMN.start, _COLUMN.stop).where(*touching)).all()
        connection.execute(delete(_TABLE).where(*touching))
        start = min([span.start, *(int(row.start) for row in rows)])
        stop = max([span.stop, *(int(row.stop) for row in rows)])
        connection.execute(delete(_TABLE).where(_COLUMN.study_id == study_id, _COLUMN.start == start))  # no span
        connection.execute(insert(_TABLE).values(study_id=study_id, start=start, stop=stop))
