"""Export, backup and migration, killed: what they write is whole, or is not there."""

import random
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.crash.kind import Kind
from tests.crash.library_states import damage
from tests.crash.victim import Moment, Say, run
from training.files.written import RECORD
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.storage import database, definitions, integrity, revisions

LABELS = 4000
NAMES = ("polyp", "blood", "ulcer", "normal")


def fill(library: Library, labels: int = LABELS) -> str:
    """A study with so many labels; returns its id."""
    study_id = library.studies.add(Path("study.mp4"), frame_count=2 * labels).study_id
    made = [
        Add(Label(new_id(), study_id, Span(2 * at, 2 * at + 1), NAMES[at % 4], reader="reader")) for at in range(labels)
    ]
    library.annotations.edit(study_id, "fill", made)
    return study_id


class Timed(Kind):
    """A work whose kills are spread over the time that it takes when nobody disturbs it."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(folder, chance)
        self._seconds: float | None = None

    def some_time(self) -> Moment:
        """A moment within the work."""
        assert self._seconds is not None
        return Moment(0, self.chance.random() * self._seconds)


class Export(Timed):
    """`wce-desktop export`, now into an empty folder, now over an older export."""

    name = "export"

    def kill_once(self) -> None:
        """One export; each of its files is that of an undisturbed one, that of the older one, or not there."""
        if self._seconds is None:
            self._begin()
        older = self.chance.random() < 0.5
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        if older:
            shutil.copytree(self.folder / "older", out)
        moment = self.some_time()
        if self.chance.random() < 0.7:  # most of the time it reads; that is not what is of interest
            moment = Moment(1, self.chance.random() * self._writing_seconds)
        death = self.run(lambda say: self._export(out, say), moment)
        if not death.was_killed:
            return
        whole, before = _contents(self.folder / "whole"), _contents(self.folder / "older") if older else {}
        for name, wanted in whole.items():
            found = _contents(out).get(name)
            self.tally.compared += 1
            if found not in (wanted, before.get(name)):
                self.tally.different += 1
                self.problem(f"{name} is neither whole nor absent")
        self.tally.in_middle += any((out / name).is_file() != older for name in whole)
        again = run(lambda say: self._export(out, say), self._log)
        written = {name: content for name, content in _contents(out).items() if name in whole}
        if again.status != 0 or written != whole:
            self.problem("the next export is not whole")

    def _begin(self) -> None:
        with Library.open(self.folder / "library", "reader") as library:
            fill(library, LABELS // 4)
        first = run(lambda say: self._export(self.folder / "older", say), self._log)
        with Library.open(self.folder / "library", "reader") as library:
            fill(library)
        whole = run(lambda say: self._export(self.folder / "whole", say), self._log)
        if first.status or whole.status:
            raise RuntimeError(self._log.read_text(encoding="utf-8"))
        self._seconds = whole.seconds
        self._writing_seconds = float(whole.lines[1]) - float(whole.lines[0])

    def _export(self, out: Path, say: Say) -> None:
        """Run the command; says the time when the first file is about to be written, and when all are."""
        from wce_desktop.__main__ import main
        from wce_desktop.library.exchange import exporting

        written: Any = exporting  # a module whose function is replaced
        write_labels = written.write_labels

        def say_and_write(*arguments: Any) -> Any:
            say(str(time.monotonic()))
            return write_labels(*arguments)

        written.write_labels = say_and_write
        if main(["export", str(out), "--library", str(self.folder / "library")]) != 0:
            raise RuntimeError("the export failed")
        say(str(time.monotonic()))


class Backup(Timed):
    """Backups one after the other, after an edit each."""

    name = "backup"

    def kill_once(self) -> None:
        """Every backup that is there is whole: sound, with all the labels."""
        library = self.folder / "library"
        if self._seconds is None:
            with Library.open(library, "reader") as opened:
                fill(opened)
            self._seconds = max(0.2, run(lambda say: _back_up(library, 3), self._log).seconds)
        if not self.run(lambda say: _back_up(library, 1000), self.some_time()).was_killed:
            return
        for file in backup_file.list_backups(library):
            self.tally.compared += 1
            if (found := integrity.damage(file)) or _count(file, "labels") != LABELS:
                self.tally.different += 1
                self.problem(f"{file.name} is not whole: {found}")
        if found := damage(library):
            self.problem(f"the database is damaged: {found}")
        partial = list((library / "backups").glob("*.partial"))
        self.tally.in_middle += bool(partial)
        for file in partial:  # so that the next kill's are counted
            file.unlink()
        with Library.open(library, "reader") as opened:
            if len(opened.annotations.labels(opened.studies.all()[0].study_id)) != LABELS:
                self.problem("the library has lost labels")


class Migration(Timed):
    """A library of the first version of the tables, brought up to date."""

    name = "migration"

    def kill_once(self) -> None:
        """Done or undone, never by half; then the next start does it."""
        older, library = self.folder / "older", self.folder / "library"
        if self._seconds is None:
            write_first_version(older)
            shutil.copytree(older, library)
            self._seconds = run(lambda say: _open(library), self._log).seconds
        shutil.rmtree(library, ignore_errors=True)
        shutil.copytree(older, library)
        if not self.run(lambda say: _open(library), self.some_time()).was_killed:
            return
        if found := damage(library):
            self.problem(f"the database is damaged: {found}")
        version = _version(library / database.FILE_NAME)
        self.tally.in_middle += version == "0001"
        if version not in ("0001", revisions.REVISIONS[-1]) or _count(library / database.FILE_NAME, "labels") != LABELS:
            self.problem(f"the tables are those of {version}, or labels are missing")
        if version == "0001" and _has(library / database.FILE_NAME, "group_id"):
            self.problem("a migration was done by half")
        for file in backup_file.list_backups(library):
            if integrity.damage(file) or _count(file, "labels") != LABELS:
                self.problem(f"the backup {file.name} is not whole")
        self.tally.compared += 1
        with Library.open(library, "reader") as opened:
            is_same = len(opened.annotations.labels("S1")) == LABELS and opened.studies.get("S1").last_frame == 4
        if not is_same or _version(library / database.FILE_NAME) != revisions.REVISIONS[-1]:
            self.tally.different += 1
            self.problem("the next start did not bring the library up to date")


def _open(library: Path) -> None:
    Library.open(library, "reader").close()


def _back_up(library: Path, times: int) -> None:
    for _ in range(times):
        backups.backup(library, always=True)


def _contents(folder: Path) -> dict[str, bytes]:
    """The files of an export; not the record of what was written, which also names what earlier exports wrote."""
    files = (path for path in folder.iterdir() if path.name != RECORD) if folder.is_dir() else ()
    return {path.name: path.read_bytes() for path in files}


def _count(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as raw:
        return int(raw.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def _version(file: Path) -> str:
    with closing(sqlite3.connect(file)) as raw:
        return str(raw.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def _has(file: Path, column: str) -> bool:
    with closing(sqlite3.connect(file)) as raw:
        return column in [row[1] for row in raw.execute("PRAGMA table_info(edits)")]


def write_first_version(folder: Path, labels: int = LABELS) -> None:
    """A library as the first version of the program wrote it, with labels."""
    folder.mkdir()
    engine = database.connect(folder / database.FILE_NAME)
    definitions.upgrade(engine, "0001")
    study = "('S1', 'P1', 'old', 'a.mp4', '', 50000, 2.0, 'reading', 4, NULL, NULL, 'then')"
    with engine.execution_options(writes=True).begin() as connection:
        connection.exec_driver_sql("INSERT INTO patients VALUES ('P1', '', 'then')")
        connection.exec_driver_sql(f"INSERT INTO studies VALUES {study}")
        for at in range(labels):
            row = f"('L{at}', 'S1', {2 * at}, {2 * at + 1}, '{NAMES[at % 4]}', 'reader', NULL, 'r', NULL, '')"
            connection.exec_driver_sql(f"INSERT INTO labels VALUES {row}")
    engine.dispose()
