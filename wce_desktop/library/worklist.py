"""The rows of the worklist, read by one statement: 10,000 studies must not make a reader wait."""

from sqlalchemy import Connection

from wce_desktop.core.worklist import WorklistRow, patient_text

# SQLite stores anything in any column, so each value is brought to its type.
_ROWS = """
WITH seen AS (
    SELECT study_id, SUM(stop - start) AS frames FROM seen_spans
    WHERE start >= 0 AND stop > start AND stop < 2147483648 GROUP BY study_id
), signed AS (
    SELECT study_id, reader, MAX(version) FROM reports GROUP BY study_id
), second AS (
    SELECT second_of AS study_id, GROUP_CONCAT(CAST(read_by AS TEXT), ', ') AS readers,
        MAX(state IS NOT 'finished') AS is_open
    FROM studies WHERE second_of IS NOT NULL GROUP BY second_of
), scored AS (
    SELECT study_id FROM scorings WHERE model_id = ? AND is_complete IS 1
)
SELECT studies.study_id, CAST(patient_id AS TEXT), CAST(pseudonym AS TEXT), CAST(name AS TEXT),
    CAST(exam_date AS TEXT), CAST(COALESCE(NULLIF(read_by, ''), signed.reader, '') AS TEXT),
    COALESCE(second.readers, ''), MAX(CAST(frame_count AS INTEGER), 0), COALESCE(seen.frames, 0),
    CAST(state AS TEXT), signed.study_id IS NOT NULL, COALESCE(second.is_open, 0), scored.study_id IS NOT NULL
FROM studies LEFT JOIN seen USING (study_id) LEFT JOIN signed USING (study_id) LEFT JOIN second USING (study_id)
    LEFT JOIN scored USING (study_id)
WHERE second_of IS NULL ORDER BY exam_date DESC, created_utc DESC
"""


def read_worklist(connection: Connection, model_id: str) -> tuple[WorklistRow, ...]:
    """All studies with the state of their reading, the newest examination first; scored by this model."""
    return tuple(_row(*values) for values in connection.exec_driver_sql(_ROWS, (model_id,)))


def _row(
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
    *facts: int,
) -> WorklistRow:
    patient = patient_text(pseudonym, patient_id)
    readers = ", ".join(filter(None, (reader, second)))
    search = "\n".join((patient, name, exam_date, readers)).casefold()
    is_signed, has_second, is_scored = map(bool, facts)
    return WorklistRow(
        study_id, patient_id, patient, name, exam_date, readers, frames, seen_frames, state, is_signed, has_second,
        is_scored, search,
    )  # fmt: skip
