"""Edits that are not yet on the server: kept on this computer until the server is back.

Each line of the file is an edit as JSON. It is on the disk before the reader sees the edit, and goes when the server
has it. The time of an edit is its identity: what was written before the connection broke is not written again.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from training.errors import UserError
from training.files.outputs import written_beside
from wce_desktop.core.annotation.change import Change, Edit
from wce_desktop.library import rows, tables
from wce_desktop.library.storage.private import make_private_file


class Seen(NamedTuple):
    """Frames of a study that were on screen; see `Annotations.mark_seen`.

    Attributes:
        spans, fast: first frame and the one after the last, of each span.
        speeds: frames by frames a second.
        sent_in: the server's number of the transaction in which they were sent; empty: they were not.
    """

    study_id: str
    spans: Sequence[tuple[int, int]]
    fast: Sequence[tuple[int, int]]
    speeds: Mapping[int, int]
    sent_in: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An edit of one study or of several, or frames that were seen.

    Attributes:
        changes: study_id -> its changes.
        refused: why the server did not take it; empty: it waits.
        seen: without changes.
    """

    when_utc: str
    title: str
    reader: str
    changes: Mapping[str, tuple[Change, ...]]
    model_id: str | None = None
    refused: str = ""
    seen: Seen | None = None

    @property
    def edits(self) -> tuple[Edit, ...]:
        """As the window shows them; they have no number yet."""
        return tuple(
            Edit(0, study_id, self.title, of_study, self.reader, self.when_utc, "")
            for study_id, of_study in self.changes.items()
        )


class Journal:
    """The edits of one reader that wait for the server, oldest first, and those that it refused.

    Raises:
        OSError, ValueError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        # The last line is half-written where the computer failed before the edit was shown.
        self._entries = [entry for number, line in enumerate(lines, 1) if (entry := _entry(line, number == len(lines)))]

    @classmethod
    def of(cls, folder: Path, account: str) -> "Journal":
        """The journal of an account in a folder: edits of one account are never sent by another.

        Raises:
            UserError: it cannot be read.
        """
        path = folder / f"journal-{hashlib.sha256(account.encode()).hexdigest()[:16]}.jsonl"
        try:
            return cls(path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(
                "The edits in {path} that are not yet on the server cannot be read.",
                "Nothing was changed. Move the file to another folder and keep it, then start again.",
                path,
            ) from error

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All edits that the server does not have."""
        return tuple(self._entries)

    @property
    def waiting(self) -> tuple[Entry, ...]:
        """Those that are sent when the server is back."""
        return tuple(entry for entry in self._entries if not entry.refused)

    def add(self, entry: Entry) -> None:
        """Keep an edit; on the disk when this returns."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private_file(self._path)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(_document(entry), ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._entries.append(entry)

    def remove(self, entry: Entry) -> None:
        """Forget an edit: the server has it, or the reader gave it up."""
        self._write([each for each in self._entries if each.when_utc != entry.when_utc])

    @property
    def unsent(self) -> tuple[Entry, ...]:
        """What a reader is to know of: the edits, and frames that were seen only where the server refused them."""
        return tuple(entry for entry in self._entries if entry.seen is None or entry.refused)

    def refuse(self, entry: Entry, why: str) -> None:
        """Keep an edit as refused."""
        self.change(entry, replace(entry, refused=why))

    def change(self, entry: Entry, changed: Entry) -> None:
        """Put another entry in the place of one."""
        self._write([changed if each.when_utc == entry.when_utc else each for each in self._entries])

    def _write(self, entries: Sequence[Entry]) -> None:
        with written_beside(self._path, sync=True) as beside:
            make_private_file(beside)
            beside.write_text("".join(json.dumps(_document(entry)) + "\n" for entry in entries), "utf-8")
        self._entries = list(entries)


def _document(entry: Entry) -> dict[str, Any]:
    return {
        "when_utc": entry.when_utc,
        "title": tables.stored_sentence(entry.title),
        "reader": entry.reader,
        "model_id": entry.model_id,
        "changes": {study_id: rows.changes_to_json(of_study) for study_id, of_study in entry.changes.items()},
        "refused": tables.stored_sentence(entry.refused),
        "seen": entry.seen,
    }


def _seen(stored: Any) -> Seen | None:
    if stored is None:
        return None
    seen = Seen(*stored)
    return seen._replace(speeds={int(rate): int(frames) for rate, frames in seen.speeds.items()})


def _entry(line: str, is_last: bool) -> Entry | None:
    try:
        stored = json.loads(line)
        changes = {study_id: rows.changes_from_json(document) for study_id, document in stored["changes"].items()}
        return Entry(
            stored["when_utc"], tables.sentence_of(stored["title"]), stored["reader"], changes, stored["model_id"],
            tables.sentence_of(stored["refused"]), _seen(stored.get("seen")),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError):
        if is_last:
            return None
        raise
