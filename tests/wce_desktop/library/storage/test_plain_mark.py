"""A plain database in the place of an encrypted one is noticed."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.wce_desktop.library.storage.test_encrypting import PASSPHRASE, labels_of
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.library.errors import ReplacedDatabaseError
from wce_desktop.library.storage import encrypting, key_file, sqlite_file
from wce_desktop.library.storage.opening import start_empty
from wce_desktop.shell.cli.exchange_cli import main as exchange
from wce_desktop.shell.cli.restore_cli import main as restore


@pytest.fixture(autouse=True)
def _no_keys_left() -> Iterator[None]:
    yield
    for folder in list(key_file._held):
        key_file.lock(folder)


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory, empty_library: Path) -> tuple[Path, bytes]:
    """An encrypted library, made once, and its database before it was encrypted."""
    folder = Path(shutil.copytree(empty_library, tmp_path_factory.mktemp("encrypted") / "library"))
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4"), name="study").study_id
        library.reports.keep(study_id, 1, html=b"<p>", pdf=b"%PDF", reader="reader", acknowledged={})
    backups.backup(folder, always=True)
    content = (folder / "library.sqlite").read_bytes()
    encrypting.encrypt_library(folder, PASSPHRASE)
    key_file.lock(folder)
    return folder, content


@pytest.fixture
def plain(folder: Path, encrypted: tuple[Path, bytes]) -> bytes:
    """The library is a copy of it; returns the plain database."""
    shutil.rmtree(folder)
    shutil.copytree(encrypted[0], folder)
    return encrypted[1]


def replace_database(folder: Path, content: bytes) -> None:
    for suffix in ("-wal", "-shm"):
        (folder / f"library.sqlite{suffix}").unlink(missing_ok=True)
    (folder / "library.sqlite").write_bytes(content)


def remove(folder: Path, *signs: str) -> None:
    """Take signs of the encryption away."""
    for sign in signs:
        for path in folder.rglob(sign):
            path.unlink()


@pytest.mark.parametrize(
    "gone",
    [
        (),
        ("library.key",),
        ("library.key", "*.sealed"),
        ("library.key", "library-*.sqlite"),
        ("*.sealed", "library-*.sqlite"),
    ],
)
def test_a_plain_database_of_the_same_library_is_not_opened(
    folder: Path, plain: bytes, gone: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    remove(folder, *gone)
    replace_database(folder, plain)
    with pytest.raises(ReplacedDatabaseError, match="its database is not"):
        Library.open(folder, "reader")
    if "library.key" in gone:  # else the passphrase is asked first
        assert exchange(["export", str(folder / "out"), "--library", str(folder)]) == 1
        assert "its database is not" in capsys.readouterr().err
    assert (folder / "library.sqlite").read_bytes() == plain


def test_one_of_another_library_is_not_opened_nor_one_that_was_plain_once(
    folder: Path, plain: bytes, tmp_path: Path, empty_library: Path
) -> None:
    replace_database(folder, (empty_library / "library.sqlite").read_bytes())
    with pytest.raises(ReplacedDatabaseError):
        Library.open(folder, "reader")
    replace_database(folder, plain)
    encrypting.allow_plain(folder)
    with Library.open(folder, "reader"):
        pass
    encrypting.encrypt_library(folder, PASSPHRASE)  # plain for a while, encrypted again
    key_file.lock(folder)
    replace_database(folder, plain)
    with pytest.raises(ReplacedDatabaseError):
        Library.open(folder, "reader")


def test_the_passphrase_is_asked_and_the_newest_backup_comes_back_encrypted(
    folder: Path, plain: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_database(folder, plain)
    assert key_file.is_locked(folder)
    key_file.unlock(folder, PASSPHRASE)
    with pytest.raises(ReplacedDatabaseError) as caught:
        Library.open(folder, "reader")
    assert caught.value.last_backup is not None
    backups.restore_backup(folder, caught.value.last_backup)
    assert sqlite_file.is_encrypted(folder / "library.sqlite")
    assert labels_of(folder) == 0


def test_it_is_kept_on_demand_and_stays_plain(folder: Path, plain: bytes) -> None:
    replace_database(folder, plain)
    assert restore(["restore", "--keep", "--library", str(folder)]) == 0
    for _ in range(2):
        with Library.open(folder, "reader") as library:
            assert len(library.studies.all()) == 1
    assert sqlite_file.is_plain(folder / "library.sqlite")


def test_a_library_with_a_file_that_cannot_be_decrypted_opens_plain(folder: Path, plain: bytes) -> None:
    key_file.unlock(folder, PASSPHRASE)
    (damaged,) = backup_file.list_backups(folder)[:1]
    damaged.write_bytes(os.urandom(len(plain)))
    assert damaged in encrypting.decrypt_library(folder)
    assert key_file.key_files(folder), "its key is kept for that file"
    with Library.open(folder, "reader") as library:
        assert len(library.studies.all()) == 1


def test_the_mark_goes_when_the_database_is_encrypted(folder: Path, plain: bytes) -> None:
    encrypting.allow_plain(folder)  # by a process that was killed before it removed it
    key_file.unlock(folder, PASSPHRASE)
    Library.open(folder, "reader").close()
    replace_database(folder, plain)
    with pytest.raises(ReplacedDatabaseError):
        Library.open(folder, "reader")


def test_an_empty_library_can_be_started_in_the_place_of_an_encrypted_one(folder: Path, plain: bytes) -> None:
    key_file.unlock(folder, PASSPHRASE)
    start_empty(folder)
    assert sqlite_file.is_encrypted(folder / "library.sqlite")
    assert labels_of(folder) == 0


@pytest.mark.parametrize("content", [b"\xa5" * 40_000, b"", b"text " * 4000, bytes(range(256)) * 2])
def test_a_damaged_backup_of_a_plain_library_is_no_sign_of_encryption(folder: Path, content: bytes) -> None:
    with Library.open(folder, "reader") as library:
        made = library.back_up()
    assert made is not None
    made.write_bytes(content)
    Library.open(folder, "reader").close()


def test_a_plain_library_opens_wherever_it_is_copied(folder: Path, tmp_path: Path) -> None:
    Library.open(folder, "reader").close()
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    Library.open(other, "reader").close()
    with closing(sqlite3.connect(other / "library.sqlite")) as raw:
        assert raw.execute("SELECT COUNT(*) FROM studies").fetchone() == (0,)
