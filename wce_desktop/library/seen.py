"""The frames of a study that were on screen long enough, as merged spans."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, func, insert, select

from wce_desktop.core.span import Span, SpanSet
from wce_desktop.library import tables

_TABLE = tables.seen_spans
_COLUMN = tables.seen_spans.c


def read(connection: Connection, study_id: str) -> SpanSet:
    """All seen frames of a study."""
    asked = select(_COLUMN.start, _COLUMN.stop).where(_COLUMN.study_id == study_id)
    return SpanSet(Span(start, stop) for start, stop in connection.execute(asked))


def counts(connection: Connection) -> dict[str, int]:
    """How many frames of each study were seen."""
    asked = select(_COLUMN.study_id, func.sum(_COLUMN.stop - _COLUMN.start)).group_by(_COLUMN.study_id)
    return {study_id: int(count) for study_id, count in connection.execute(asked)}


def mark(connection: Connection, study_id: str, spans: Iterable[Span]) -> None:
    """Add spans; those that touch become one row, so the table stays as small as reading is steady."""
    for span in SpanSet(spans):
        touching = (_COLUMN.study_id == study_id, _COLUMN.start <= span.stop, _COLUMN.stop >= span.start)
        rows = connection.execute(select(_COLUMN.start, _COLUMN.stop).where(*touching)).all()
        connection.execute(delete(_TABLE).where(*touching))
        start = min([span.start, *(row.start for row in rows)])
        stop = max([span.stop, *(row.stop for row in rows)])
        connection.execute(insert(_TABLE).values(study_id=study_id, start=start, stop=stop))
