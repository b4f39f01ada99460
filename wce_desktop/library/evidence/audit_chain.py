"""The hashes that chain the lines of the audit log, so that a cut, an edit, an insertion or another order shows.

The hash of a line covers the hash of the line before, who did what to which item and when, and salted digests of its
title and of its content (the item before and after). When a study is removed, its lines lose title and content; their
digests stay, so the chain still holds, and without their salt nobody can guess from them what was there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from wce_desktop.library.evidence.log_history import LogHistory, json_object, may_be_cleared

FACTS = ("when_utc", "reader", "study_id", "action", "kind", "item_id", "model_id")
"""The columns that a line keeps for ever, in the order in which they are hashed."""
SALT_DIGITS = 32
"""The first half of a line's salt is that of its title, the second half that of its content."""
EMPTY = "0" * (SALT_DIGITS // 2)
"""In the place of a salt whose text is gone."""
_BATCH = 10_000
_COLUMNS = f"audit_id, {', '.join(FACTS)}, title, CAST(before AS TEXT), CAST(after AS TEXT), salt, hash, cleared"

Execute = Callable[..., Any]
"""Runs one SQL statement with its parameters, as `sqlite3.Connection.execute` does."""


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a log: how many lines it has, and the hash of the last one (empty: no line, or lines without hashes).

    A later state of the same log has a line with this hash at this place.
    """

    lines: int = 0
    hash: str = ""


@dataclass(slots=True)
class ChainCheck:
    """What reading the whole chain shows.

    Attributes:
        head: its end.
        breaks: numbers of the lines at which it breaks.
        cleared: how many lines lost their content with a removed study.
        places: of the hashes that were looked for: after how many lines each stands.
        history: what the lines say of removed studies, restored backups and signed reports.
    """

    head: Head = Head()
    breaks: list[int] = field(default_factory=list)
    cleared: int = 0
    places: dict[str, int] = field(default_factory=dict)
    history: LogHistory = field(default_factory=LogHistory)


def digests(salt: str, title: object, before: object, after: object) -> tuple[str, str]:
    """The salted digests of a line's title and of its content, whose JSON counts as text."""
    half = SALT_DIGITS // 2
    return _sha256(salt[:half] + _part(title)), _sha256(salt[half:] + _part(before) + _part(after))


def hash_line(previous: str, facts: Iterable[object], title: str, content: str) -> str:
    """The hash of a line.

    Args:
        previous: hash of the line before; empty for the first one.
        facts: the values of `FACTS`.
        title: digest of its title.
        content: digest of its content.
    """
    return _sha256(previous + "".join(map(_part, facts)) + title + content)


def chained(previous: str, line: dict[str, Any]) -> str:
    """Give a new line its salt and its hash, which is returned; `before` and `after` are JSON values or None."""
    line["salt"] = os.urandom(SALT_DIGITS // 2).hex()
    before, after = (None if line.get(name) is None else json.dumps(line[name]) for name in ("before", "after"))
    facts = [line.get(name) for name in FACTS]
    line["hash"] = hash_line(previous, facts, *digests(line["salt"], line["title"], before, after))
    return str(line["hash"])


def last_hash(execute: Execute) -> str:
    """The hash of the last line; empty for an empty log."""
    row = execute("SELECT hash FROM audit ORDER BY audit_id DESC LIMIT 1").fetchone()
    return "" if row is None else str(row[0])


def head(execute: Execute) -> Head:
    """The end of a database's log, of any version."""
    lines = int(execute("SELECT COUNT(*) FROM audit").fetchone()[0])
    return Head(lines, last_hash(execute) if has_chain(execute) else "")


def has_chain(execute: Execute) -> bool:
    """Whether a database is of a version whose log has hashes."""
    return "hash" in columns_of(execute, "audit")


def columns_of(execute: Execute, table: str) -> list[str]:
    """The names of a table's columns."""
    answer: Any = execute(f'SELECT * FROM "{table}" LIMIT 0')
    return [str(column[0]) for column in answer.description]


def append(connection: sqlite3.Connection, line: dict[str, Any]) -> None:
    """Add a line to the log of a database that no window has open, of any version."""
    line = {"study_id": None, "model_id": None, "before": None, "after": None} | line
    if has_chain(connection.execute):
        chained(last_hash(connection.execute), line)
    values = {name: json.dumps(value) if isinstance(value, dict) else value for name, value in line.items()}
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO audit ({names}) VALUES ({marks})", tuple(values.values()))


def append_restored(connection: sqlite3.Connection, when: str, reader: str, newest: int, made: str) -> None:
    """Note in a database that takes the place of a library's that it is a restored backup, or an empty one.

    Args:
        newest: number of the newest backup of then; the log need not go on from those.
        made: when the backup was made (UTC); empty: the database is empty.
    """
    title = "Restore a backup" if made else "Start with an empty library"
    line = {"when_utc": when, "reader": reader, "title": title, "action": "restore", "kind": "library"}
    append(connection, line | {"item_id": "library", "after": {"backup_utc": made, "newest_backup": newest}})


def fill(cursor: Any) -> None:
    """Give salt and hash to all lines of a log that has none; `cursor` is one of the database's driver."""
    previous, last = "", -1
    asked = f"SELECT {_COLUMNS} FROM audit WHERE audit_id > ? ORDER BY audit_id LIMIT {_BATCH}"
    while rows := cursor.execute(asked, (last,)).fetchall():
        salts, filled = os.urandom(SALT_DIGITS // 2 * len(rows)).hex(), []
        for number, (audit_id, *facts, title, before, after, _, _, _) in enumerate(rows):
            salt = salts[number * SALT_DIGITS : (number + 1) * SALT_DIGITS]
            previous = hash_line(previous, facts, *digests(salt, title, before, after))
            filled.append((salt, previous, audit_id))
        cursor.executemany("UPDATE audit SET salt = ?, hash = ? WHERE audit_id = ?", filled)
        last = rows[-1][0]


def keep_digests(
    execute: Execute, where: str, parameters: tuple[object, ...], study_id: str, what: Literal["title", "content"]
) -> None:
    """Before lines lose their title or their content with a removed study: keep its digest, forget its salt.

    Args:
        where: SQL for the lines.
    """
    asked = f"SELECT audit_id, title, CAST(before AS TEXT), CAST(after AS TEXT), salt, cleared FROM audit WHERE {where}"
    half = SALT_DIGITS // 2
    for audit_id, title, before, after, salt, old in execute(asked, parameters).fetchall():
        cleared, salt = _cleared(old), str(salt)
        cleared.setdefault(what, digests(salt, title, before, after)[what == "content"])
        cleared["studies"] = sorted({*cleared.get("studies", []), study_id})
        kept = EMPTY + salt[half:] if what == "title" else salt[:half] + EMPTY
        text = json.dumps(cleared, sort_keys=True)
        execute("UPDATE audit SET salt = ?, cleared = ? WHERE audit_id = ?", (kept, text, audit_id))


def check(rows: Iterable[Sequence[Any]], history: LogHistory, wanted: Iterable[str]) -> ChainCheck:
    """Compute the chain again and compare.

    Args:
        rows: of `select_lines`, oldest first.
        history: knows which studies were removed, and gets what the lines say.
        wanted: hashes whose place is looked for.
    """
    result, wanted, previous, lines = ChainCheck(history=history), set(wanted), "", 0
    cleared_by = list[tuple[int, int, list[str]]]()
    for lines, (audit_id, *values, title, before, after, salt, stored, cleared) in enumerate(rows, 1):
        salt, stored = str(salt), str(stored)  # a damaged database holds anything
        facts = dict(zip(FACTS, values, strict=True))
        of_title, of_content = digests(salt, title, before, after)
        is_possible = audit_id == lines  # lines are never deleted, so their numbers have no gaps
        if cleared is not None:
            kept = _cleared(cleared)
            has_content = before is not None or after is not None
            is_possible = is_possible and _is_cleared(kept) and may_be_cleared(facts, title, has_content, kept)
            of_title, of_content = kept.get("title", of_title), kept.get("content", of_content)
            cleared_by.append((audit_id, lines, kept.get("studies", [])))
        if not is_possible or hash_line(previous, values, of_title, of_content) != stored:
            result.breaks.append(audit_id)
        previous = stored
        if stored in wanted:
            result.places[stored] = lines
        history.note(audit_id, lines, facts, after)
    result.head = Head(lines, previous)
    for audit_id, place, studies in cleared_by:
        if not studies or not all(history.is_removed(study_id, place) for study_id in studies):
            result.breaks.append(audit_id)
    result.cleared = len(cleared_by)
    result.breaks = sorted(set(result.breaks))
    return result


def select_lines() -> str:
    """The SQL that reads the lines for `check`."""
    return f"SELECT {_COLUMNS} FROM audit ORDER BY audit_id"


def _is_cleared(kept: Mapping[str, Any]) -> bool:
    """Whether this is what the program notes in a line that loses its title or its content."""
    if "studies" not in kept or not kept.keys() <= {"title", "content", "studies"}:
        return False
    return all(isinstance(digest, str) for name, digest in kept.items() if name != "studies")


def _cleared(text: object) -> dict[str, Any]:
    kept = json_object(text)
    studies = kept.get("studies", [])
    return kept if isinstance(studies, list) and all(isinstance(study, str) for study in studies) else {}


def _part(value: object) -> str:
    """A value with its length before it, so that no two lists of values read the same."""
    if type(value) is str:
        return f"{len(value)}:{value}"
    return "-" if value is None else _part(repr(value))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
