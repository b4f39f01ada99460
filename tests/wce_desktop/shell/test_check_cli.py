"""`wce-desktop check` as somebody at a shell meets it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.wce_desktop.sessions import write_model
from tests.wce_desktop.tampering import tampered
from wce_desktop.__main__ import main
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, copies
from wce_desktop.session.settings import Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library with a study, ten labels and a backup that is copied to a disk."""
    folder = tmp_path / "library"
    with Library.open(folder, "reader") as library:
        (tmp_path / "video.mp4").touch()
        library.studies.add(tmp_path / "video.mp4", study_id="S1", frame_count=100)
        library.models.register(write_model(tmp_path / "source", "m1"), title="Model 1")
        label(library, range(10))
        library.back_up()
    (tmp_path / "disk").mkdir()
    Settings(folder / "settings.json").set("copies_folder", str(tmp_path / "disk"))
    copies.copy_newest(folder, tmp_path / "disk")
    return folder


def label(library: Library, frames: range) -> None:
    for start in frames:
        span = Span(start, start + 1)
        library.annotations.edit("S1", "a", [Add(Label(new_id(), "S1", span, "polyp", reader="reader"))])


def check(folder: Path) -> int:
    return main(["check", "--library", str(folder)])


def test_a_sound_library_has_no_problems(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder) == 0
    assert capsys.readouterr().out.endswith("parts checked, 0 problems.\n")


def test_a_changed_line_of_the_audit_log_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tampered(folder) as raw:
        raw.execute("UPDATE audit SET reader = 'somebody else' WHERE audit_id = 4")
    assert check(folder) == 1
    assert "The log breaks at line 4" in capsys.readouterr().out


def test_a_log_that_was_cut_shows_by_the_copy_in_another_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody puts an older database in the place of the library, and deletes its backups."""
    older = folder.parent / "older"
    with Library.open(older, "reader") as library:
        library.studies.add(folder.parent / "video.mp4", study_id="S1", frame_count=100)
    identity = sqlite3.connect(folder / "library.sqlite").execute("SELECT value FROM meta WHERE key = 'library_id'")
    with closing(sqlite3.connect(older / "library.sqlite")) as raw, raw:
        raw.execute("UPDATE meta SET value = ? WHERE key = 'library_id'", identity.fetchone())
    shutil.copy(older / "library.sqlite", folder / "library.sqlite")
    for path in backup_file.list_backups(folder):
        path.unlink()
    assert check(folder) == 1
    assert "is shorter than that of the copy of" in capsys.readouterr().out


def test_copies_from_before_a_restore_are_a_note(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An older copy was restored: the later ones belong to another course of things."""
    with Library.open(folder, "reader") as library:
        label(library, range(20, 23))
        library.back_up()
    copies.copy_newest(folder, folder.parent / "disk")
    first = copies.copies(folder, folder.parent / "disk")[0]
    options = ["--from", str(folder.parent / "disk"), "--backup", first.path.name]
    assert main(["restore", "--library", str(folder), *options]) == 0
    with Library.open(folder, "reader") as library:
        label(library, range(30, 50))
    capsys.readouterr()
    assert check(folder) == 0
    assert "an older backup was restored" in capsys.readouterr().out


def test_a_folder_without_a_library_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path) == 1
    assert "There is no library" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
