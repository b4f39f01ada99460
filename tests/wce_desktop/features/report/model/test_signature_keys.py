"""Signature keys of this computer's account: where they are kept, and that none is lost silently."""

import os
from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.features.report.model.signature_keys import (
    SERVICE,
    SignatureKeys,
    WrongKeyPassphraseError,
)
from wce_desktop.library.evidence.signature import Signed
from wce_desktop.library.storage.key_store import KeyStore, system_key_store

READER = "Dr Smith"
PASSPHRASE = "four quiet words"


class Memory:
    """A key store in memory; `is_locked` makes it refuse."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check()
        del self.held[service, username]

    def _check(self) -> None:
        if self.is_locked:
            raise RuntimeError("locked")


def keys(folder: Path, store: KeyStore | None = None) -> SignatureKeys:
    return SignatureKeys(folder / "keys", lambda: store)


def test_without_a_key_store_a_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    assert keys(tmp_path).state(READER) is None
    signer = keys(tmp_path).signer(READER)
    assert keys(tmp_path).signer(READER).public_key == signer.public_key
    state = keys(tmp_path).state(READER)
    assert state is not None
    assert (state.fingerprint, state.protection) == (signer.fingerprint, "permissions")
    assert keys(tmp_path).signer("Dr Jones").public_key != signer.public_key
    if os.name == "posix":
        assert {path.stat().st_mode & 0o077 for path in (tmp_path / "keys").iterdir()} == {0}
    assert Signed("{}", signer.public_key, signer.sign("{}")).fits
    assert not Signed("{} ", signer.public_key, signer.sign("{}")).fits


def test_a_key_store_keeps_the_private_key_out_of_the_file(tmp_path: Path) -> None:
    store = Memory()
    signer = keys(tmp_path, store).signer(READER)
    assert keys(tmp_path, store).signer(READER).public_key == signer.public_key
    ((service, _), secret) = next(iter(store.held.items()))
    assert service == SERVICE
    (path,) = (tmp_path / "keys").iterdir()
    assert secret not in path.read_text()
    assert "PRIVATE" not in path.read_text()
    path.unlink()
    assert keys(tmp_path, store).signer(READER).public_key == signer.public_key, "the store still has it"


def test_a_key_store_that_is_locked_or_empty_makes_no_other_key(tmp_path: Path) -> None:
    store = Memory()
    signer = keys(tmp_path, store).signer(READER)
    store.is_locked = True
    with pytest.raises(UserError, match="key store does not give"):
        keys(tmp_path, store).signer(READER)
    store.is_locked = False
    held, store.held = store.held, {}
    with pytest.raises(UserError, match="is not in the system's key store"):
        keys(tmp_path, store).signer(READER)
    with pytest.raises(UserError, match="is not in the system's key store"):
        keys(tmp_path).signer(READER)
    store.held = held
    assert keys(tmp_path, store).signer(READER).public_key == signer.public_key


def test_a_key_store_that_cannot_write_leaves_the_key_in_a_file_and_says_so(tmp_path: Path) -> None:
    class Refusing(Memory):
        def set_password(self, service: str, username: str, password: str) -> None:
            raise RuntimeError("no")

    signer = keys(tmp_path, Refusing()).signer(READER)
    state = keys(tmp_path, Refusing()).state(READER)
    assert state is not None
    assert state.protection == "permissions"
    assert keys(tmp_path, Refusing()).signer(READER).public_key == signer.public_key


@pytest.mark.parametrize("has_store", [False, True])
def test_a_passphrase_encrypts_the_key(tmp_path: Path, has_store: bool) -> None:
    store = Memory() if has_store else None
    signer = keys(tmp_path, store).signer(READER)
    keys(tmp_path, store).protect(READER, "", PASSPHRASE)
    state = keys(tmp_path, store).state(READER)
    assert state is not None
    assert state.protection == "passphrase"
    assert store is None or store.held == {}
    (path,) = (tmp_path / "keys").iterdir()
    assert "BEGIN ENCRYPTED PRIVATE KEY" in path.read_text()
    for wrong in ("", "another passphrase"):
        with pytest.raises(WrongKeyPassphraseError, match="not the passphrase"):
            keys(tmp_path, store).signer(READER, wrong)
        with pytest.raises(WrongKeyPassphraseError):
            keys(tmp_path, store).protect(READER, wrong, "a third passphrase")
    assert keys(tmp_path, store).signer(READER, PASSPHRASE).public_key == signer.public_key
    keys(tmp_path, store).protect(READER, PASSPHRASE, "a third passphrase")
    assert keys(tmp_path, store).signer(READER, "a third passphrase").public_key == signer.public_key
    with pytest.raises(UserError, match="too short"):
        keys(tmp_path, store).protect(READER, "a third passphrase", "short")


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"public_key": "x", "protection": "permissions"}'])
def test_a_damaged_file_is_said_and_stays(tmp_path: Path, content: str) -> None:
    keys(tmp_path).signer(READER)
    (path,) = (tmp_path / "keys").iterdir()
    path.write_text(content)
    with pytest.raises(UserError):
        keys(tmp_path).signer(READER)
    assert path.read_text() == content


def test_a_new_key_keeps_the_file_of_the_old_one(tmp_path: Path) -> None:
    old = keys(tmp_path).signer(READER)
    for _ in range(2):
        keys(tmp_path).renew(READER)
    assert keys(tmp_path).signer(READER).public_key != old.public_key
    kept = sorted((tmp_path / "keys").glob("*.replaced-*.json"))
    assert len(kept) == 2
    assert old.public_key in kept[0].read_text()
    if os.name == "posix":
        assert {path.stat().st_mode & 0o077 for path in kept} == {0}


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("a file where the folder belongs")
    with pytest.raises(UserError, match="signature key cannot be written"):
        keys(tmp_path).signer(READER)


def test_tests_never_reach_the_key_store_of_this_computer() -> None:
    assert system_key_store() is None
