"""An encrypted library: nothing readable on disk, backups and migrations work, and no label is lost on the way."""

import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.errors import DamagedLibraryError
from wce_desktop.library.storage import encrypting, key_file, sqlite_file
from wce_desktop.library.storage.key_file import WrongPassphraseError

PASSPHRASE = "four quiet ' words"
SECRET = b"Confidential-Name"
HTML, PDF = b"<p>" + SECRET, b"%PDF " + SECRET
REPORT_FILES = 4
"""PDF and HTML page, and the copy of each beside the backups."""


@pytest.fixture(autouse=True)
def _no_keys_left() -> Iterator[None]:
    yield
    for folder in list(key_file._held):
        key_file.lock(folder)
    assert sqlite_file._keys == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A plain library with a study that has a secret name, a label, a signed report, and a backup."""
    place = tmp_path / "library"
    with Library.open(place, "reader") as library:
        study_id = library.studies.add(Path("a.mp4"), name=SECRET.decode()).study_id
        add_label(library, study_id, "L1")
        library.reports.keep(study_id, 1, html=HTML, pdf=PDF, reader="reader", acknowledged={})
    assert backups.backup(place, always=True) is not None
    return place


def add_label(library: Library, study_id: str, label_id: str) -> None:
    label = Label(
        label_id=label_id, study_id=study_id, span=Span(0, 5), name=label_id, source="reader", reader="reader"
    )
    library.annotations.edit(study_id, "Label", [Add(label)])


def labels_of(folder: Path) -> int:
    with Library.open(folder, "reader") as library:
        return sum(len(library.annotations.labels(study.study_id)) for study in library.studies.all())


def reports_of(folder: Path) -> list[tuple[bytes, bytes]]:
    with Library.open(folder, "reader") as library:
        signed = [one for study in library.studies.all() for one in library.reports.signed(study.study_id)]
        return [(one.read(".html"), one.read(".pdf")) for one in signed]


def readable(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and SECRET in path.read_bytes())


def test_nothing_of_the_database_can_be_read_and_the_passphrase_opens_it(folder: Path) -> None:
    assert readable(folder)
    seen: list[tuple[int, int]] = []
    assert encrypting.encrypt_library(folder, PASSPHRASE, lambda done, total: seen.append((done, total))) == []
    assert seen[-1][0] == seen[-1][1] == len(backup_file.list_backups(folder)) + REPORT_FILES
    assert readable(folder) == []
    key_file.lock(folder)
    assert key_file.is_locked(folder)
    with pytest.raises(DamagedLibraryError):
        Library.open(folder, "reader")
    with pytest.raises(WrongPassphraseError, match="not the passphrase"):
        key_file.unlock(folder, "another one")
    key_file.unlock(folder, PASSPHRASE)
    with Library.open(folder, "reader") as library:
        (study,) = library.studies.all()
        add_label(library, study.study_id, "L2")
        assert library.annotations.undo(study.study_id) is not None
        assert library.annotations.redo(study.study_id) is not None
        assert library.back_up() is not None
        assert readable(folder) == []  # with its log
    assert labels_of(folder) == 2
    assert [one.contents.labels for one in backups.listed_backups(folder)][-1] == 1


def test_an_encrypted_backup_is_restored_and_a_plain_one_is_encrypted_on_the_way(folder: Path, tmp_path: Path) -> None:
    plain = tmp_path / "library-plain.sqlite"
    plain.write_bytes(backup_file.list_backups(folder)[-1].read_bytes())
    encrypting.encrypt_library(folder, PASSPHRASE)
    (folder / "library.sqlite").write_bytes(os.urandom(9000))  # damaged: the backups still open
    for chosen in (None, plain):
        backups.restore_backup(folder, chosen)
        assert sqlite_file.is_encrypted(folder / "library.sqlite")
        assert labels_of(folder) == 1
    assert readable(folder) == []


def test_another_passphrase_opens_all_and_the_old_one_nothing(folder: Path) -> None:
    encrypting.encrypt_library(folder, PASSPHRASE)
    with pytest.raises(WrongPassphraseError):
        key_file.change(folder, "not the old", "a new passphrase")
    with pytest.raises(UserError, match="too short"):
        key_file.change(folder, PASSPHRASE, "short")
    key_file.change(folder, PASSPHRASE, "a new passphrase")
    key_file.lock(folder)
    with pytest.raises(WrongPassphraseError):
        key_file.unlock(folder, PASSPHRASE)
    (folder / key_file.NAME).unlink()  # its copy beside the backups is used
    key_file.unlock(folder, "a new passphrase")
    assert labels_of(folder) == 1
    assert (folder / key_file.NAME).exists()


def test_the_encryption_can_be_removed(folder: Path) -> None:
    encrypting.encrypt_library(folder, PASSPHRASE)
    assert encrypting.decrypt_library(folder) == []
    assert not key_file.is_protected(folder)
    assert not list(folder.rglob("*.key"))
    assert not list(folder.rglob("*.sealed"))
    assert reports_of(folder) == [(HTML, PDF)]
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw:
        assert raw.execute("SELECT COUNT(*) FROM labels").fetchone() == (1,)
    assert labels_of(folder) == 1


def test_a_copy_that_differs_is_not_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encrypting, "_has_same_rows", lambda *_: False)
    with pytest.raises(UserError, match="differs"):
        encrypting.encrypt_library(folder, PASSPHRASE)
    assert not list(folder.rglob("*.key"))
    assert not list(folder.rglob("*.converting*"))
    assert labels_of(folder) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
@pytest.mark.parametrize("kill_at", [5, 11, 13, 15, 17, 20, 21, 22, 28, 31, 33, 51])
def test_a_process_killed_while_encrypting_leaves_every_label_and_report(kill_at: int, folder: Path) -> None:
    kill(kill_at, lambda: encrypting.encrypt_library(folder, PASSPHRASE))
    if key_file.is_locked(folder):
        key_file.unlock(folder, PASSPHRASE)
    else:
        assert kill_at < 31, "the database is encrypted by then"
        assert sqlite_file.is_plain(folder / "library.sqlite")
        assert labels_of(folder) == 1
        assert reports_of(folder) == [(HTML, PDF)]
        encrypting.encrypt_library(folder, PASSPHRASE)
    assert labels_of(folder) == 1
    assert readable(folder) == []  # the rest was encrypted at opening
    assert reports_of(folder) == [(HTML, PDF)]
    assert len(list(folder.rglob("report-*"))) == REPORT_FILES
    assert not [path for part in ("converting", "partial") for path in folder.rglob(f"*.{part}*")]


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
@pytest.mark.parametrize("kill_at", [20, 26, 28, 60, 63])
def test_a_process_killed_while_decrypting_leaves_every_label_and_report(kill_at: int, folder: Path) -> None:
    encrypting.encrypt_library(folder, PASSPHRASE)
    kill(kill_at, lambda: encrypting.decrypt_library(folder))
    key_file.lock(folder)
    if key_file.is_locked(folder):
        assert kill_at < 75, "the database is plain by then"
        key_file.unlock(folder, PASSPHRASE)
        assert labels_of(folder) == 1
        assert readable(folder) == []  # it was encrypted again at opening
        assert reports_of(folder) == [(HTML, PDF)]
        encrypting.decrypt_library(folder)
    assert labels_of(folder) == 1
    assert reports_of(folder) == [(HTML, PDF)]
    assert not list(folder.rglob("*.sealed"))


def kill(kill_at: int, work: Callable[[], object]) -> None:
    """A process dies at the n-th moment at which a file is made, written, verified, flushed, replaced or removed."""
    child = os.fork()
    if child == 0:
        calls = iter(range(10_000))

        def watch(event: str, _: object) -> None:
            if (
                event in {"open", "os.rename", "os.remove", "sqlite3.connect", "os.chmod", "os.truncate"}
                and next(calls) == kill_at
            ):
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "it was not killed"
