"""The library's tables as `storage.revisions` defines them, for SQLAlchemy, and sentences as they stand in them."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import cache, partial
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    text,
)
from sqlalchemy.types import TypeEngine

from training.texts import as_json, text_from_json
from wce_desktop.library.storage import revisions


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


metadata = MetaData()
_TYPES: dict[str, TypeEngine[Any]] = {
    "BOOLEAN": Boolean(),
    "FLOAT": Float(),
    "INTEGER": BigInteger(),
    "JSON": JSON(none_as_null=True),
    "TEXT": Text(),
    "VARCHAR": Text(),
}
_UNLIKE: dict[str, TypeEngine[Any]] = {
    "audit.title": _Sentence(),
    "edits.title": _Sentence(),
    "findings.was_seen_before": _RawBoolean(),
    "links.is_same": _RawBoolean(),
    "runs.message": _Sentence(),
}
"""Columns that are read otherwise than their type says."""
_PLACES = {"labels.answer": 5}
"""Of columns that stand elsewhere than in the database in files that hold whole rows."""


def _add_tables() -> None:
    with closing(sqlite3.connect(":memory:")) as memory:
        revisions.bring_to(memory, None)
        names = [name for (name,) in memory.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in names:
            columns: list[Column[Any]] = []
            for _, name, kind, is_required, default, key in memory.execute(f"PRAGMA table_info({table})"):
                held = _UNLIKE.get(f"{table}.{name}", _TYPES[kind.partition("(")[0]])
                usual = None if default is None else default.strip("'")
                columns.insert(
                    _PLACES.get(f"{table}.{name}", len(columns)),
                    Column(name, held, nullable=not is_required, primary_key=bool(key), server_default=usual),
                )
            if table != revisions.VERSION_TABLE:
                Table(table, metadata, *columns)


_add_tables()
meta = metadata.tables["meta"]
readers = metadata.tables["readers"]
patients = metadata.tables["patients"]
studies = metadata.tables["studies"]
labels = metadata.tables["labels"]
findings = metadata.tables["findings"]
landmarks = metadata.tables["landmarks"]
boxes = metadata.tables["boxes"]
links = metadata.tables["links"]
seen_spans = metadata.tables["seen_spans"]
fast_spans = metadata.tables["fast_spans"]
reading_speeds = metadata.tables["reading_speeds"]
report_parts = metadata.tables["report_parts"]
reports = metadata.tables["reports"]
reader_keys = metadata.tables["reader_keys"]
removals = metadata.tables["removals"]
models = metadata.tables["models"]
scorings = metadata.tables["scorings"]
runs = metadata.tables["runs"]
edits = metadata.tables["edits"]
audit = metadata.tables["audit"]
ORDERED = ("studies", "findings", "landmarks", "boxes", "links", "models", "scorings", "runs")
ENTERED = text("rowid")
"""Orders the rows of these tables as they were entered: the last key of what may be alike in all others."""


def execute(connection: Connection, sql: str, parameters: Sequence[Any] = ()) -> Any:
    """Run one of the statements of every edit in the connection's transaction; returns the driver's cursor.

    By the driver itself: SQLAlchemy takes longer to ask than SQLite to answer.
    """
    return connection.connection.cursor().execute(_for_driver(connection, sql), parameters)


def _for_driver(connection: Connection, sql: str) -> str:
    return sql if connection.dialect.name == "sqlite" else sql.replace("%", "%%").replace("?", "%s")


def is_on_server(connection: Connection | Callable[..., Any]) -> bool:
    """Whether a connection, or `execute` of one, leads to a database on a server."""
    opened = connection.args[0] if isinstance(connection, partial) else connection
    return isinstance(opened, Connection) and opened.dialect.name != "sqlite"


def insert_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert rows, at least one, that all have the same columns, as `execute` does.

    Returns:
        the number of an edit, which is inserted alone; 0 for rows of other tables.
    """
    sql, conversions = _insertion(table, tuple(rows[0]))
    values = [[convert(row[name]) for name, convert in conversions.items()] for row in rows]
    if table is edits:
        return int(execute(connection, sql, values[0]).fetchone()[0])
    try:  # a server is not waited for after each row
        connection.connection.cursor().executemany(_for_driver(connection, sql), values)
    except Exception as error:
        # A connection that was cut while rows were under way takes no rollback.
        if is_on_server(connection) and not getattr(error, "sqlstate", None):
            connection.invalidate(error)
        raise
    return 0


@cache
def _insertion(table: Table, names: tuple[str, ...]) -> tuple[str, dict[str, Callable[[Any], Any]]]:
    """The statement that inserts a row of these columns, and how the value of each is stored."""
    marks = ", ".join("?" * len(names))
    number = " RETURNING edit_id" if table is edits else ""
    sql = f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks}){number}"
    return sql, {name: _STORED.get(type(table.c[name].type), _as_it_is) for name in names}


def _as_it_is(value: Any) -> Any:
    return value


def _stored_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


_STORED: dict[type, Callable[[Any], Any]] = {JSON: _stored_json, _Sentence: stored_sentence}
"""How values are stored that SQLite has no type for."""
