"""Brings a library back from a folder of copies: database, key file, signed reports, models and settings.

Nothing but the folder is needed, and for an encrypted copy the passphrase that the library had when it was made, or a
later one that opens the same key.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.files.json_text import read_json_object
from training.texts import Text
from wce_desktop.library.backup import backup_file, backups, signed_reports
from wce_desktop.library.backup.copies import NOTE, PREFIX, copies_in, copy_missing, key_beside
from wce_desktop.library.errors import OnDiskError
from wce_desktop.library.storage import key_file
from wce_desktop.library.storage.database import FILE_NAME
from wce_desktop.library.storage.integrity import damage, is_blank
from wce_desktop.library.storage.sqlite_file import forget_key, hold_key, is_encrypted, key_of


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that can be restored.

    Args:
        contents: what it holds; None as long as it is locked.
        library: the folder in which its library lay; empty where that is not known.
    """

    backup: backup_file.Backup
    contents: backup_file.Contents | None
    library: str

    @property
    def path(self) -> Path:
        """The file of the database."""
        return self.backup.path


def find_copies(folder: Path) -> list[Copy]:
    """The copies in a folder, the newest of each library first.

    Args:
        folder: the one that was chosen for copies, one inside it, or a library with its backups.

    Raises:
        UserError: there are none, or it cannot be read.
    """
    with OnDiskError(
        "The folder {folder} cannot be read ({why}).", "Connect its disk, or choose another folder.", folder
    ):
        places = [folder, folder / "backups", *sorted(folder.glob(f"{PREFIX}*"))]
        rows = [
            Copy(backup, backup_file.contents_of(backup.path), _library_of(place))
            for place in places
            for backup in _backups_in(place)
        ]
    copies = []
    for copy in rows:
        with suppress(OSError):
            if copy.contents is not None or is_encrypted(copy.path):  # not what is damaged
                copies.append(copy)
    if not copies:
        raise UserError(
            "There are no copies of a library in {folder}.",
            "Choose the folder that was chosen for copies of backups, or one inside it.",
            folder,
        )
    return copies


def _backups_in(place: Path) -> list[backup_file.Backup]:
    """The copies in a folder, the newest first, then databases to which a person gave another name."""
    numbered = copies_in(place)[::-1]
    known = {FILE_NAME, *(copy.path.name for copy in numbered)}
    named = [path for path in sorted(place.glob("*.sqlite")) if path.name not in known and path.is_file()]
    return [*numbered, *map(backup_file.Backup.at, named)]


def _library_of(place: Path) -> str:
    if place.name == "backups":
        return str(place.parent)
    try:
        return str(read_json_object(place / NOTE).get("folder", ""))
    except (OSError, ValueError, UserError, json.JSONDecodeError):
        return ""


class Recovery:
    """Restores one copy. Keys that its passphrases open are held until `close`."""

    def __init__(self, copy: Path) -> None:
        self.copy = copy
        self.missing_reports = 0
        """How many files of signed reports were not restored: they are damaged, missing, or locked."""
        self._files: dict[str, Path] = {}
        """The keys that were opened here, and their files."""

    @property
    def is_locked(self) -> bool:
        """Whether the copy is encrypted and needs a passphrase."""
        return is_encrypted(self.copy) and not key_of(self.copy)

    def locked_reports(self) -> int:
        """How many files of signed reports were encrypted with a key that is not held."""
        place = self.copy.parent
        return sum(
            signed_reports.has_sealed_form(place, path) and signed_reports.copied_report(place, path, sha256) is None
            for path, sha256 in signed_reports.signed_files(self.copy)
        )

    def unlock(self, passphrase: str) -> None:
        """Open the key files beside the copy.

        Raises:
            WrongPassphraseError: it opens none of them, or none that opens the copy.
            UserError: there is no key file.
        """
        self._open_keys(passphrase)
        if self.is_locked:
            raise key_file.WrongPassphraseError(
                "This passphrase opens another copy in this folder, but not this one.",
                "Enter the passphrase that the library had on {time}.",
                backup_file.Backup.at(self.copy).local_time,
            )

    def unlock_reports(self, passphrase: str) -> None:
        """Open the signed reports that were encrypted later, with another passphrase.

        Raises:
            WrongPassphraseError: it opens none of them.
        """
        before = self.locked_reports()
        self._open_keys(passphrase)
        if self.locked_reports() == before:
            raise key_file.WrongPassphraseError(
                "This passphrase opens none of these reports.", "Enter a passphrase that the library had later."
            )

    def _open_keys(self, passphrase: str) -> None:
        place, own = self.copy.parent, key_beside(self.copy)
        others = sorted({*place.glob("*.key"), *place.parent.glob("*.key")} - {own})  # those of older versions, too
        files = [*([own] if own.is_file() else []), *others]
        if not files:
            raise UserError(
                "The copy is encrypted, and there is no key file beside it.",
                "Look for a file whose name ends with .key, and put it into the folder of the copy.",
            )
        try:
            keys = key_file.opened(files, passphrase)
        except key_file.WrongPassphraseError as error:
            raise key_file.WrongPassphraseError(
                "This is not the passphrase of the copy.",
                "Enter the passphrase that the library had on {time}.",
                backup_file.Backup.at(self.copy).local_time,
            ) from error
        for file, key in keys.items():
            hold_key(key)
            self._files.setdefault(key, file)

    def restore(self, folder: Path, reader: str = "") -> Path:
        """Restore the copy into a library's folder, which is made where it is missing.

        An encrypted copy stays encrypted, with the passphrase that opened it, unless there is a sound library in the
        folder: then what is restored is encrypted as that one is. What is there is kept: a replaced database beside
        the new one, models, reports and settings under their names.

        Args:
            folder: of the library.
            reader: who restores it, for the audit log; empty: not known.

        Returns:
            the copy.

        Raises:
            UserError: the copy is locked or damaged, or the folder cannot be written.
            LibraryInUseError: when a window has the library open.
        """
        if self.is_locked:
            raise UserError("The copy is encrypted.", "Enter its passphrase first.")
        with OnDiskError("The folder {folder} cannot be made ({why}).", "Choose another folder.", folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with backups.holding(folder, Text("restoring a copy")):
            backups.checked(folder, self.copy)
            self._bring_key(folder)
            self._bring_reports(folder)
            copy_missing(self.copy.parent, folder)
        return backups.restore_backup(folder, self.copy, reader=reader)

    def _bring_key(self, folder: Path) -> None:
        key = key_of(self.copy)
        database = folder / FILE_NAME
        if not key or key_file.held(folder) or (not is_blank(database) and damage(database) is None):
            return
        if file := self._files.get(key):
            key_file.take_over(folder, file, key)

    def _bring_reports(self, folder: Path) -> None:
        """Put the reports that the copy knows beside the library's backups, from where they are restored."""
        key, place = key_file.held(folder), self.copy.parent
        for path, sha256 in signed_reports.signed_files(self.copy):
            content = signed_reports.copied_report(place, path, sha256)
            if content is None:
                self.missing_reports += 1
            elif signed_reports.copy_of(folder, path, sha256) is None:
                signed_reports.keep_copy(folder, path, content, key)

    def close(self) -> None:
        """Forget the keys that were opened here, but not those of libraries."""
        for key in self._files:
            if not key_file.is_held(key):
                forget_key(key)
        self._files.clear()
