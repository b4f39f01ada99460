"""The library's tables, in column types that PostgreSQL has too.

The migrations make them; a test holds both together. Times are UTC in ISO 8601, identities are text.
"""

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    false,
)

from training.texts import as_json, text_from_json
from wce_desktop.core.annotation.finding import ENTRIES, Finding
from wce_desktop.library.migrations.versions import DIGESTS

metadata = MetaData()

REVISIONS = tuple(DIGESTS)
"""All revisions, oldest first."""


class _RawBoolean(Boolean):
    """A Boolean that is read as stored (0, 1): SQLAlchemy would make True of any invalid value."""

    def result_processor(self, dialect: Any, coltype: object) -> None:
        return None


class _Sentence(TypeDecorator[str]):
    """A sentence with its template and values (`training.texts`), as JSON; one of an older version is its words."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: object) -> str | None:
        return None if value is None else stored_sentence(value)

    def process_result_value(self, value: str | None, dialect: object) -> str | None:
        return value if value is None else sentence_of(value)


BEGIN = '{"text": '
"""Of a sentence as JSON."""


def stored_sentence(text: str) -> str:
    """A sentence as it stands in the database."""
    data = as_json(text)
    return json.dumps(data, ensure_ascii=False) if isinstance(data, dict) and data["values"] else format(text)


def sentence_of(stored: str) -> str:
    """The sentence that stands in the database; what is no JSON of one is returned as it is."""
    if not isinstance(stored, str) or not stored.startswith(BEGIN):  # a damaged database holds anything
        return stored
    try:
        return text_from_json(json.loads(stored))
    except (ValueError, RecursionError):
        return stored


def sentence_without(stored: str, name: str, instead: str) -> str:
    """What stands in the database for a sentence, with other words in place of a name, wherever that stands in it."""
    if sentence_of(stored) is stored:
        in_json = json.dumps(name, ensure_ascii=False)[1:-1]  # where the JSON is damaged
        return stored.replace(in_json, instead).replace(name, instead)
    data = json.loads(stored)
    kept = _values_without(data, name, instead)
    cleared = stored if kept == data else json.dumps(kept, ensure_ascii=False)
    sentence = str(sentence_of(cleared))
    return sentence.replace(name, instead) if name in sentence else cleared


def _values_without(data: Any, name: str, instead: str) -> Any:
    if isinstance(data, dict):
        return {**data, "values": {key: _values_without(each, name, instead) for key, each in data["values"].items()}}
    return data.replace(name, instead) if isinstance(data, str) else data


def _study_id(name: str = "study_id") -> Column[str]:
    return Column(name, String(64), ForeignKey("studies.study_id"), nullable=False)


def _finding_details() -> "Iterator[Column[Any]]":
    """The further columns of a finding, in the order of its fields."""
    columns: dict[str, Column[Any]] = {
        "key_frames": Column("key_frames", JSON, nullable=False),
        "reader": Column("reader", String(200), nullable=False),
        "when_utc": Column("when_utc", Text, nullable=False, server_default=""),
        "model_id": Column("model_id", String(100)),
        "was_seen_before": Column("was_seen_before", _RawBoolean),
    }
    for name in (each.name for each in fields(Finding)):
        if name in columns:
            yield columns[name]
        elif name in ENTRIES:
            is_number = ENTRIES[name].kind == "number"
            yield Column(name, Float) if is_number else Column(name, Text, nullable=False, server_default="")


meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

readers = Table(
    "readers",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("created_utc", String(40), nullable=False),
)

patients = Table(
    "patients",
    metadata,
    Column("patient_id", String(64), primary_key=True),
    Column("created_utc", String(40), nullable=False),
)

studies = Table(
    "studies",
    metadata,
    Column("study_id", String(64), primary_key=True),
    Column("patient_id", String(64), ForeignKey("patients.patient_id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("fingerprint", String(200), nullable=False, index=True),
    Column("frame_count", Integer, nullable=False),
    Column("duration_seconds", Float, nullable=False),
    Column("state", String(20), nullable=False),
    Column("last_frame", Integer, nullable=False),
    Column("threshold", Float),
    Column("lowest_threshold", Float),  # at which flags were shown while the study was read; NULL: the present one
    Column("model_id", String(100)),
    Column("created_utc", String(40), nullable=False),
    Column("runs", JSON(none_as_null=True)),
    # The patient record; the pseudonym never leaves the library.
    Column("pseudonym", Text, nullable=False, server_default=""),
    Column("sex", Text, nullable=False, server_default=""),
    Column("exam_date", Text, nullable=False, server_default=""),
    Column("capsule", Text, nullable=False, server_default=""),
    Column("indication", Text, nullable=False, server_default=""),
    Column("preparation", Text, nullable=False, server_default=""),
    Column("read_by", Text, nullable=False, server_default=""),
    Column("birth_year", Integer),
    Column("second_of", String(64)),  # the study of which this is the reading of a second reader
    Column("numbering", Integer),  # the rules by which its frames are numbered; NULL: those before there were several
)

labels = Table(
    "labels",
    metadata,
    Column("label_id", String(64), primary_key=True),
    _study_id(),
    Column("start", Integer, nullable=False),
    Column("stop", Integer, nullable=False),
    Column("name", String(100), nullable=False),
    Column("answer", String(3), nullable=False, server_default="yes"),  # yes: the class is there; no: it is not
    Column("source", String(30), nullable=False),
    Column("finding_id", String(64)),
    Column("reader", String(200), nullable=False),
    Column("model_id", String(100)),
    Column("created_utc", String(40), nullable=False),
    Index("ix_labels_study_name_start", "study_id", "name", "start"),
)

findings = Table(
    "findings",
    metadata,
    Column("finding_id", String(64), primary_key=True),
    _study_id(),
    Column("kind", String(100), nullable=False),
    Column("start", Integer, nullable=False),
    Column("stop", Integer, nullable=False),
    *_finding_details(),
    Index("ix_findings_study", "study_id"),
)

landmarks = Table(
    "landmarks",
    metadata,
    Column("landmark_id", String(64), primary_key=True),
    _study_id(),
    Column("region", String(40), nullable=False),
    Column("frame_index", Integer, nullable=False),
    Column("reader", String(200), nullable=False),
    Index("ix_landmarks_study", "study_id"),
)

boxes = Table(
    "boxes",
    metadata,
    Column("box_id", String(64), primary_key=True),
    _study_id(),
    Column("frame_index", Integer, nullable=False),
    Column("x_min", Float, nullable=False),
    Column("y_min", Float, nullable=False),
    Column("x_max", Float, nullable=False),
    Column("y_max", Float, nullable=False),
    Column("name", String(100), nullable=False),
    Column("finding_id", String(64)),
    Column("reader", String(200), nullable=False),
    Index("ix_boxes_study_frame", "study_id", "frame_index"),
)

links = Table(
    "links",
    metadata,
    Column("link_id", String(64), primary_key=True),
    _study_id(),
    Column("frame_index", Integer, nullable=False),
    _study_id("other_study_id"),
    Column("other_frame_index", Integer, nullable=False),
    Column("is_same", _RawBoolean, nullable=False),
    Column("reader", String(200), nullable=False),
    Column("name", String(200), nullable=False),
    Column("other_name", String(200), nullable=False),
    Index("ix_links_study", "study_id"),
    Index("ix_links_other_study", "other_study_id"),
)

seen_spans = Table(
    "seen_spans",
    metadata,
    Column("study_id", String(64), ForeignKey("studies.study_id"), primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("stop", Integer, nullable=False),
)

fast_spans = Table(
    "fast_spans",  # frames that were played, in their turn, at a rate too high to count as seen
    metadata,
    Column("study_id", String(64), ForeignKey("studies.study_id"), primary_key=True),
    Column("start", Integer, primary_key=True),
    Column("stop", Integer, nullable=False),
)

reading_speeds = Table(
    "reading_speeds",  # how many frames were played at which rate; 0: stepped to or paused on
    metadata,
    Column("study_id", String(64), ForeignKey("studies.study_id"), primary_key=True),
    Column("frames_per_second", Integer, primary_key=True),
    Column("frames", Integer, nullable=False),
)

report_parts = Table(
    "report_parts",
    metadata,
    Column("part_id", String(64), primary_key=True),
    _study_id(),
    Column("kind", String(20), nullable=False),
    Column("content", JSON, nullable=False),
    Column("reader", String(200), nullable=False),
    Index("ix_report_parts_study_kind", "study_id", "kind", unique=True),
)

reports = Table(
    "reports",  # signed ones, each a version of its study's report
    metadata,
    Column("report_id", String(64), primary_key=True),
    _study_id(),
    Column("version", Integer, nullable=False),
    Column("path", Text, nullable=False),  # of the PDF, relative to the library's folder; the HTML lies beside it
    Column("sha256", String(64), nullable=False),
    Column("html_sha256", String(64), nullable=False),
    Column("reader", String(200), nullable=False),
    Column("acknowledged", JSON, nullable=False),  # what the reader confirmed: unread flags, parts not seen
    Column("content", Text),  # what it was made from, as canonical JSON; NULL: signed before this was kept
    Column("created_utc", String(40), nullable=False),
    Column("replaces", Integer),  # the version that it amends; NULL: none
    Column("reason", Text, nullable=False, server_default=""),  # why it was amended
    # What was signed, as canonical JSON, with signature and public key in base64; NULL: signed without a key.
    Column("statement", Text),
    Column("signature", Text),
    Column("public_key", Text),
    Index("ix_reports_study", "study_id"),
)

reader_keys = Table(
    "reader_keys",  # the public keys with which each reader has signed
    metadata,
    Column("public_key", String(64), primary_key=True),  # base64
    Column("reader", String(200), primary_key=True),
    Column("first_utc", String(40), nullable=False),
)

removals = Table(
    "removals",  # studies that were removed with all that was derived from them
    metadata,
    Column("removal_id", Integer, primary_key=True, autoincrement=True),
    Column("when_utc", String(40), nullable=False),
    Column("reader", String(200), nullable=False),
    Column("study_id", String(64), nullable=False),
    Column("patient_id", String(64), nullable=False),
    Column("facts", JSON, nullable=False),  # counts of what was removed, models that have learned from it
)

models = Table(
    "models",
    metadata,
    Column("model_id", String(100), primary_key=True),
    Column("title", Text, nullable=False),
    Column("classes", JSON, nullable=False),
    Column("weights_sha256", String(64), nullable=False),
    Column("parent_id", String(100)),
    Column("run_id", String(64)),
    Column("labels_until_utc", String(40), nullable=False),
    Column("created_utc", String(40), nullable=False),
)

scorings = Table(
    "scorings",
    metadata,
    Column("study_id", String(64), ForeignKey("studies.study_id"), primary_key=True),
    Column("model_id", String(100), primary_key=True),
    Column("path", Text, nullable=False),  # relative to the library's folder
    Column("is_complete", Boolean, nullable=False, server_default=false()),
    Column("created_utc", String(40), nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("run_id", String(64), primary_key=True),
    Column("title", Text, nullable=False),
    Column("base_model_id", String(100)),
    Column("state", String(20), nullable=False),
    Column("summary", JSON, nullable=False),
    Column("created_utc", String(40), nullable=False),
    Column("kind", String(20), nullable=False, server_default="finetune"),
    Column("base_run_id", String(64)),
    Column("message", _Sentence, nullable=False, server_default=""),
)

edits = Table(
    "edits",
    metadata,
    Column("edit_id", Integer, primary_key=True, autoincrement=True),
    _study_id(),
    Column("title", _Sentence, nullable=False),
    Column("changes", JSON, nullable=False),
    Column("reader", String(200), nullable=False),
    Column("when_utc", String(40), nullable=False),
    Column("is_undone", Boolean, nullable=False, server_default=false()),
    Column("group_id", String(64)),
    Index("ix_edits_study_undone", "study_id", "is_undone", "edit_id"),
    Index("ix_edits_group", "group_id"),
)

audit = Table(
    "audit",
    metadata,
    Column("audit_id", Integer, primary_key=True, autoincrement=True),
    Column("when_utc", String(40), nullable=False),
    Column("reader", String(200), nullable=False),
    Column("study_id", String(64)),
    Column("title", _Sentence, nullable=False),
    Column("action", String(20), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("item_id", String(64), nullable=False),
    Column("before", JSON(none_as_null=True)),
    Column("after", JSON(none_as_null=True)),
    Column("model_id", String(100)),
    # See `audit_chain`: the salt of its digests, its hash, and the digests of what a removed study took from it.
    Column("salt", String(32), nullable=False, server_default=""),
    Column("hash", String(64), nullable=False, server_default=""),
    Column("cleared", Text),
    Index("ix_audit_study", "study_id"),
)
