"""Whether an output may be written: never over an input, a foreign file, or anything but a regular file.

Commands check their outputs here before the work begins. All files are written beside their place and renamed into it,
so that a reader sees the old file or the new one and never half of one.
"""

import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from training.errors import UserError, reason_of
from training.files.inputs import kind_of
from training.files.scratch import remove_left_parts
from training.texts import Text

MAX_NAME_BYTES = 230
"""File systems take 255; some files carry a suffix while they are being written."""


class ForeignFileError(UserError):
    """A file stands where an output belongs, and this program did not write it; `overwrite` allows replacing it."""

    def __init__(self, path: Path, what: str) -> None:
        """`what`: "embedding file" or the like."""
        super().__init__(
            Text("{path} already exists and is not a {what} written by this program.", path, Text(what)),
            "Choose another place, or replace it with --overwrite.",
        )


@dataclass(frozen=True)
class OutputKind:
    """A kind of output.

    Attributes:
        name: "embedding file" or the like, for sentences.
        is_ours: whether this program wrote a file (or folder) for this purpose; it decides by the content, may be
            given anything, and raises nothing.
        beside: suffix -> kind of what lies beside the output until it is finished.
        is_folder: whether it is a folder.
    """

    name: str
    is_ours: Callable[[Path], bool]
    beside: Mapping[str, "OutputKind"] = field(default_factory=dict)
    is_folder: bool = False


def check_output(path: Path, kind: OutputKind, *, inputs: Iterable[Path] = (), overwrite: bool = False) -> Path:
    """Return the path if `kind` may be written there. Creates nothing.

    Args:
        inputs: files and folders that the same command reads; none of them is ever replaced.
        overwrite: whether a regular file that this program did not write may be replaced.

    Raises:
        ForeignFileError: a file that this program did not write is there.
        UserError: it is an input, not a regular file, or cannot be created there.
    """
    check_name(path)
    _check_parents(path)
    places = {path: kind} | {path.with_name(path.name + suffix): each for suffix, each in kind.beside.items()}
    read = [*inputs]
    for place, expected in places.items():
        _check_place(place, expected, read, overwrite=overwrite)
    return path


def check_output_folder(path: Path, what: str, *, inputs: Iterable[Path] = ()) -> Path:
    """Return the path if a folder can be made there, or files can be written into the one that is there.

    Args:
        inputs: files and folders that the same command reads.
    """
    _check_characters(path)
    if path == Path():  # what an empty text becomes
        raise UserError("No {what} is named.", "Name a folder; the current one by its full path.", Text(what))
    if not _is_folder_for(path, path):
        _check_parents(path)
    elif any(_is_same(path, each) for each in inputs):
        raise UserError(
            "{path} is an input of this command, so it cannot be the {what}.",
            "Choose another folder.",
            path,
            Text(what),
        )
    return path


def check_name(path: Path) -> None:
    """Raise `UserError` for a path that cannot name a file: empty, ".", with a null byte, too long."""
    _check_characters(path)
    if path.name in ("", ".."):
        raise UserError("{path} is not the name of a file.", "Name a file to write.", repr(str(path)))


@contextmanager
def written_folder(path: Path) -> Iterator[Path]:
    """A free folder beside the path; it takes the path's place when the block ends, and goes when it raises."""
    beside = path.with_name(f".{path.name[:40]}.partial-{os.getpid()}")
    try:
        beside.mkdir()
        yield beside
        shutil.rmtree(path, ignore_errors=True)
        beside.rename(path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


@contextmanager
def written_beside(path: Path, *, sync: bool = False, clean: bool = False) -> Iterator[Path]:
    """A free path in the same folder to write to; it becomes `path` when the block ends, and goes when it raises.

    Args:
        sync: whether the content must be on the disk before it replaces the old file.
        clean: whether to remove what killed processes left half-written in the folder; for exports to other places.
    """
    if clean:
        remove_left_parts(path.parent)
    beside = path.with_name(f".{path.name[:40]}.partial-{os.getpid()}-{threading.get_ident()}")
    try:
        yield beside
        if sync:
            with beside.open("r+b") as file:
                os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        if error.filename != str(beside):
            raise
        # With the name that the person knows; errors of libraries cannot always be changed.
        raise OSError(error.errno, reason_of(error), str(path)) from error
    finally:
        with suppress(OSError):  # what could not be written has been raised already
            beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text beside and rename it; raises `OSError`."""
    with written_beside(path) as beside:
        beside.write_text(text, encoding="utf-8")


def mode_of(path: Path, *, follow: bool = False) -> int | None:
    """The mode of what a path names; None where nothing is there."""
    try:
        return (path.stat() if follow else path.lstat()).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = "Check the name and the folder's permissions."
        raise UserError("{path} cannot be used ({reason}).", hint, path, reason) from error


def _check_place(path: Path, kind: OutputKind, inputs: Iterable[Path], *, overwrite: bool) -> None:
    if any(_is_same(path, each) for each in inputs):
        raise _is_input(path)
    mode = mode_of(path)
    if mode is None:
        return
    if stat.S_ISLNK(mode):
        raise UserError("{path} is a link, so it is not replaced.", "Name the file itself.", path)
    if not (stat.S_ISDIR if kind.is_folder else stat.S_ISREG)(mode):
        raise UserError(
            "{path} is {kind}, so no {name} can be written there.",
            "Choose another name.",
            path,
            Text(kind_of(mode)),
            Text(kind.name),
        )
    if kind.is_ours(path):
        return
    if any(_is_inside(path, each) for each in inputs):
        raise _is_input(path)
    if not overwrite:
        raise ForeignFileError(path, kind.name)


def _is_same(path: Path, other: Path) -> bool:
    """Whether two paths name one file: as they stand, through links, or as two names of one file on the disk."""
    try:
        return path.resolve() == other.resolve() or path.samefile(other)
    except (OSError, ValueError, RuntimeError):  # one of them does not exist, or is a loop of links
        return False


def _is_inside(path: Path, folder: Path) -> bool:
    try:
        return folder.is_dir() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def _is_input(path: Path) -> UserError:
    return UserError("{path} is an input of this command, so it is not written over.", "Choose another name.", path)


def _check_characters(path: Path) -> None:
    if "\0" in str(path):
        raise UserError(
            "{path} cannot be the name of a file: it holds a null byte.", "Choose another name.", repr(str(path))
        )
    if any(len(os.fsencode(part)) > MAX_NAME_BYTES for part in path.parts) or len(os.fsencode(path)) > 4000:
        raise UserError("The name {path}… is too long.", "Choose a shorter one.", str(path)[:60])


def _check_parents(path: Path) -> None:
    """The nearest folder above that exists must be one, and take new files."""
    for parent in path.absolute().parents:
        if _is_folder_for(path, parent):
            return


def _is_folder_for(path: Path, folder: Path) -> bool:
    """Whether there is a folder in which `path` can be written; raises `UserError` for anything else that is there."""
    mode = mode_of(folder, follow=True)
    if mode is None:
        if mode_of(folder) is not None:
            raise UserError("{parent} is a link to a place that does not exist.", "Choose another folder.", folder)
        return False
    if not stat.S_ISDIR(mode):
        hint = "Choose another folder."
        raise UserError("{path} cannot be written: {parent} is {kind}.", hint, path, folder, Text(kind_of(mode)))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UserError(
            "{path} cannot be written: no files can be created in the folder {parent}.",
            "Choose another folder, or change its permissions.",
            path,
            folder,
        )
    return True
