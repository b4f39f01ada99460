"""The keys with which readers sign on this computer: one pair for each reader's name, in this account's own folder.

The private key is kept in the system's key store where there is one, else in a file: encrypted with a passphrase, or,
without one, protected by the file's permissions only. It never enters a library, an export or a log.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import platformdirs

from training.errors import UserError
from training.files.json_text import read_json_object
from wce_desktop.library.errors import OnDiskError
from wce_desktop.library.evidence.signature import Signer, fingerprint
from wce_desktop.library.storage.key_file import check as check_passphrase
from wce_desktop.library.storage.key_store import KeyStore, system_key_store
from wce_desktop.library.storage.private import make_private_file, replacing
from wce_desktop.session.places import APP_NAME

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SERVICE = "wce-desktop signature"
"""Under which the system's key store lists the keys."""
Protection = Literal["key store", "passphrase", "permissions"]


@dataclass(frozen=True, slots=True)
class KeyState:
    """The key of a reader, and what protects its private part."""

    public_key: str
    protection: Protection

    @property
    def fingerprint(self) -> str:
        """By which people compare keys."""
        return fingerprint(self.public_key)


class WrongKeyPassphraseError(UserError):
    """The passphrase is not that of the key."""


class SignatureKeys:
    """The keys in a folder.

    Args:
        folder: of this account; made when the first key is.
        find_store: finds the system's key store, or None where there is none. It is asked only when a key is needed,
            since services of the system can be slow to answer.
    """

    def __init__(self, folder: Path, find_store: Callable[[], KeyStore | None]) -> None:
        self._folder, self._find_store = folder, find_store

    def state(self, reader: str) -> KeyState | None:
        """The key of a reader; None where none was made yet.

        Raises:
            UserError: its file cannot be read.
        """
        path = self._path(reader)
        if not path.exists():
            return None
        values = read_json_object(path, "signature key")
        public_key, protection = values.get("public_key"), values.get("protection")
        if not isinstance(public_key, str) or protection not in ("key store", "passphrase", "permissions"):
            raise self._damaged(path)
        return KeyState(public_key, protection)

    def signer(self, reader: str, passphrase: str = "") -> Signer:
        """What signs for a reader; the key is made where there is none.

        Raises:
            WrongKeyPassphraseError: the passphrase is not that of the key.
            UserError: the key cannot be read or written. No other one is made then.
        """
        return Signer(self._private_key(reader, passphrase))

    def protect(self, reader: str, old: str, new: str) -> None:
        """Encrypt the private key with another passphrase; it leaves the system's key store.

        Raises:
            WrongKeyPassphraseError: the old passphrase is not that of the key.
            UserError: the new one is too short, or the file cannot be written.
        """
        check_passphrase(new)
        key = self._private_key(reader, old)
        self._write(reader, key, "passphrase", _pem(key, new))
        if (store := self._find_store()) is not None:
            with contextlib.suppress(Exception):  # it is not there
                store.delete_password(SERVICE, _name(reader))

    def renew(self, reader: str) -> None:
        """Make another key for a reader. The file of the old one is kept.

        Raises:
            UserError: it cannot be written.
        """
        path = self._path(reader)
        number = 1
        while (aside := path.with_suffix(f".replaced-{number}.json")).exists():
            number += 1
        if path.exists():
            with self._writing():
                make_private_file(aside)
                aside.write_bytes(path.read_bytes())
        self._make(reader)

    def _private_key(self, reader: str, passphrase: str) -> Ed25519PrivateKey:
        state = self.state(reader)
        if state is None:
            return self._in_store(reader) or self._make(reader)
        key = self._in_store(reader) if state.protection == "key store" else self._in_file(reader, passphrase)
        if key is None:
            raise UserError(
                "The signature key of {reader} is not in the system's key store.",
                "Unlock the key store and try again, or make a new key (Key…).",
                reader,
            )
        if Signer(key).public_key != state.public_key:
            raise self._damaged(self._path(reader))
        return key

    def _in_store(self, reader: str) -> Ed25519PrivateKey | None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        store = self._find_store()
        try:
            held = store.get_password(SERVICE, _name(reader)) if store is not None else None
            if held is None:
                return None
            key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(held, validate=True))
        except Exception as error:  # whatever the system's store raises
            raise UserError(
                "The system's key store does not give the signature key of {reader}.",
                "Unlock it and try again.",
                reader,
            ) from error
        if not self._path(reader).exists():
            self._write(reader, key, "key store", None)
        return key

    def _in_file(self, reader: str, passphrase: str) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        path = self._path(reader)
        values = read_json_object(path, "signature key")
        is_protected = values.get("protection") == "passphrase"
        try:
            pem = str(values.get("private_key")).encode()
            key = load_pem_private_key(pem, passphrase.encode() if is_protected else None)
        except (ValueError, TypeError) as error:
            if is_protected:
                raise WrongKeyPassphraseError(
                    "This is not the passphrase of the signature key of {reader}.",
                    "Check the keyboard's language and Caps Lock; try again.",
                    reader,
                ) from error
            raise self._damaged(path) from error
        if not isinstance(key, Ed25519PrivateKey):
            raise self._damaged(path)
        return key

    def _make(self, reader: str) -> Ed25519PrivateKey:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        key, store = Ed25519PrivateKey.generate(), self._find_store()
        secret, is_held = base64.b64encode(key.private_bytes_raw()).decode(), False
        if store is not None:
            with contextlib.suppress(Exception):  # whatever the system's store raises: the key is kept in a file then
                store.set_password(SERVICE, _name(reader), secret)
                is_held = store.get_password(SERVICE, _name(reader)) == secret
        if is_held:
            self._write(reader, key, "key store", None)
        else:
            self._write(reader, key, "permissions", _pem(key, ""))
        return key

    def _write(self, reader: str, key: Ed25519PrivateKey, protection: Protection, pem: str | None) -> None:
        path = self._path(reader)
        values = {"reader": reader, "public_key": Signer(key).public_key, "protection": protection, "private_key": pem}
        with self._writing():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(path, path.with_name(f"{path.name}.partial-{os.getpid()}")) as beside:
                beside.write_text(json.dumps(values, indent=2), encoding="utf-8")

    def _writing(self) -> OnDiskError:
        return OnDiskError(
            "The signature key cannot be written into {folder} ({why}).",
            "Free some disk space, or check the folder's permissions.",
            self._folder,
        )

    def _path(self, reader: str) -> Path:
        return self._folder / f"{_name(reader)}.json"

    def _damaged(self, path: Path) -> UserError:
        return UserError(
            "The file of the signature key is damaged: {path}.",
            "Restore it from a copy of your files, or make a new key (Key…).",
            path,
        )


def account_keys() -> SignatureKeys:
    """The keys of this computer's account."""
    folder = Path(platformdirs.user_data_dir(APP_NAME, appauthor=False)) / "signature-keys"
    return SignatureKeys(folder, system_key_store)


def _name(reader: str) -> str:
    """Of a reader's key: no file name is longer or has other characters."""
    return hashlib.sha256(reader.encode()).hexdigest()[:32]


def _pem(key: Ed25519PrivateKey, passphrase: str) -> str:
    from cryptography.hazmat.primitives import serialization

    encryption = (
        serialization.BestAvailableEncryption(passphrase.encode()) if passphrase else serialization.NoEncryption()
    )
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)
    return key.private_bytes(*form).decode()
