"""Compares a library with its backups: what it lacks, and what restoring one would change."""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation.vocabulary import shown_name
from wce_desktop.core.calculators import SCORES
from wce_desktop.core.language import names_to_translate, number_text, to_translate, tr, tr_count
from wce_desktop.library import removal_rows, tables
from wce_desktop.library.backup import backup_file
from wce_desktop.library.storage import database, definitions, integrity, sqlite_file
from wce_desktop.library.storage.failures import sentences

HOWS = names_to_translate("comes back, goes, changes")
HOW_LINES = {
    "comes back": to_translate("Comes back: {what}."),
    "goes": to_translate("Goes: {what}."),
    "changes": to_translate("Changes: {what}."),
}
_COUNTED = {
    "studies": (to_translate("{count} study"), to_translate("{count} studies")),
    "labels": (to_translate("{count} label"), to_translate("{count} labels")),
    "findings": (to_translate("{count} finding"), to_translate("{count} findings")),
    "landmarks": (to_translate("{count} landmark"), to_translate("{count} landmarks")),
    "boxes": (to_translate("{count} box"), to_translate("{count} boxes")),
    "links": (to_translate("{count} link"), to_translate("{count} links")),
    "report_parts": (to_translate("{count} report text"), to_translate("{count} report texts")),
    "reports": (to_translate("{count} signed report"), to_translate("{count} signed reports")),
    "models": (to_translate("{count} model"), to_translate("{count} models")),
    "runs": (to_translate("{count} run"), to_translate("{count} runs")),
}
KINDS = dict(
    zip(
        _COUNTED,
        names_to_translate("study, label, finding, landmark, box, link, report text, signed report, model, run"),
        strict=True,
    )
)
"""The tables that are compared, and what a row of each is called."""
_PARTS: dict[Any, str] = SCORES | {
    "texts": to_translate("Texts"),
    "settled": to_translate("Settled differences"),
    "amendment": to_translate("Amendment"),
    "drawings": to_translate("Drawings on frames"),
    "audit": to_translate("Audit of unseen frames"),
    "checked": to_translate("Labels checked as right"),
}
"""What the kinds of report texts are called."""
_PROGRESS = {"last_frame", "threshold", "lowest_threshold", "state", "model_id", "runs", "path", "created_utc"}
"""Of a study: where reading stands, and nothing that a reader entered."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DataLoss:
    """What is missing compared with a backup although no edit removed it."""

    backup: backup_file.Backup
    labels: int
    findings: int
    studies: int

    @property
    def sentence(self) -> str:
        """What is missing."""
        counts = (
            (self.labels, to_translate("{count} fewer label"), to_translate("{count} fewer labels")),
            (self.findings, to_translate("{count} fewer finding"), to_translate("{count} fewer findings")),
            (self.studies, to_translate("{count} fewer study"), to_translate("{count} fewer studies")),
        )
        missing = ", ".join(tr_count(singular, many, count) for count, singular, many in counts if count > 0)
        return tr(
            "The library holds {missing} than its backup of {time}, and no edit removed them.",
            missing=missing,
            time=self.backup.local_time,
        )


def loss_since_backup(folder: Path) -> DataLoss | None:
    """What the library lacks that its last backup holds and that no edit removed; None where nothing is missing.

    A later state has all lines of the backup's audit log; what edits added and removed since stands in the lines that
    follow. Backups of older versions carry no number; among them the one with the most labels counts.
    """
    backups = backup_file.find_backups(folder)
    if not backups:
        return None
    contents = {backups[-1]: backup_file.contents_of(backups[-1].path)}
    if not backups[-1].sequence:
        contents = {backup: backup_file.contents_of(backup.path) for backup in backups}
    reference = max(contents, key=lambda backup: -1 if (held := contents[backup]) is None else held.labels)
    if (before := contents[reference]) is None:
        return None
    last = before.last_line[0] if before.last_line else 0
    asked = "SELECT SUM((action = 'add') - (action = 'remove')) FROM audit WHERE kind = ? AND audit_id > ?"
    with closing(sqlite_file.open_file(folder / database.FILE_NAME)) as connection:
        now = backup_file.count_contents(connection)
        gone = _removed_since(connection, reference)
        added = dict.fromkeys(("label", "finding"), 0)
        for kind in added if backup_file.is_later_state_of(connection, before) else ():
            added[kind] = int(connection.execute(asked, (kind, last)).fetchone()[0] or 0)
    labels = before.labels + added["label"] - now.labels - gone["labels"]
    findings = before.findings + added["finding"] - now.findings - gone["findings"]
    studies = before.studies - now.studies - gone["studies"]
    return DataLoss(reference, labels, findings, studies) if max(labels, findings, studies) > 0 else None


def _removed_since(connection: sqlite3.Connection, backup: backup_file.Backup) -> Counter[str]:
    """What belonged to studies that a reader has removed since a backup."""
    gone: Counter[str] = Counter()
    if "removals" not in integrity.table_names(connection):
        return gone
    since = backup.made.isoformat(timespec="microseconds")
    for removal in removal_rows.recorded_removals(connection.execute).values():
        if removal.when_utc < since:
            continue
        gone["studies"] += 1
        with suppress(ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError):
            rows = json.loads(removal.facts)["rows"]
            gone += Counter({kind: int(rows.get(kind, 0)) for kind in ("labels", "findings")})
    return gone


@dataclass(frozen=True, slots=True)
class Difference:
    """One row that restoring would change.

    Args:
        study: the name of its study; empty where it belongs to none.
        what: a few words, such as "polyp, frames 11 to 14".
    """

    how: str
    kind: str
    study: str
    what: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What restoring a backup would change, the studies first."""

    differences: tuple[Difference, ...]

    @property
    def sentences(self) -> list[str]:
        """A line for each way of changing: "Comes back: 2 studies, 14 labels"."""
        counts = Counter((row.how, row.kind) for row in self.differences)
        lines = []
        for how in HOWS:
            parts = [tr_count(*texts, counts[how, kind]) for kind, texts in _COUNTED.items() if counts[how, kind]]
            lines.append(tr(HOW_LINES[how], what=", ".join(parts) or tr("nothing")))
        return lines


def preview_restore(folder: Path, backup: Path, hidden: Collection[str] = ()) -> Preview:
    """Compare a library with a backup; nothing is changed.

    Args:
        hidden: ids of studies whose rows are not named, such as the first reading of what is read for the second time.

    Raises:
        UserError: the backup cannot be read, or is no library.
    """
    try:
        with closing(sqlite_file.open_file(backup, read_only=True)) as old:
            is_library = {"studies", "labels", "findings"} <= integrity.table_names(old) and definitions.difference(
                old
            ) is None
            before = {table: _rows(old, table) for table in KINDS} if is_library else {}
    except sqlite_file.READ_ERRORS as error:
        raise UserError(
            "The backup {name} cannot be read ({error}).", "Choose another one.", backup.name, error
        ) from error
    if not is_library:
        raise UserError("{name} is no backup of a library.", "Choose another one.", backup.name)
    with (
        sentences(folder, Text("comparing with a backup")),
        closing(sqlite_file.open_file(folder / database.FILE_NAME, read_only=True)) as new,
    ):
        now = {table: _rows(new, table) for table in KINDS}
    names = {key: str(row["name"]) for part in (before, now) for key, row in part["studies"].items()}
    rows = [one for table in KINDS for one in _compared(table, before[table], now[table], names, hidden)]
    return Preview(tuple(rows))


def _rows(connection: Connection, table: str) -> dict[str, Row]:
    """The rows of a table by their key; none where the table came later."""
    if table not in integrity.table_names(connection):
        return {}
    cursor = connection.execute(f"SELECT * FROM {table}")  # a name of ours
    columns = [str(part[0]) for part in cursor.description]
    key = next(iter(tables.metadata.tables[table].primary_key.columns)).name
    return {str(row[columns.index(key)]): dict(zip(columns, row, strict=True)) for row in cursor}


def _compared(
    table: str, before: Mapping[str, Row], now: Mapping[str, Row], names: Mapping[str, str], hidden: Collection[str]
) -> list[Difference]:
    ways = dict.fromkeys(before.keys() - now.keys(), "comes back")
    ways |= dict.fromkeys(now.keys() - before.keys(), "goes")
    ignored = _PROGRESS if table == "studies" else set()
    for key in now.keys() & before.keys():
        if any(before[key][name] != now[key][name] for name in before[key].keys() & now[key].keys() - ignored):
            ways[key] = "changes"
    rows = []
    for key, how in ways.items():
        row = before.get(key) or now[key]
        study_id = str(row.get("study_id", ""))
        what = tr("(hidden)") if study_id in hidden else _words(table, row)
        rows.append(Difference(how, table, names.get(study_id, ""), what))
    return sorted(rows, key=lambda row: (HOWS.index(row.how), row.study, row.what))


def _words(table: str, row: Row) -> str:
    if table in {"labels", "findings"}:
        name = shown_name(str(row["name"] if table == "labels" else row["kind"]))
        start, stop = int(row["start"]) + 1, int(row["stop"])
        first, last = number_text(start), number_text(stop)
        if start == stop:
            return tr("{name}, frame {frame}", name=name, frame=first)
        return tr("{name}, frames {first} to {last}", name=name, first=first, last=last)
    if table in {"landmarks", "boxes", "links"}:
        region = str(row.get("region") or "").replace("_", " ")
        name = tr(region) if region else shown_name(str(row.get("name"))).replace("_", " ")
        return tr("{name}, frame {frame}", name=name, frame=int(row["frame_index"]) + 1)
    if table == "studies":
        return str(row["name"])
    if table == "reports":
        return tr("version {number}", number=row["version"])
    kind = str(row.get("kind") or "")
    return str(row.get("title") or tr(_PARTS.get(kind, kind)))
