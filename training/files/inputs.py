"""Files that are read: checked before they are opened, for a pipe blocks and a device has no end; the program's own."""

import os
import stat
from pathlib import Path

from training.errors import UserError, reason_of
from training.texts import Text

MAX_TEXT_BYTES = 1024**3
"""Of a table or list; the labels of 500,000 frames take some 30 MB."""


def regular_file(path: Path, what: str = "file") -> Path:
    """The path if it is a regular file that can be looked at, or a link to one; `what` names it in the sentence.

    Raises:
        UserError: there is no such file, or it is a folder, a pipe, a socket or a device.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        raise UserError("There is no {what} {path}.", "Check the path.", Text(what), path) from error
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(
            "The {what} {path} cannot be opened ({reason}).", "Check the path.", Text(what), repr(str(path)), reason
        ) from error
    if not stat.S_ISREG(mode):
        raise UserError(
            "{path} is {kind}, not a {what}.", "Give a regular file.", path, Text(kind_of(mode)), Text(what)
        )
    return path


def unreadable(path: Path, error: OSError) -> UserError:
    """The error for a study's file or folder that is not there, or that the system does not let us read."""
    if isinstance(error, FileNotFoundError):
        return UserError("There is no file {path}.", "It may have been moved, or a drive may not be connected.", path)
    return UserError("{name} cannot be read: {reason}.", "Check its permissions.", path.name, reason_of(error))


def read_text(path: Path, what: str = "file", *, max_bytes: int = MAX_TEXT_BYTES) -> str:
    """The text of a UTF-8 file; a byte order mark is left out; `what` names it in the sentence.

    Raises:
        UserError: not a regular file, too large, unreadable, or not UTF-8.
    """
    content = read_bytes(path, what, max_bytes=max_bytes)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            "{path} is not a valid {what}: it is not UTF-8 text.", "Save it as UTF-8.", path, Text(what)
        ) from error


def read_bytes(path: Path, what: str, *, max_bytes: int) -> bytes:
    """The content of a file; raises `UserError` for one that is not regular, too large, or unreadable."""
    regular_file(path, what)
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            content = file.read(min(size, max_bytes) + 1)  # more would take memory before it is read
            if len(content) > size:  # it grows, or its size is not known
                content += file.read(max_bytes + 1 - len(content))
    except OSError as error:
        raise UserError(
            "The {what} {path} cannot be read ({reason}).", "Check the file.", Text(what), path, error.strerror or error
        ) from error
    if len(content) > max_bytes:
        raise UserError(
            "{path} is too large for a {what} (more than {max_bytes:,} bytes).",
            "Check the path.",
            path,
            Text(what),
            max_bytes,
        )
    return content


def kind_of(mode: int) -> str:
    """What a path is by its mode: "a folder", "a pipe" and the like."""
    names = {stat.S_IFDIR: "a folder", stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return "a file" if stat.S_ISREG(mode) else names.get(stat.S_IFMT(mode), "a device")


_BESIDE = Path(__file__).resolve().parents[2]


def resources_folder(needed: str, beside: Path = _BESIDE) -> Path:
    """`resources` of the checkout, or what an installed wheel has of it; `needed` must exist in it.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for folder in (beside / "wce_desktop" / "_resources", beside / "resources"):
        if (folder / needed).exists():
            return folder
    raise FileNotFoundError(Text("no {needed} beside {beside}: the installation is incomplete", needed, beside))
