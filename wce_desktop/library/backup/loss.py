"""Whether an opened library lacks what its backup holds."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.library.backup.backup_file import (
    Backup,
    Contents,
    contents_of,
    count_contents,
    find_backups,
    is_later_state_of,
)
from wce_desktop.library.forgetting.removals import recorded_removals
from wce_desktop.library.storage.database import FILE_NAME
from wce_desktop.library.storage.integrity import table_names
from wce_desktop.library.storage.sqlite_file import open_file


@dataclass(frozen=True, slots=True)
class DataLoss:
    """What is missing compared with a backup although no edit removed it."""

    backup: Backup
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
        missing = ", ".join(tr_count(one, many, count) for count, one, many in counts if count > 0)
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
    backups = find_backups(folder)
    if not backups:
        return None
    reference = backups[-1] if backups[-1].sequence else max(backups, key=_labels_in)
    before = contents_of(reference.path)
    return None if before is None else _loss(folder / FILE_NAME, reference, before)


def _loss(file: Path, reference: Backup, before: Contents) -> DataLoss | None:
    with closing(open_file(file)) as connection:
        now = count_contents(connection)
        is_later = is_later_state_of(connection, before)
        gone = _removed_since(connection, reference)
        added = {kind: _added_since(connection, kind, before) if is_later else 0 for kind in ("label", "finding")}
    labels = before.labels + added["label"] - now.labels - gone["labels"]
    findings = before.findings + added["finding"] - now.findings - gone["findings"]
    studies = before.studies - now.studies - gone["studies"]
    return DataLoss(reference, labels, findings, studies) if max(labels, findings, studies) > 0 else None


def _added_since(connection: sqlite3.Connection, kind: str, before: Contents) -> int:
    """How many items edits added since, less those that they removed."""
    last = before.last_line[0] if before.last_line else 0
    asked = "SELECT SUM((action = 'add') - (action = 'remove')) FROM audit WHERE kind = ? AND audit_id > ?"
    return int(connection.execute(asked, (kind, last)).fetchone()[0] or 0)


def _removed_since(connection: sqlite3.Connection, backup: Backup) -> Counter[str]:
    """What belonged to studies that a reader has removed since a backup."""
    gone: Counter[str] = Counter()
    if "removals" not in table_names(connection):
        return gone
    since = backup.made.isoformat(timespec="microseconds")
    for removal in recorded_removals(connection.execute).values():
        if removal.when_utc < since:
            continue
        gone["studies"] += 1
        with suppress(ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError):
            rows = json.loads(removal.facts)["rows"]
            gone += Counter({kind: int(rows.get(kind, 0)) for kind in ("labels", "findings")})
    return gone


def _labels_in(backup: Backup) -> int:
    contents = contents_of(backup.path)
    return -1 if contents is None else contents.labels
