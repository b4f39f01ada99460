"""The tables of a library as SQL, revision by revision: each is run once on a database of the one before.

What was published never changes. Times are UTC in ISO 8601, identities
are text, and a study is called by its id everywhere.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping

from wce_desktop.library.evidence import audit_chain

VERSION_TABLE = "alembic_version"
"""Holds the revision of the tables; earlier versions brought them up to date by Alembic."""
_STUDY = "FOREIGN KEY (study_id) REFERENCES studies (study_id)"
_APPEND_ONLY = """
CREATE TRIGGER audit_no_UPDATE BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_DELETE BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
"""


Step = str | Callable[[sqlite3.Connection], None]
"""SQL, each statement ending with `;` at the end of a line, or a function."""

STEPS: Mapping[str, tuple[Step, ...]] = {
    # The first tables. `meta`: settings of the library itself; `edits`: for undo; `audit`: who did what.
    "0001": (
        f"""
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
INSERT INTO alembic_version VALUES ('0001');
CREATE TABLE meta (key VARCHAR(64) NOT NULL, value TEXT NOT NULL, PRIMARY KEY (key));
CREATE TABLE readers (name VARCHAR(200) NOT NULL, created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (name));
CREATE TABLE patients (patient_id VARCHAR(64) NOT NULL, name TEXT DEFAULT '' NOT NULL,
    created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (patient_id));
CREATE TABLE studies (study_id VARCHAR(64) NOT NULL, patient_id VARCHAR(64) NOT NULL, name TEXT NOT NULL,
    path TEXT NOT NULL, fingerprint VARCHAR(200) NOT NULL, frame_count INTEGER NOT NULL,
    duration_seconds FLOAT NOT NULL, state VARCHAR(20) NOT NULL, last_frame INTEGER NOT NULL, threshold FLOAT,
    model_id VARCHAR(100), created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (study_id),
    FOREIGN KEY (patient_id) REFERENCES patients (patient_id));
CREATE INDEX ix_studies_fingerprint ON studies (fingerprint);
CREATE TABLE labels (label_id VARCHAR(64) NOT NULL, study_id VARCHAR(64) NOT NULL, start INTEGER NOT NULL,
    stop INTEGER NOT NULL, name VARCHAR(100) NOT NULL, source VARCHAR(30) NOT NULL, finding_id VARCHAR(64),
    reader VARCHAR(200) NOT NULL, model_id VARCHAR(100), created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (label_id),
    {_STUDY});
CREATE INDEX ix_labels_study_name_start ON labels (study_id, name, start);
CREATE TABLE findings (finding_id VARCHAR(64) NOT NULL, study_id VARCHAR(64) NOT NULL, kind VARCHAR(100) NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, size_mm FLOAT, morphology TEXT NOT NULL, key_frames JSON NOT NULL,
    comment TEXT NOT NULL, reader VARCHAR(200) NOT NULL, PRIMARY KEY (finding_id), {_STUDY});
CREATE INDEX ix_findings_study ON findings (study_id);
CREATE TABLE landmarks (landmark_id VARCHAR(64) NOT NULL, study_id VARCHAR(64) NOT NULL, region VARCHAR(40) NOT NULL,
    frame_index INTEGER NOT NULL, reader VARCHAR(200) NOT NULL, PRIMARY KEY (landmark_id), {_STUDY});
CREATE INDEX ix_landmarks_study ON landmarks (study_id);
CREATE TABLE boxes (box_id VARCHAR(64) NOT NULL, study_id VARCHAR(64) NOT NULL, frame_index INTEGER NOT NULL,
    x_min FLOAT NOT NULL, y_min FLOAT NOT NULL, x_max FLOAT NOT NULL, y_max FLOAT NOT NULL, name VARCHAR(100) NOT NULL,
    finding_id VARCHAR(64), reader VARCHAR(200) NOT NULL, PRIMARY KEY (box_id), {_STUDY});
CREATE INDEX ix_boxes_study_frame ON boxes (study_id, frame_index);
CREATE TABLE seen_spans (study_id VARCHAR(64) NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    PRIMARY KEY (study_id, start), {_STUDY});
CREATE TABLE models (model_id VARCHAR(100) NOT NULL, title TEXT NOT NULL, classes JSON NOT NULL,
    weights_sha256 VARCHAR(64) NOT NULL, parent_id VARCHAR(100), run_id VARCHAR(64),
    labels_until_utc VARCHAR(40) NOT NULL, created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (model_id));
CREATE TABLE scorings (study_id VARCHAR(64) NOT NULL, model_id VARCHAR(100) NOT NULL, path TEXT NOT NULL,
    is_complete BOOLEAN DEFAULT 0 NOT NULL, created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (study_id, model_id),
    {_STUDY});
CREATE TABLE runs (run_id VARCHAR(64) NOT NULL, title TEXT NOT NULL, base_model_id VARCHAR(100),
    state VARCHAR(20) NOT NULL, summary JSON NOT NULL, created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (run_id));
CREATE TABLE edits (edit_id INTEGER NOT NULL, study_id VARCHAR(64) NOT NULL, title TEXT NOT NULL,
    changes JSON NOT NULL, reader VARCHAR(200) NOT NULL, when_utc VARCHAR(40) NOT NULL,
    is_undone BOOLEAN DEFAULT 0 NOT NULL, PRIMARY KEY (edit_id), {_STUDY});
CREATE INDEX ix_edits_study_undone ON edits (study_id, is_undone, edit_id);
CREATE TABLE audit (audit_id INTEGER NOT NULL, when_utc VARCHAR(40) NOT NULL, reader VARCHAR(200) NOT NULL,
    study_id VARCHAR(64), title TEXT NOT NULL, action VARCHAR(20) NOT NULL, kind VARCHAR(20) NOT NULL,
    item_id VARCHAR(64) NOT NULL, before JSON, after JSON, model_id VARCHAR(100), PRIMARY KEY (audit_id));
""",
    ),
    # The database itself refuses to change or delete a line of the log; an index finds a study's lines.
    "0002": (_APPEND_ONLY, "CREATE INDEX ix_audit_study ON audit (study_id);"),
    # A run says what kind it is, which run it started from, and why it failed.
    "0003": (
        """
ALTER TABLE runs ADD COLUMN kind VARCHAR(20) DEFAULT 'finetune' NOT NULL;
ALTER TABLE runs ADD COLUMN base_run_id VARCHAR(64);
ALTER TABLE runs ADD COLUMN message TEXT DEFAULT '' NOT NULL;
""",
    ),
    # An edit can belong to a group: what was done to several studies at once, and is undone at once.
    "0004": (
        """
ALTER TABLE edits ADD COLUMN group_id VARCHAR(64);
CREATE INDEX ix_edits_group ON edits (group_id);
""",
    ),
    # In which stretches the images of a study follow each other in time; NULL: it counts as one.
    "0005": ("ALTER TABLE studies ADD COLUMN runs JSON;",),
    # A reader can say of two places that they show the same, or that they do not.
    "0006": (
        f"""
CREATE TABLE links (link_id VARCHAR(64) NOT NULL, study_id VARCHAR(64) NOT NULL, frame_index INTEGER NOT NULL,
    other_study_id VARCHAR(64) NOT NULL, other_frame_index INTEGER NOT NULL, is_same BOOLEAN NOT NULL,
    reader VARCHAR(200) NOT NULL, name VARCHAR(200) NOT NULL, other_name VARCHAR(200) NOT NULL, PRIMARY KEY (link_id),
    {_STUDY}, FOREIGN KEY (other_study_id) REFERENCES studies (study_id));
CREATE INDEX ix_links_study ON links (study_id);
CREATE INDEX ix_links_other_study ON links (other_study_id);
""",
    ),
    # Patient records, into which the names of patients move (the pseudonym never leaves the library); second readings
    # (`second_of`); details of findings; parts of reports; signed reports (`path`: of the PDF in the library's folder,
    # beside the HTML; `acknowledged`: unread flags, parts not seen); frames played too fast to count as seen; frames
    # by the rate at which they were played (0: stepped to or paused on); removed studies.
    "0007": (
        f"""
ALTER TABLE studies ADD COLUMN pseudonym TEXT DEFAULT '' NOT NULL;
ALTER TABLE studies ADD COLUMN sex TEXT DEFAULT '' NOT NULL;
ALTER TABLE studies ADD COLUMN exam_date TEXT DEFAULT '' NOT NULL;
ALTER TABLE studies ADD COLUMN capsule TEXT DEFAULT '' NOT NULL;
ALTER TABLE studies ADD COLUMN indication TEXT DEFAULT '' NOT NULL;
ALTER TABLE studies ADD COLUMN preparation TEXT DEFAULT '' NOT NULL;
ALTER TABLE studies ADD COLUMN read_by TEXT DEFAULT '' NOT NULL;
ALTER TABLE studies ADD COLUMN birth_year INTEGER;
ALTER TABLE studies ADD COLUMN second_of VARCHAR(64);
UPDATE studies SET pseudonym =
    COALESCE((SELECT name FROM patients WHERE patients.patient_id = studies.patient_id), '');
ALTER TABLE patients DROP COLUMN name;
ALTER TABLE findings ADD COLUMN number TEXT DEFAULT '' NOT NULL;
ALTER TABLE findings ADD COLUMN relevance TEXT DEFAULT '' NOT NULL;
ALTER TABLE findings ADD COLUMN segment TEXT DEFAULT '' NOT NULL;
ALTER TABLE findings ADD COLUMN when_utc TEXT DEFAULT '' NOT NULL;
ALTER TABLE findings ADD COLUMN model_id VARCHAR(100);
ALTER TABLE findings ADD COLUMN was_seen_before BOOLEAN;
CREATE TABLE report_parts (part_id VARCHAR(64) NOT NULL, study_id VARCHAR(64) NOT NULL, kind VARCHAR(20) NOT NULL,
    content JSON NOT NULL, reader VARCHAR(200) NOT NULL, PRIMARY KEY (part_id), {_STUDY});
CREATE UNIQUE INDEX ix_report_parts_study_kind ON report_parts (study_id, kind);
CREATE TABLE reports (report_id VARCHAR(64) NOT NULL, study_id VARCHAR(64) NOT NULL, version INTEGER NOT NULL,
    path TEXT NOT NULL, sha256 VARCHAR(64) NOT NULL, html_sha256 VARCHAR(64) NOT NULL, reader VARCHAR(200) NOT NULL,
    acknowledged JSON NOT NULL, created_utc VARCHAR(40) NOT NULL, PRIMARY KEY (report_id), {_STUDY});
CREATE INDEX ix_reports_study ON reports (study_id);
CREATE TABLE fast_spans (study_id VARCHAR(64) NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
    PRIMARY KEY (study_id, start), {_STUDY});
CREATE TABLE reading_speeds (study_id VARCHAR(64) NOT NULL, frames_per_second INTEGER NOT NULL,
    frames INTEGER NOT NULL, PRIMARY KEY (study_id, frames_per_second), {_STUDY});
CREATE TABLE removals (removal_id INTEGER NOT NULL, when_utc VARCHAR(40) NOT NULL, reader VARCHAR(200) NOT NULL,
    study_id VARCHAR(64) NOT NULL, patient_id VARCHAR(64) NOT NULL, facts JSON NOT NULL, PRIMARY KEY (removal_id));
""",
    ),
    # What a label says of its class (yes: it is there; no: it is not); the rules by which the frames of a study are
    # numbered (NULL: those before there were several); the lowest threshold at which flags were shown while it was
    # read (NULL: the present one); what a report was made from, as canonical JSON (NULL: signed before this was kept).
    "0008": (
        """
ALTER TABLE labels ADD COLUMN answer VARCHAR(3) DEFAULT 'yes' NOT NULL;
ALTER TABLE studies ADD COLUMN numbering INTEGER;
ALTER TABLE studies ADD COLUMN lowest_threshold FLOAT;
ALTER TABLE reports ADD COLUMN content TEXT;
""",
    ),
    # Which version of a report a later one replaces (NULL: none), and why.
    "0009": (
        """
ALTER TABLE reports ADD COLUMN replaces INTEGER;
ALTER TABLE reports ADD COLUMN reason TEXT DEFAULT '' NOT NULL;
""",
    ),
    # What was signed, as canonical JSON, with signature and public key in base64 (NULL: signed without a key); the
    # keys with which each reader has signed; the lines of the log are chained by hashes (see `audit_chain`).
    "0010": (
        """
ALTER TABLE reports ADD COLUMN statement TEXT;
ALTER TABLE reports ADD COLUMN signature TEXT;
ALTER TABLE reports ADD COLUMN public_key TEXT;
CREATE TABLE reader_keys (public_key VARCHAR(64) NOT NULL, reader VARCHAR(200) NOT NULL, first_utc VARCHAR(40) NOT NULL,
    PRIMARY KEY (public_key, reader));
ALTER TABLE audit ADD COLUMN salt VARCHAR(32) DEFAULT '' NOT NULL;
ALTER TABLE audit ADD COLUMN hash VARCHAR(64) DEFAULT '' NOT NULL;
ALTER TABLE audit ADD COLUMN cleared TEXT;
DROP TRIGGER audit_no_UPDATE;
DROP TRIGGER audit_no_DELETE;
""",
        lambda connection: audit_chain.fill(connection.cursor()),
        _APPEND_ONLY,
    ),
    # The device or data set that the frames of a study come from, where several are in one library.
    "0011": ("ALTER TABLE studies ADD COLUMN source TEXT DEFAULT '' NOT NULL;",),
    # When a study was removed (empty: it was not): it can be brought back until it is erased.
    "0012": ("ALTER TABLE studies ADD COLUMN removed_utc TEXT DEFAULT '' NOT NULL;",),
}
REVISIONS = tuple(STEPS)
"""All revisions, oldest first."""


def bring_to(connection: sqlite3.Connection, there: str | None, last: str = REVISIONS[-1]) -> None:
    """Run the revisions after one (None: all) up to another, within the transaction of the caller."""
    for revision in REVISIONS[0 if there is None else REVISIONS.index(there) + 1 : REVISIONS.index(last) + 1]:
        for step in STEPS[revision]:
            if callable(step):
                step(connection)
                continue
            for statement in _statements(step):
                connection.execute(statement)
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


def changes_of_rows(there: str) -> Iterator[str]:
    """Of the revisions after one the statements that change rows; they are the same on a server."""
    for revision in REVISIONS[REVISIONS.index(there) + 1 :]:
        for statement in (each for step in STEPS[revision] if isinstance(step, str) for each in _statements(step)):
            if statement.startswith(("INSERT", "UPDATE", "DELETE")):
                yield statement


def _statements(step: str) -> Iterator[str]:
    return filter(None, map(str.strip, step.split(";\n")))
