"""Studies, patients and seen frames in the database."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, select, update

from training.errors import UserError
from training.files import stores
from training.files.terminal import printable
from training.texts import Text
from wce_desktop.core import Span, SpanSet, is_safe_id
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.study import Study
from wce_desktop.core.worklist import WorklistRow, patient_text
from wce_desktop.library import audit, tables
from wce_desktop.library.rows import InvalidRows, as_row, check_row, columns_of, from_row, shown
from wce_desktop.library.storage.database import now_utc

_COLUMNS = {field.name for field in fields(Study)} - {"seen_frames"}
_FIXED = {"study_id", "created_utc", "seen_frames", "second_of", *columns_of(Record)} - {"patient_id"}
"""Some of these are changed by an edit of the record."""
_LOGGED = {"patient_id", "name", "path", "fingerprint", "state", "runs"}  # where reading stopped is no event


def _is_sound(table: Table) -> ColumnElement[bool]:
    """SQLite stores anything in any column: text and blobs count as greater than every number."""
    return (table.c.start >= 0) & (table.c.stop > table.c.start) & (table.c.stop < 2**31)


_SEEN = tables.seen_spans.c
_BY_AGE = select(tables.studies).order_by(tables.studies.c.created_utc, tables.ENTERED)
_IS_THERE = tables.studies.c.removed_utc == ""
IS_FIRST = _IS_THERE & tables.studies.c.second_of.is_(None)
"""Neither removed nor the reading of a second reader."""
_ASKED = {
    "first": _BY_AGE.where(IS_FIRST),
    "second": _BY_AGE.where(_IS_THERE, tables.studies.c.second_of.is_not(None)),
    "removed": _BY_AGE.where(tables.studies.c.removed_utc != ""),
}
_SEEN_COUNTS = (
    select(_SEEN.study_id, func.sum(_SEEN.stop - _SEEN.start))
    .where(_is_sound(tables.seen_spans))
    .group_by(_SEEN.study_id)
)
"""Put together once: the window asks for all studies many times while it opens."""


def read_all(
    connection: Connection, aside: InvalidRows, which: Literal["first", "second", "removed"] = "first"
) -> tuple[Study, ...]:
    """All studies, in the order in which they were added; rows that break a rule are noted and left out.

    Args:
        which: those of first readers, the readings of second readers, or those of both that were removed.
    """
    counts = {study_id: int(count) for study_id, count in connection.execute(_SEEN_COUNTS)}
    rows = map(as_row, connection.execute(_ASKED[which]))
    return aside.keep_valid("study", rows, lambda row: study_of(row, counts.get(row["study_id"], 0)))


def read_one(connection: Connection, study_id: str) -> Study:
    """One study.

    Raises:
        KeyError: when the library has none of this name.
        UserError: its row breaks a rule.
    """
    asked = select(tables.studies).where(tables.studies.c.study_id == study_id)
    row = connection.execute(asked).first()
    if row is None:
        raise KeyError(study_id)
    try:
        return study_of(as_row(row), read_seen(connection, study_id).frame_count)
    except ValueError as error:
        raise UserError(
            "The study {name} ({study_id}) cannot be read: its row in the library is damaged ({error}).",
            "Restore a backup; the other studies can be read.",
            row.name,
            study_id,
            error,
        ) from error


def add(connection: Connection, study: Study, reader: str) -> Study:
    """Store a new study, and its patient where that one is new.

    Raises:
        UserError: when one of the two names cannot be a folder's name, or a study of this name is there or was
            removed, or the path cannot be stored.
    """
    if any("\ud800" <= char <= "\udfff" for char in str(study.path) + study.name):
        raise UserError(
            "The name of {path} has characters that cannot be stored.",
            "Rename the file or its folder.",
            printable(study.path),
        )
    check_not_removed(connection, study.fingerprint, study.study_id)
    for what, text in (("study", study.study_id), ("patient", study.patient_id)):
        if not is_safe_id(text):
            raise UserError(
                "The {what} id {id} cannot be used.",
                "Use up to 64 letters, digits, dots, dashes, underscores.",
                what,
                repr(text),
            )
    asked = select(tables.studies.c.study_id).where(tables.studies.c.study_id == study.study_id)
    if connection.execute(asked).first() is not None:
        raise UserError("A study {study_id} is already in the library.", "Give it another id.", repr(study.study_id))
    when = now_utc()
    ensure_patient(connection, study.patient_id, when)
    row = {name: _plain(study, name) for name in _COLUMNS} | {"created_utc": when}
    connection.execute(insert(tables.studies).values(**row))
    title, name = Text("Add study {name}", study.name), study.study_id
    audit.record(connection, reader, title, "add", "study", name, when=when, study_id=name, after=row)
    return read_one(connection, name)


def check_not_removed(connection: Connection, fingerprint: str, study_id: str = "") -> None:
    """Raise `UserError` if the recording is that of a removed study, which can still be brought back."""
    column = tables.studies.c
    is_same = (column.study_id == study_id) | ((column.fingerprint == fingerprint) & (column.fingerprint != ""))
    name = connection.scalar(select(column.name).where(is_same, column.removed_utc != "").limit(1))
    if name is not None:
        raise UserError(
            "“{name}” was removed.",
            "Choose “removed” in the worklist and bring it back, or erase it there to begin anew.",
            name,
        )


def add_second(connection: Connection, first: Study, study_id: str, reader: str, author: str) -> Study:
    """A further reading of a study, with the patient record of the first one and nothing that its reader entered.

    Args:
        reader: who reads.
        author: who adds it.
    """
    asked = select(tables.studies).where(tables.studies.c.study_id == first.study_id)
    row = as_row(connection.execute(asked).one())
    when = now_utc()
    changed = {
        "study_id": study_id,
        "name": f"{first.name} ({reader})",
        "state": "new" if first.state == "new" else "scored",
        "last_frame": 0,
        "threshold": None,
        "lowest_threshold": None,
        "read_by": reader,
        "second_of": first.study_id,
        "created_utc": when,
    }
    connection.execute(insert(tables.studies).values(**row | changed))
    title = Text("Begin a second reading of {name}", first.study_id)
    after = {"second_of": first.study_id, "read_by": reader}
    audit.record(connection, author, title, "add", "study", study_id, when=when, study_id=study_id, after=after)
    return read_one(connection, study_id)


def change(connection: Connection, study_id: str, values: Mapping[str, Any], reader: str) -> Study:
    """Set some fields of a study; what matters later is logged.

    Raises:
        ValueError: for a field that a study lacks or that never changes, or a value it cannot take.
        KeyError: when the library has no such study.
    """
    if unknown := set(values) - (_COLUMNS - _FIXED):
        raise ValueError(f"a study's {', '.join(sorted(unknown))} cannot be set")
    old = read_one(connection, study_id)
    replace(old, **values)  # refuses a value that a study cannot take
    row = {name: _stored(name, value) for name, value in values.items()}
    changed = {name: value for name, value in row.items() if value != _plain(old, name)}
    if not changed:
        return old
    when = now_utc()
    if "patient_id" in changed:
        ensure_patient(connection, changed["patient_id"], when)
    connection.execute(update(tables.studies).where(tables.studies.c.study_id == study_id).values(**changed))
    if shared := {name: changed[name] for name in ("path", "numbering") if name in changed}:
        # Second readings have the same video.
        connection.execute(update(tables.studies).where(tables.studies.c.second_of == study_id).values(**shared))
    if logged := {name: value for name, value in changed.items() if name in _LOGGED}:
        title = f"Set {', '.join(sorted(logged))} of {old.name}"
        before = {name: _plain(old, name) for name in logged}
        audit.record(
            connection, reader, title, "replace", "study", study_id, study_id=study_id, before=before, after=logged
        )
    return read_one(connection, study_id)


def read_record(connection: Connection, study_id: str) -> Record:
    """The patient record of a study.

    Raises:
        KeyError: when the library has none of this name.
        UserError: its row breaks a rule.
    """
    columns = tables.studies.c
    asked = select(*(columns[name] for name in sorted(columns_of(Record)))).where(columns.study_id == study_id)
    row = connection.execute(asked).first()
    if row is None:
        raise KeyError(study_id)
    try:
        record = from_row("record", as_row(row))
    except ValueError as error:
        raise UserError(
            "The patient record of the study {study_id} cannot be read: its row in the library is damaged ({error}).",
            "Restore a backup; the other studies can be read.",
            study_id,
            error,
        ) from error
    assert isinstance(record, Record)
    return record


def read_seen(connection: Connection, study_id: str, table: Table = tables.seen_spans) -> SpanSet:
    """All frames of a study in a table of spans, the seen ones by default; rows that are no span are left out."""
    column = table.c
    asked = select(column.start, column.stop).where(column.study_id == study_id, _is_sound(table))
    return SpanSet(Span(int(start), int(stop)) for start, stop in connection.execute(asked))


def read_speeds(connection: Connection, study_id: str) -> dict[int, int]:
    """How many frames of a study were played at which rate; rows that break a rule are left out."""
    column = tables.reading_speeds.c
    asked = select(column.frames_per_second, column.frames).where(column.study_id == study_id)
    rows = connection.execute(asked.order_by(column.frames_per_second)).all()
    return {fps: frames for fps, frames in rows if type(fps) is int and type(frames) is int and frames > 0}


def add_speeds(connection: Connection, study_id: str, speeds: Mapping[int, int]) -> None:
    """Add frames that were played, by rate."""
    table = tables.reading_speeds
    earlier = read_speeds(connection, study_id)
    for fps, frames in speeds.items():
        this = (table.c.study_id == study_id, table.c.frames_per_second == fps)
        connection.execute(delete(table).where(*this))
        row = {"study_id": study_id, "frames_per_second": fps, "frames": frames + earlier.get(fps, 0)}
        connection.execute(insert(table).values(**row))


def mark_seen(connection: Connection, study_id: str, spans: Iterable[Span], table: Table = tables.seen_spans) -> None:
    """Add spans; those that touch become one row, so the table stays as small as reading is steady."""
    column = table.c
    for span in SpanSet(spans):
        touching = (column.study_id == study_id, column.start <= span.stop, column.stop >= span.start, _is_sound(table))
        rows = connection.execute(select(column.start, column.stop).where(*touching)).all()
        connection.execute(delete(table).where(*touching))
        start = min([span.start, *(int(row.start) for row in rows)])
        stop = max([span.stop, *(int(row.stop) for row in rows)])
        connection.execute(delete(table).where(column.study_id == study_id, column.start == start))  # no span
        connection.execute(insert(table).values(study_id=study_id, start=start, stop=stop))


def _plain(study: Study, name: str) -> Any:
    return _stored(name, getattr(study, name))


def _stored(name: str, value: Any) -> Any:
    """A field as its column has it."""
    if name == "runs" and value is not None:
        return [[run.start, run.stop] for run in value]
    return stores.address_of(value) or str(value) if name == "path" else value


def study_of(row: Mapping[str, Any], seen_frames: int = 0) -> Study:
    """The study in a row; ValueError when it breaks a rule."""
    check_row(tables.studies, row)
    if not is_safe_id(row["study_id"]) or "\0" in row["path"] or row["frame_count"] < 0:
        shown_row = {name: row[name] for name in ("study_id", "path", "frame_count")}
        raise ValueError(f"one of {shown_row} cannot be")
    path = stores.place_of(row["path"]) if stores.is_address(row["path"]) else Path(row["path"])
    values = {"path": path, "runs": _runs(row["runs"]), "last_frame": max(row["last_frame"], 0)}
    columns = {name: row[name] for name in _COLUMNS}
    return Study(**{**columns, **values, "seen_frames": seen_frames})


def _runs(stored: Any) -> tuple[Span, ...] | None:
    if stored is None:
        return None
    is_list = isinstance(stored, list) and all(isinstance(run, list) and len(run) == 2 for run in stored)
    if not is_list or not all(type(end) is int for run in stored for end in run):
        raise ValueError(f"runs is {shown(stored)}")
    return tuple(Span(*run) for run in stored)


def ensure_patient(connection: Connection, patient_id: str, when: str) -> None:
    """Store a patient who is new."""
    asked = select(tables.patients.c.patient_id).where(tables.patients.c.patient_id == patient_id)
    if connection.execute(asked).first() is None:
        connection.execute(insert(tables.patients).values(patient_id=patient_id, created_utc=when))


# SQLite stores anything in any column, so each value is brought to its type.
_WORKLIST = """
WITH entered AS MATERIALIZED (
    SELECT study_id, MIN(CASE region WHEN 'small bowel' THEN frame_index END) AS first,
        {least}(COALESCE(MIN(CASE region WHEN 'colon' THEN frame_index WHEN 'end' THEN frame_index + 1 END),
            2147483647), MAX(CAST(frame_count AS INTEGER))) AS stop
    FROM landmarks JOIN studies USING (study_id) GROUP BY study_id
), bowel AS (
    SELECT study_id, first, stop FROM entered WHERE stop > first
), seen AS (
    SELECT study_id, SUM(span.stop - span.start) AS frames,
        SUM({greatest}({least}(span.stop, bowel.stop) - {greatest}(span.start, bowel.first), 0)) AS bowel_frames
    FROM seen_spans AS span LEFT JOIN bowel USING (study_id)
    WHERE span.start >= 0 AND span.stop > span.start AND span.stop < 2147483648 GROUP BY study_id
), signed AS (
    SELECT study_id, reader, created_utc AS signed_utc FROM reports
    WHERE version = (SELECT MAX(version) FROM reports AS other WHERE other.study_id = reports.study_id)
), edited AS (
    SELECT DISTINCT edits.study_id FROM edits JOIN signed USING (study_id)
    WHERE NOT is_undone AND when_utc > signed_utc AND {valid} AND EXISTS (
        SELECT 1 FROM {changes} AS change WHERE {kind} <> 'label'
            AND COALESCE({part}, '') NOT IN ('audit', 'settled', 'checked'))
), second AS (
    SELECT second_of AS study_id, {concat}(CAST(read_by AS TEXT), ', ') AS readers,
        MAX(CASE COALESCE(CAST(state AS TEXT), '') WHEN 'finished' THEN 0 ELSE 1 END) AS is_open
    FROM studies WHERE second_of IS NOT NULL AND removed_utc = '' GROUP BY second_of
), scored AS (
    SELECT study_id FROM scorings WHERE model_id = ? AND is_complete
)
SELECT studies.study_id, CAST(patient_id AS TEXT), CAST(pseudonym AS TEXT), CAST(name AS TEXT),
    CAST(exam_date AS TEXT), CAST(COALESCE(NULLIF(read_by, ''), signed.reader,
        (SELECT NULLIF(reader, '') FROM findings WHERE study_id = studies.study_id LIMIT 1),
        (SELECT NULLIF(reader, '') FROM labels WHERE study_id = studies.study_id LIMIT 1),
        (SELECT NULLIF(reader, '') FROM landmarks WHERE study_id = studies.study_id LIMIT 1), '') AS TEXT),
    COALESCE(second.readers, ''), {greatest}(CAST(frame_count AS INTEGER), 0), COALESCE(seen.frames, 0),
    CAST(state AS TEXT), signed.study_id IS NOT NULL, COALESCE(second.is_open, 0), scored.study_id IS NOT NULL,
    COALESCE(bowel.stop - bowel.first, 0), COALESCE(seen.bowel_frames, 0), CAST(removed_utc AS TEXT),
    edited.study_id IS NOT NULL
FROM studies LEFT JOIN seen USING (study_id) LEFT JOIN signed USING (study_id) LEFT JOIN second USING (study_id)
    LEFT JOIN scored USING (study_id) LEFT JOIN bowel USING (study_id) LEFT JOIN edited USING (study_id)
WHERE second_of IS NULL OR (removed_utc <> '' AND second_of IN (SELECT study_id FROM studies WHERE removed_utc = ''))
ORDER BY exam_date DESC, created_utc DESC, studies.rowid
"""


_WORDS = {
    "sqlite": {
        "least": "MIN",
        "greatest": "MAX",
        "concat": "GROUP_CONCAT",
        "valid": "json_valid(changes)",
        "changes": "json_each(changes, '$.changes')",
        "kind": "json_extract(change.value, '$[1]')",
        "part": "json_extract(change.value, '$[2].kind')",
    },
    "postgresql": {
        "least": "LEAST",
        "greatest": "GREATEST",
        "concat": "STRING_AGG",
        "valid": "json_typeof(changes) = 'object'",
        "changes": "json_array_elements(changes -> 'changes')",
        "kind": "change.value ->> 1",
        "part": "change.value -> 2 ->> 'kind'",
    },
}
"""What the two databases write differently."""


def read_worklist(connection: Connection, model_id: str) -> tuple[WorklistRow, ...]:
    """All studies with the state of their reading, the newest examination first; scored by this model."""
    sql = _WORKLIST.format(**_WORDS[connection.dialect.name])
    return tuple(_worklist_row(*values) for values in tables.execute(connection, sql, (model_id,)))


def _worklist_row(
    study_id: str,
    patient_id: str,
    pseudonym: str,
    name: str,
    exam_date: str,
    reader: str,
    second: str,
    frames: int,
    seen_frames: int,
    state: str,
    *facts: Any,
) -> WorklistRow:
    patient = patient_text(pseudonym, patient_id)
    readers = ", ".join(filter(None, (reader, second)))
    search = "\n".join((patient, name, exam_date, readers)).casefold()
    is_signed, has_second, is_scored = map(bool, facts[:3])
    bowel_frames, seen_bowel_frames, removed_utc, is_edited = facts[3:]
    return WorklistRow(
        study_id, patient_id, patient, name, exam_date, readers, frames, seen_frames, state, is_signed, has_second,
        is_scored, search, bowel_frames, seen_bowel_frames, removed_utc, bool(is_edited),
    )  # fmt: skip
