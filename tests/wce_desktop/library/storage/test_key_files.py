"""Key files: kept as long as anything may be encrypted with their keys, and found by any passphrase that fits."""

import io
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.__main__ import main
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.storage import encrypting, key_file, sqlite_file
from wce_desktop.library.storage.key_file import EarlierPassphraseError, WrongPassphraseError

FIRST, SECOND = "four quiet words", "five other words here"


@pytest.fixture(autouse=True)
def _no_keys_left() -> Iterator[None]:
    yield
    lock_all()
    assert sqlite_file._keys == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A plain library with a study."""
    place = tmp_path / "library"
    with Library.open(place, "reader") as library:
        library.studies.add(Path("a.mp4"), study_id="S1", frame_count=1000)
    return place


def lock_all() -> None:
    for folder in list(key_file._held):
        key_file.lock(folder)


def label(folder: Path, start: int) -> None:
    with Library.open(folder, "reader") as library:
        library.annotations.edit(
            "S1", "Label", [Add(Label(f"L{start}", "S1", Span(start, start + 1), "polyp", reader="reader"))]
        )
        assert library.back_up() is not None


def labels_of(folder: Path) -> int:
    with Library.open(folder, "reader") as library:
        return len(library.annotations.labels("S1"))


def fail_once(monkeypatch: pytest.MonkeyPatch, call: str, part: str) -> None:
    """Let one call that changes a file fail, whose name contains a part, with an I/O error."""
    before = getattr(os, call)
    failed: list[str] = []

    def failing(path: object, *arguments: object, **options: object) -> object:
        name = str(Path(f"/proc/self/fd/{path}").readlink()) if isinstance(path, int) else str(path)
        if part in name and not failed:
            failed.append(name)
            raise OSError(5, "Input/output error", name)
        return before(path, *arguments, **options)

    monkeypatch.setattr(os, call, failing)


@pytest.fixture
def renewed(folder: Path) -> Path:
    """A library with the passphrase `SECOND`, one backup of which stayed encrypted with the key of `FIRST`."""
    encrypting.encrypt_library(folder, FIRST)
    label(folder, 1)
    stuck = backup_file.list_backups(folder)[-1]
    with pytest.MonkeyPatch.context() as patch:
        fail_once(patch, "fsync", f"{stuck.name}.converting")
        assert encrypting.decrypt_library(folder) == [stuck]
    label(folder, 3)
    lock_all()
    encrypting.encrypt_library(folder, SECOND)
    label(folder, 5)
    lock_all()
    assert sqlite_file.is_encrypted(stuck)
    return folder


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="files are known by /proc")
class TestAfterTheEncryptionWasRenewed:
    """A backup failed for a moment when the encryption was removed; then another passphrase was chosen."""

    def test_all_backups_restore(self, renewed: Path, tmp_path: Path) -> None:
        key_file.unlock(renewed, SECOND)
        rows = backups.listed_backups(renewed)
        assert [row.is_locked for row in rows].count(True) == 1
        restored = []
        for number, row in enumerate(rows):
            folder = Path(shutil.copytree(renewed, tmp_path / f"copy-{number}"))
            key_file.unlock(folder, SECOND)
            if row.is_locked:
                key_file.unlock_backup(folder, folder / "backups" / row.backup.path.name, FIRST)
            backups.restore_backup(folder, folder / "backups" / row.backup.path.name)
            lock_all()
            key_file.unlock(folder, SECOND)  # what was restored has the present key
            restored.append(labels_of(folder))
        assert sorted(restored) == [0, 1, 2, 3]
        assert restored[[row.is_locked for row in rows].index(True)] == 1

    def test_a_locked_backup_is_listed_and_kept(self, renewed: Path) -> None:
        key_file.unlock(renewed, SECOND)
        (row,) = [row for row in backups.listed_backups(renewed) if row.is_locked]
        assert row.counts == ("–", "–", "–")
        assert "needs an earlier passphrase" in row.line
        with pytest.raises(UserError, match="earlier passphrase"):
            backups.restore_backup(renewed, row.backup.path)
        with pytest.raises(WrongPassphraseError):
            key_file.unlock_backup(renewed, row.backup.path, "none of them")
        for _ in range(8):  # nobody knows what it holds: it may be the only one with all labels
            backups.backup(renewed, always=True)
        assert row.backup.path.exists()

    def test_the_command_asks_for_the_earlier_passphrase(
        self, renewed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{SECOND}\n"))
        assert main(["restore", "--library", str(renewed)]) == 0
        (line,) = [line for line in capsys.readouterr().out.splitlines() if "needs an earlier passphrase" in line]
        lock_all()
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{SECOND}\nwrong words\n"))
        assert main(["restore", "--library", str(renewed), "--backup", line.split()[0]]) == 1
        assert "not the passphrase" in capsys.readouterr().err
        lock_all()
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{SECOND}\n{FIRST}\n"))
        assert main(["restore", "--library", str(renewed), "--backup", line.split()[0]]) == 0
        assert labels_of(renewed) == 1

    def test_the_earlier_passphrase_opens_backups_and_not_the_library(self, renewed: Path) -> None:
        with pytest.raises(EarlierPassphraseError, match="earlier passphrase"):
            key_file.unlock(renewed, FIRST)
        assert key_file.is_locked(renewed)
        assert [row.contents.labels for row in backups.listed_backups(renewed) if not row.is_locked] == [1]

    def test_each_key_file_stays_when_the_encryption_is_removed_and_renewed_again(self, renewed: Path) -> None:
        key_file.unlock(renewed, SECOND)
        before = {path.read_bytes() for path in key_file.key_files_of(renewed)}
        encrypting.decrypt_library(renewed)
        encrypting.encrypt_library(renewed, "a third passphrase")
        assert before < {path.read_bytes() for path in key_file.key_files_of(renewed)}


def test_a_key_file_is_never_written_over(folder: Path) -> None:
    keys = [key_file.make(folder, passphrase) for passphrase in (FIRST, SECOND, FIRST)]
    for place in (folder, folder / "backups"):
        files = key_file.key_files(place)
        assert files[0].name == key_file.NAME
        assert [key_file.read(path, words) for path, words in zip(files, (FIRST, SECOND, FIRST), strict=True)] == [
            keys[2], keys[1], keys[0],
        ]  # fmt: skip


def test_copies_of_another_library_keep_their_key_file(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "copies"
    place.mkdir()
    for passphrase in (FIRST, SECOND):
        key_file.make(folder, passphrase)
        (folder / "library.key").replace(tmp_path / "library.key")
        for path in key_file.key_files(folder):
            path.unlink()
        (tmp_path / "library.key").replace(folder / "library.key")  # as a library that knows one key only
        key_file.copy_to(folder, place)
        key_file.copy_to(folder, place)
    present, earlier = key_file.key_files(place)
    assert key_file.read(present, SECOND)
    assert key_file.read(earlier, FIRST)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="files are known by /proc")
def test_a_failing_flush_of_the_encrypted_database_keeps_its_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is flushed when the database is in place already."""
    label(folder, 1)
    real, seen = os.fsync, []

    def failing(number: int) -> None:
        name = str(Path(f"/proc/self/fd/{number}").readlink())
        if name == str(folder) and sqlite_file.is_encrypted(folder / "library.sqlite"):
            seen.append(name)
            raise OSError(5, "Input/output error")
        real(number)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(UserError, match="encrypting failed"):
            encrypting.encrypt_library(folder, FIRST)
    assert seen
    lock_all()
    key_file.unlock(folder, FIRST)
    assert labels_of(folder) == 1


@pytest.mark.parametrize("call", ["replace", "rename"])
def test_a_failing_rename_while_restoring_leaves_the_library(
    call: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    label(folder, 1)
    label(folder, 3)
    real = getattr(os, call)

    def failing(source: object, target: object, **options: object) -> None:
        if Path(str(target)).name == "library.sqlite":
            raise OSError(5, "Input/output error")
        real(source, target, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing)
        if call == "replace":
            with pytest.raises(UserError, match="restoring a backup failed"):
                backups.restore_backup(folder, backup_file.list_backups(folder)[0])
            assert labels_of(folder) == 2
    backups.restore_backup(folder, backup_file.databases_aside(folder)[0] if call == "replace" else None)
    assert labels_of(folder) == 2


def test_a_replaced_database_is_offered_and_can_be_restored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    label(folder, 1)
    with Library.open(folder, "reader") as library:
        library.annotations.edit("S1", "Label", [Add(Label("L9", "S1", Span(9, 10), "polyp", reader="reader"))])
    backups.restore_backup(folder)
    assert labels_of(folder) == 1
    (folder / "library.sqlite").unlink()
    assert main(["restore", "--library", str(folder)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "replaced database" in line]
    assert main(["restore", "--library", str(folder), "--backup", line.split()[0]]) == 0
    assert labels_of(folder) == 2


def test_a_backup_of_a_newer_version_is_refused_and_the_library_stays(folder: Path) -> None:
    label(folder, 1)
    newer = backup_file.list_backups(folder)[-1]
    with closing(sqlite_file.open_file(newer)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
        raw.commit()
    assert backup_file.last_backup(folder) != newer
    with pytest.raises(UserError, match="newer version"):
        backups.restore_backup(folder, newer)
    assert labels_of(folder) == 1
    assert [row.note for row in backups.listed_backups(folder) if row.backup.path == newer] == [
        "newest, most labels, of a newer version"
    ]


def test_where_the_new_passphrase_cannot_be_written_the_old_one_is_valid(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encrypting.encrypt_library(folder, FIRST)
    for place, valid, sentence in ((folder / "backups", FIRST, "old one"), (folder, FIRST, "old one")):
        with monkeypatch.context() as patch:
            fail_once(patch, "replace", f"{place}/library.key.partial")
            with pytest.raises(UserError, match=sentence):
                key_file.change(folder, valid, SECOND)
        lock_all()
        with pytest.raises(WrongPassphraseError):
            key_file.unlock(folder, SECOND)
        key_file.unlock(folder, valid)
        assert labels_of(folder) == 0
