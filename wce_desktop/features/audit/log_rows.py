"""Lines of the audit log as texts, filtered; and as a table for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from training.errors import UserError
from training.files.csv_text import CsvWriter
from training.files.outputs import written_beside
from wce_desktop.library.audit import AuditEntry
from wce_desktop.library.whole_reading import PAST

COLUMNS = ("when_utc", "reader", "study_id", "what", "action", "kind", "item_id", "model_id")


def matching(
    entries: Iterable[AuditEntry], *, study_id: str = "", reader: str = "", words: str = ""
) -> list[AuditEntry]:
    """The lines of a study and a reader ("" for all) that hold all of these words, newest first."""
    wanted = words.casefold().split()
    return [
        entry
        for entry in reversed(list(entries))
        if (not study_id or entry.study_id == study_id)
        and (not reader or entry.reader == reader)
        and all(word in _text(entry) for word in wanted)
    ]


def _text(entry: AuditEntry) -> str:
    parts = (
        entry.when_utc,
        entry.reader,
        entry.title,
        entry.action,
        entry.kind,
        entry.model_id or "",
        entry.study_id or "",
    )
    return " ".join(parts).casefold()


def local_time(when_utc: str) -> str:
    """A time by the reader's clock; the text itself where it is no time."""
    try:
        return f"{datetime.fromisoformat(when_utc).astimezone():%Y-%m-%d %H:%M:%S}"
    except ValueError:
        return when_utc


def action_words(entry: AuditEntry) -> str:
    """ "added label"; of a line that came with an imported reading, "added label, before the import"."""
    verbs = {"add": "added", "remove": "removed", "replace": "changed"}
    action = entry.action.removeprefix(PAST)
    said = f"{verbs.get(action, action)} {entry.kind}"
    return f"{said}, before the import" if entry.action.startswith(PAST) else said


def write_log(entries: Sequence[AuditEntry], path: Path) -> None:
    """Write lines as CSV: who did what to which item. Names of studies and files, and contents, are left out.

    Raises:
        UserError: the file cannot be written.
    """
    try:
        with written_beside(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
            writer = CsvWriter(file)
            writer.writerow(COLUMNS)
            for entry in entries:
                row = (
                    entry.when_utc, entry.reader, entry.study_id or "", action_words(entry), entry.action, entry.kind,
                    entry.item_id, entry.model_id or "",
                )  # fmt: skip
                writer.writerow(row)
    except OSError as error:
        raise UserError(
            f"{path} cannot be written ({error.strerror or error}).", "Choose another folder, or free some space."
        ) from error
