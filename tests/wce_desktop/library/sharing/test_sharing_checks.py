"""What a shared library lost, or has twice, is counted: each such fault is planted here once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Table

from tests.crash.shared_window import LEDGER
from tests.crash.sharing_checks import Shown, check_content, check_window
from tests.wce_desktop.library.sharing.conftest import Shared
from wce_desktop.core.annotation.change import Add, Edit, Remove, item_id, items_of
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library, tables
from wce_desktop.library.storage.database import now_utc


class Reader:
    """A reader without a window, who notes what a window would."""

    def __init__(self, library: Library, study_id: str, home: Path, shared: Shared) -> None:
        self.library, self.home, self.study_id, self.shared = library, home, study_id, shared
        self.labels = [Label(new_id(), self.study_id, Span(start, start + 1), "polyp") for start in (1, 5, 9)]
        for label in self.labels:
            self.note_edit(library.annotations.edit(self.study_id, "Label", [Add(label)]))
        self.note_edit(library.annotations.edit(self.study_id, "Take it off", [Remove(self.labels[0])]))
        self.sign(1)
        self.sign(2, replaces=1)

    def note(self, **line: object) -> None:
        with (self.home / LEDGER).open("a") as file:
            file.write(json.dumps({"at": now_utc(), **line}) + "\n")

    def note_edit(self, edit: Edit) -> None:
        items = [[change.verb, item_id([*items_of([change])][-1])] for change in edit.changes]
        self.note(when=edit.when_utc, items=items)

    def sign(self, version: int, replaces: int | None = None) -> None:
        """Press *Sign* once, and see the report signed."""
        self.note(press=self.study_id)
        self.keep(version, replaces)
        self.note(signed=[self.study_id, version])

    def keep(self, version: int, replaces: int | None = None) -> None:
        self.library.reports.keep(
            self.study_id, version, html=b"<p>", pdf=b"%PDF", reader="anna", acknowledged={}, replaces=replaces
        )

    @property
    def wrong(self) -> int:
        return check_window(Shown.of(self.home), "anna", self.library) + check_content(self.library)


@pytest.fixture
def reader(anna: Library, study: Study, shared: Shared, tmp_path: Path) -> Reader:
    return Reader(anna, study.study_id, tmp_path, shared)


def raw(reader: Reader, statement: str) -> None:
    """Write behind the library's back, without triggers and checks."""
    with reader.shared.raw("tests") as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(statement)


def columns(table: Table, without: str) -> str:
    return ", ".join(column.name for column in table.c if column.name != without)


def lose_an_edit(reader: Reader) -> None:
    reader.note(when=now_utc(), items=[["add", "never-written"]])


def lose_a_label(reader: Reader) -> None:
    raw(reader, f"DELETE FROM labels WHERE label_id = '{reader.labels[1].label_id}'")


def double_an_edit(reader: Reader) -> None:
    same = columns(tables.edits, "edit_id")
    raw(reader, f"INSERT INTO edits ({same}) SELECT {same} FROM edits ORDER BY edit_id LIMIT 1")


def double_a_log_line(reader: Reader) -> None:
    same = columns(tables.audit, "audit_id")
    add = f"INSERT INTO audit (audit_id, {same}) SELECT 99, {same} FROM audit WHERE kind = 'label' LIMIT 1"
    raw(reader, add)


def lose_a_report(reader: Reader) -> None:
    reader.note(press=reader.study_id)
    reader.note(signed=[reader.study_id, 3])


def sign_twice(reader: Reader) -> None:
    reader.note(press=reader.study_id)
    reader.keep(3, 2)
    reader.keep(4, 3)


def sign_without_a_press(reader: Reader) -> None:
    (reader.home / LEDGER).write_text(
        "".join(line + "\n" for line in (reader.home / LEDGER).read_text().splitlines() if "press" not in line)
    )


def replace_twice(reader: Reader) -> None:
    reader.sign(3, replaces=1)


def test_nothing_is_wrong_where_nothing_is(reader: Reader) -> None:
    assert reader.wrong == 0


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (lose_an_edit, "1 lost,"),
        (lose_a_label, "1 unlike the audit log"),
        (double_an_edit, "1 doubled,"),
        (double_a_log_line, "1 doubled,"),
        (lose_a_report, "1 lost reports"),
        (sign_twice, "1 doubled reports"),
        (sign_without_a_press, "2 doubled reports"),
        (replace_twice, "1 replaced twice"),
    ],
)
def test_a_planted_fault_is_counted(
    plant: Callable[[Reader], None], words: str, reader: Reader, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(reader)
    assert reader.wrong > 0
    assert words in capsys.readouterr().out
