"""A file in one of two forms: either is read and checked, and neither is deleted before the other is whole."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from wce_desktop.library.storage import sealing, sqlite_file
from wce_desktop.library.storage.sealing import AlteredError, CannotUnsealError

KEY, OTHER_KEY = "1a" * 32, "2b" * 32
CONTENT = b"%PDF of Confidential-Name" * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def _with_key() -> Iterator[None]:
    sqlite_file.hold_key(KEY)
    yield
    for key in (KEY, OTHER_KEY):
        sqlite_file.forget_key(key)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study" / "report-1.pdf"


def names(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


@pytest.mark.parametrize("content", [CONTENT, b"", b"\0"])
def test_a_sealed_file_can_be_read_with_the_key_only(path: Path, content: bytes) -> None:
    sha256 = hashlib.sha256(content).hexdigest()
    sealing.write(path, content, KEY)
    assert names(path) == ["report-1.pdf.sealed"]
    assert sealing.is_there(path)
    assert sealing.read(path, sha256) == content
    assert b"Confidential" not in sealing.sealed(path).read_bytes()
    sqlite_file.forget_key(KEY)
    with pytest.raises(CannotUnsealError):
        sealing.read(path, sha256)
    sqlite_file.hold_key(OTHER_KEY)
    with pytest.raises(CannotUnsealError):
        sealing.read(path, sha256)


def test_a_new_form_takes_the_place_of_the_other(path: Path) -> None:
    for key, name in ((KEY, "report-1.pdf.sealed"), ("", "report-1.pdf"), (KEY, "report-1.pdf.sealed")):
        sealing.write(path, CONTENT, key)
        assert names(path) == [name]
        assert sealing.read(path, SHA256) == CONTENT
    sealing.convert(path, "")
    assert path.read_bytes() == CONTENT
    assert names(path) == ["report-1.pdf"]
    sealing.convert(path, "")
    sealing.convert(path, KEY, SHA256)
    sealing.convert(path, KEY, SHA256)
    assert names(path) == ["report-1.pdf.sealed"]


def test_what_is_missing_altered_or_damaged_is_told_apart(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sealing.read(path, SHA256)
    sealing.write(path, b"another report", KEY)
    with pytest.raises(AlteredError):
        sealing.read(path, SHA256)
    sealing.write(path, CONTENT, KEY)
    sealed = sealing.sealed(path)
    whole = sealed.read_bytes()
    for damaged in (whole[:5000], whole[:9000] + bytes([whole[9000] ^ 1]) + whole[9001:], b"", b"no database" * 900):
        sealed.write_bytes(damaged)
        with pytest.raises(CannotUnsealError):
            sealing.read(path, SHA256)
        with pytest.raises(CannotUnsealError):
            sealing.convert(path, "")
        assert sealed.read_bytes() == damaged
        assert not path.exists()


def test_of_two_forms_the_one_with_the_checksum_counts(path: Path) -> None:
    sealing.write(path, CONTENT, KEY)
    path.write_bytes(b"altered")
    assert sealing.read(path, SHA256) == CONTENT
    sealing.convert(path, KEY, SHA256)
    assert names(path) == ["report-1.pdf.sealed"]
    assert sealing.read(path, SHA256) == CONTENT
    sealing.write(path, b"altered", KEY)
    path.write_bytes(CONTENT)
    assert sealing.read(path, SHA256) == CONTENT
    sealing.convert(path, KEY, SHA256)
    assert sealing.read(path, SHA256) == CONTENT
    sealing.sealed(path).write_bytes(b"damaged")
    path.write_bytes(CONTENT)
    sealing.convert(path, "", SHA256)
    assert names(path) == ["report-1.pdf"]


def test_a_form_that_differs_from_what_was_written_is_not_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealing.write(path, CONTENT, "")
    monkeypatch.setattr(sealing, "_unsealed", lambda _: b"something else")
    with pytest.raises(OSError, match="differs"):
        sealing.convert(path, KEY, SHA256)
    assert names(path) == ["report-1.pdf"]
    assert path.read_bytes() == CONTENT


def test_a_full_disk_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealing.write(path, CONTENT, "")
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"

    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(sealing, "open_with_key", full)
    with pytest.raises(OSError, match="No space left"):
        sealing.convert(path, KEY, SHA256)
    assert names(path) == ["report-1.pdf"]


def test_files_below_a_folder_are_named_once_and_remains_can_be_removed(path: Path) -> None:
    sealing.write(path, CONTENT, KEY)
    path.write_bytes(CONTENT)
    for left in (".report-2.pdf.sealed.partial", ".report-2.pdf.partial-17-18"):
        (path.parent / left).write_bytes(CONTENT[:100])
    assert sealing.files_below(path.parents[1]) == [path]
    sealing.remove_partials(path.parents[1])
    assert names(path) == ["report-1.pdf", "report-1.pdf.sealed"]
    assert sealing.files_below(path / "no folder") == []


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps permissions in another way")
def test_both_forms_are_their_owners_only(path: Path) -> None:
    for key in (KEY, ""):
        sealing.write(path, CONTENT, key)
        form = sealing.sealed(path) if key else path
        assert form.stat().st_mode & 0o077 == 0
        assert form.parent.stat().st_mode & 0o077 == 0
