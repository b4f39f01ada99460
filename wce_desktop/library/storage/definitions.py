"""The definitions in a database (tables, indexes, triggers, views), compared with those that its version writes.

A trigger or view of somebody else would run with the next edit, so nothing but a library's own definitions is accepted.
They are read from `sqlite_master`, which runs nothing. SQLite keeps the text of each statement as it was written;
spaces, quotes around names, comments and upper case make no difference. The version of the tables is that of the last
migration.
"""

import re
import sqlite3
from contextlib import closing
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, inspect, text

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr
from wce_desktop.library import errors, tables
from wce_desktop.library.storage.revisions import REVISIONS, VERSION_TABLE, bring_to

KINDS = {
    "trigger": to_translate("trigger"),
    "view": to_translate("view"),
    "table": to_translate("table"),
    "index": to_translate("index"),
}
_TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))|(?P<text>'(?:[^']|'')*')"""
    r"""|"(?P<quoted>(?:[^"]|"")*)"|`(?P<tick>(?:[^`]|``)*)`|\[(?P<bracket>[^\]]*)\]|(?P<word>\w+)|(?P<other>.)""",
    re.DOTALL,
)

_OF_SQLITE = {
    "sqlite_sequence": "sqlite_sequence ( name , seq )",
    "sqlite_stat1": "sqlite_stat1 ( tbl , idx , stat )",
    "sqlite_stat4": "sqlite_stat4 ( tbl , idx , neq , nlt , ndlt , sample )",
}
"""Tables that SQLite makes by itself, as for ANALYZE."""


class Definition(NamedTuple):
    """One row of `sqlite_master`; `sql` is normalised, and empty for the indexes that SQLite makes by itself."""

    kind: str
    name: str
    table: str
    sql: str


def difference(connection: sqlite3.Connection) -> str | None:
    """How the definitions differ from those that their version writes, in a few words; None where they do not.

    A database without any table of a library, and one of a newer version, is not judged here.
    """
    there = read_definitions(connection)
    if not {definition.name for definition in there} & set(tables.metadata.tables):
        return None
    revision = revision_in(connection)
    if revision is None:
        return tr("the version of its tables is missing")
    return None if revision not in REVISIONS else _first_difference(there, own_definitions(revision))


def revision_in(connection: sqlite3.Connection) -> str | None:
    """The revision that a database says that it has; None where it says none, or several."""
    asked = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND rootpage > 0"  # a view is not read
    if connection.execute(asked, (VERSION_TABLE,)).fetchone() is None:
        return None
    versions = connection.execute(f"SELECT version_num FROM {VERSION_TABLE} LIMIT 2").fetchall()
    return str(versions[0][0]) if len(versions) == 1 else None


def read_definitions(connection: sqlite3.Connection) -> frozenset[Definition]:
    """The definitions in a database, without what SQLite makes by itself."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return frozenset(definition for definition in map(_normalised_row, rows) if not _is_of_sqlite(definition))


@cache
def reference(revision: str) -> tuple[tuple[str, str, str, str], ...]:
    """The rows of `sqlite_master` that a new database of a revision has, in their order."""
    with closing(sqlite3.connect(":memory:")) as memory:
        bring_to(memory, None, revision)
        rows = memory.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return tuple(rows)


@cache
def own_definitions(revision: str) -> frozenset[Definition]:
    """The definitions that a new database of a revision has."""
    return frozenset(map(_normalised_row, reference(revision)))


def drop_foreign_code(connection: sqlite3.Connection) -> bool:
    """Drop the triggers and views that its version does not write; dropping runs none of them.

    Returns:
        False where the version is not known: then nothing was dropped.
    """
    revision = revision_in(connection)
    if revision not in REVISIONS:
        return False
    for definition in sorted(read_definitions(connection) - own_definitions(revision)):
        if definition.kind in ("trigger", "view"):
            name = definition.name.replace('"', '""')
            connection.execute(f'DROP {definition.kind.upper()} "{name}"')
    return True


def _first_difference(there: frozenset[Definition], own: frozenset[Definition]) -> str | None:
    """Of all differences one that does most harm: triggers first."""
    names, own_names = ({each[:2] for each in definitions} for definitions in (there, own))
    kinds = list(KINDS)
    for pairs, sentence in (
        (own_names - names, to_translate("the {kind} {name} is missing")),
        (names - own_names, to_translate("it has the {kind} “{name}”, which this application does not write")),
        ({each[:2] for each in there - own}, to_translate("the {kind} {name} is not as this application writes it")),
    ):
        for kind, name in sorted(pairs, key=lambda each: (kinds.index(each[0]) if each[0] in kinds else 9, each)):
            return tr(sentence, kind=tr(KINDS.get(kind, kind)), name=name)
    return None


def _normalised_row(row: tuple[object, ...]) -> Definition:
    kind, name, table, sql = row
    return Definition(str(kind), str(name), str(table), "" if sql is None else _normalised(str(sql)))


@lru_cache(maxsize=512)
def _normalised(sql: str) -> str:
    """A statement with one space between its parts, names without quotes, and all but texts in lower case."""
    parts = []
    for match in _TOKEN.finditer(sql):
        part = match.lastgroup or ""
        if part == "text":
            parts.append(match[part])
        elif part != "space":
            word = match[part].lower()  # without quotes where it could be written so
            parts.append(word if part in ("word", "other") or re.fullmatch(r"\w+", word) else f'"{word}"')
    return " ".join(parts)


def _is_of_sqlite(definition: Definition) -> bool:
    if definition.kind == "index":
        return (
            not definition.sql
            and definition.name == f"sqlite_autoindex_{definition.table}_{definition.name.rpartition('_')[2]}"
        )
    own = _OF_SQLITE.get(definition.name)
    return definition.kind == "table" and own is not None and definition.sql == f"create table {own}"


def upgrade(engine: Engine, revision: str = REVISIONS[-1]) -> None:
    """Bring the tables up to a revision in one transaction."""
    with engine.execution_options(writes=True).begin() as connection:
        opened = connection.connection.driver_connection
        assert opened is not None
        bring_to(opened, revision_of(connection), revision)


def revision_of(connection: Connection) -> str | None:
    """The revision that the tables have, or None in an empty database.

    Raises:
        UserError: when the tables are not a library's.
    """
    names = inspect(connection).get_table_names()
    if not names:
        return None
    if VERSION_TABLE not in names:
        raise UserError(
            "The database in this folder was not written by this application.", "Choose another library folder."
        )
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one_or_none()


def check_version(engine: Engine, folder: Path) -> str | None:
    """The revision that the tables have, or None in an empty database.

    Raises:
        NewerLibraryError: when a newer version of the application wrote them.
    """
    with engine.connect() as connection:
        version = revision_of(connection)
    if version is not None and version not in REVISIONS:
        raise errors.NewerLibraryError(
            "The library in {folder} was written by a newer version of the application (tables {found}, this "
            "version supports {supported}).",
            "Update the application, or choose another library.",
            folder,
            version,
            REVISIONS[-1],
        )
    return version
