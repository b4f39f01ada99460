"""Lines of the audit log as texts, filtered; and as a table for other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from training.errors import not_written
from training.files.csv_text import CsvWriter
from training.files.outputs import written_beside
from wce_desktop.core.language import in_english
from wce_desktop.features.audit.sentences import sentence
from wce_desktop.library.audit import AuditEntry

COLUMNS = ("when_utc", "reader", "study_id", "what", "action", "kind", "item_id", "model_id")


def search_text(entry: AuditEntry) -> str:
    """Everything of a line that words are looked for in, in small letters."""
    parts = (
        entry.when_utc, entry.reader, entry.title, entry.action, entry.kind, entry.model_id or "",
        entry.study_id or "", sentence(entry),
    )  # fmt: skip
    return " ".join(parts).casefold()


def matching(
    entries: Iterable[AuditEntry],
    *,
    study_id: str = "",
    reader: str = "",
    words: str = "",
    text: Callable[[AuditEntry], str] = search_text,
) -> list[AuditEntry]:
    """The lines of a study and a reader ("" for all) that hold all of these words, newest first.

    `text` gives what words are looked for in; a window keeps it from one key press to the next.
    """
    wanted = words.casefold().split()
    return [
        entry
        for entry in reversed(list(entries))
        if (not study_id or entry.study_id == study_id)
        and (not reader or entry.reader == reader)
        and _holds(text, entry, wanted)
    ]


def _holds(text: Callable[[AuditEntry], str], entry: AuditEntry, wanted: Sequence[str]) -> bool:
    if not wanted:
        return True
    held = text(entry)
    return all(word in held for word in wanted)


def write_log(entries: Sequence[AuditEntry], path: Path) -> None:
    """Write lines as CSV: who did what to which item, as a sentence. Names of studies and files, free text and what is
    known of a patient are left out.

    Raises:
        UserError: the file cannot be written.
    """
    try:
        with (
            in_english(),
            written_beside(path, clean=True) as beside,
            beside.open("w", newline="", encoding="utf-8") as file,
        ):
            writer = CsvWriter(file)
            writer.writerow(COLUMNS)
            for entry in entries:
                row = (
                    entry.when_utc, entry.reader, entry.study_id or "", sentence(entry, with_contents=False),
                    entry.action, entry.kind, entry.item_id, entry.model_id or "",
                )  # fmt: skip
                writer.writerow(row)
    except OSError as error:
        raise not_written(path, error) from error
