"""No window shows an internal id: patients, studies, findings, models and jobs have names, or are said to have none.

In every window: `test_every_window`.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.wce_desktop.every_window import rich_window
from training.runs.reporter import SilentReporter
from wce_desktop.library.checking import check_library

IDS = {
    "one": "s-171e5b47c0de1122", "two": "s-92ab00c1d2e33344", "three": "s-5d5e5f6061625566",
    "pa": "p-4f2e1d0c9b8a7788", "pb": "p-0a1b2c3d4e5f99aa",
}  # fmt: skip
MADE = re.compile(
    r"\b(?:s|p|f|r|k|b|n|l|sr|map|run|job|weak)-[0-9a-f]{8,}\b"
    r"|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    r"|(?<![0-9a-zA-Z])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{12,}(?![0-9a-zA-Z])"
)
"""What the program makes up: prefixed ids, UUIDs, fingerprints and checksums."""
LEAST_LETTERS = 2


def stored_ids(folder: Path) -> set[str]:
    """Every id and checksum that the database keeps, whatever it looks like."""
    found: set[str] = set()
    with closing(sqlite3.connect(folder / "library.sqlite")) as base:
        for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
            for column in columns:
                if column.endswith(("_id", "sha256", "fingerprint")):
                    found |= {str(value) for (value,) in base.execute(f"SELECT {column} FROM {table}") if value}
    return {one for one in found if len(one) >= LEAST_LETTERS and not one.isdigit()}


def ids_in(text: str, stored: set[str]) -> set[str]:
    words = set(re.findall(r"[\w-]+", text))
    return (words & stored) | set(MADE.findall(text))


class Progress(SilentReporter):
    """Keeps what a job says that it is doing; the windows show each text for a moment only."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.texts.append(what)


def test_a_check_names_what_it_reads_without_internal_ids(qtbot: QtBot, tmp_path: Path) -> None:
    with rich_window(qtbot, tmp_path, IDS) as window:
        library = window.session.library
        reporter, stored = Progress(), stored_ids(library.folder)
        checked = check_library(library, reporter)
    texts = [*reporter.texts, *(line for one in checked.found for line in (one.part, one.problem))]
    assert any("scores of Model 1" in text for text in texts)
    assert [text for text in texts if ids_in(text, stored)] == []
