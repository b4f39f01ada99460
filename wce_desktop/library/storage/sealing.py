"""Files in one of two forms: as they are, or sealed in a small SQLCipher database with the key of their library.

The sealed form of `report.pdf` is `report.pdf.sealed` beside it. A new form is written beside its place, read back,
flushed and renamed before the other one is deleted: a process that is killed at any moment leaves one of them, or both.
"""

import errno
import hashlib
import os
from contextlib import closing
from pathlib import Path

from wce_desktop.library.errors import error_name
from wce_desktop.library.storage.failures import is_full
from wce_desktop.library.storage.private import replacing
from wce_desktop.library.storage.sqlite_file import DATABASE_ERRORS, open_file, open_with_key

SUFFIX = ".sealed"
PARTIAL = ".partial"
"""In the names of files that are being written."""
_NO_CONTENT: tuple[type[Exception], ...] = (*DATABASE_ERRORS, TypeError)
"""What opening a sealed file may raise; TypeError: there is no row, or what it holds is no bytes."""


class AlteredError(Exception):
    """A file is not the one with the expected checksum."""


class CannotUnsealError(Exception):
    """A sealed file is damaged, or none of the held keys opens it."""


def sealed(path: Path) -> Path:
    """Where the sealed form of a file lies."""
    return path.with_name(path.name + SUFFIX)


def is_there(path: Path) -> bool:
    """Whether a file is there in any form."""
    return path.is_file() or sealed(path).is_file()


def read_any(path: Path) -> bytes:
    """The content of a file, whatever it is.

    Raises:
        OSError: it is missing or cannot be read.
        CannotUnsealError: it is sealed and cannot be opened.
    """
    return _content(path if path.is_file() else sealed(path))


def has_only(path: Path, content: bytes) -> bool:
    """Whether each form of a file that is there has this content; also True where there is none.

    Raises:
        OSError: it cannot be read.
    """
    try:
        return all(_content(form) == content for form in (path, sealed(path)) if form.is_file())
    except CannotUnsealError:
        return False


def files_below(folder: Path) -> list[Path]:
    """The files below a folder, each once and by the name of its open form."""
    paths = (path for path in folder.rglob("*") if path.is_file() and PARTIAL not in path.name)
    return sorted({path.with_name(path.name.removesuffix(SUFFIX)) for path in paths})


def remove_partials(folder: Path) -> None:
    """Delete what a killed process left half-written below a folder in which nothing else writes.

    Raises:
        OSError: it cannot be deleted.
    """
    for path in folder.rglob(f"*{PARTIAL}*"):
        path.unlink(missing_ok=True)


def read(path: Path, sha256: str) -> bytes:
    """The content of a file, from the form that has the checksum.

    Raises:
        OSError: it is missing or cannot be read.
        AlteredError: it has another content.
        CannotUnsealError: its sealed form cannot be opened, and there is no other one.
    """
    failure: Exception = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    for form in (path, sealed(path)):
        try:
            content = _content(form)
        except FileNotFoundError:
            continue
        except (OSError, CannotUnsealError) as error:
            failure = error
            continue
        if hashlib.sha256(content).hexdigest() == sha256:
            return content
        failure = AlteredError(str(form))
    raise failure


def write(path: Path, content: bytes, key: str) -> None:
    """Write a file, sealed where there is a key; on the disk when this returns. Its other form is deleted.

    Raises:
        OSError: it cannot be written; what was there before is unchanged.
    """
    form, other = (sealed(path), path) if key else (path, sealed(path))
    form.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replacing(form, form.with_name(f".{form.name}{PARTIAL}")) as beside:
        if key:
            _write_sealed(beside, content, key)
        else:
            beside.write_bytes(content)
        if (_unsealed(beside) if key else beside.read_bytes()) != content:
            raise OSError(errno.EIO, "it differs from what was written", str(form))
    other.unlink(missing_ok=True)


def convert(path: Path, key: str, sha256: str = "") -> None:
    """Bring a file into one form: sealed where there is a key, open without; nothing where it has that form alone.

    Args:
        sha256: of its content, which decides where both forms are there; without it the form that has to go counts.

    Raises:
        OSError: it cannot be read or written.
        CannotUnsealError: its sealed form cannot be opened. All stays as it is.
    """
    form, other = (sealed(path), path) if key else (path, sealed(path))
    if not other.is_file():
        return
    content = content_of_form(form)
    if content is not None and has_content(content, sha256):
        other.unlink()
    else:
        write(path, _content(other), key)


def content_of(path: Path) -> bytes | None:
    """The content of a file in any form, whatever its checksum; None where no form can be read."""
    return next((content for form in (path, sealed(path)) if (content := content_of_form(form)) is not None), None)


def content_of_form(form: Path) -> bytes | None:
    """The content of one form of a file; None where it cannot be read."""
    try:
        return _content(form)
    except (OSError, CannotUnsealError):
        return None


def has_content(content: bytes, sha256: str) -> bool:
    """Whether content has a checksum."""
    return hashlib.sha256(content).hexdigest() == sha256


def _content(form: Path) -> bytes:
    return _unsealed(form) if form.name.endswith(SUFFIX) else form.read_bytes()


def _unsealed(file: Path) -> bytes:
    file.open("rb").close()  # what is missing or may not be read is an OSError
    try:
        with closing(open_file(file, immutable=True)) as opened:
            return bytes(opened.execute("SELECT content FROM file").fetchone()[0])
    except _NO_CONTENT as error:
        raise CannotUnsealError(str(file)) from error


def _write_sealed(file: Path, content: bytes, key: str) -> None:
    try:
        with closing(open_with_key(file, key, isolation_level=None)) as database:
            database.execute(
                "PRAGMA journal_mode=OFF"
            )  # no second file: this one is thrown away where it is not finished
            database.execute("CREATE TABLE file (content BLOB NOT NULL)")
            database.execute("INSERT INTO file VALUES (?)", (content,))
    except DATABASE_ERRORS as error:
        is_disk_full = error_name(error) == "SQLITE_FULL" or is_full(file.parent)
        number = errno.ENOSPC if is_disk_full else errno.EIO
        raise OSError(number, os.strerror(number), str(file)) from error
