"""A lock that lets one window open a library; the system releases it when the process ends."""

import contextlib
import errno
import os
import sys
from pathlib import Path
from typing import IO

from training.errors import UserError
from training.texts import Text
from wce_desktop.library.errors import LibraryInUseError
from wce_desktop.library.storage.private import make_private_file

_FILE_NAME = "library.lock"
_HELD = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
"""Somebody else holds a lock; anything else says that the file system has none."""

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # beyond the text: a locked byte cannot be read by others

    def _take(file: IO[str]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)

    def _share(file: IO[str]) -> None:
        """Nothing: a file that cannot be written cannot be locked there."""

else:
    import fcntl

    def _take(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _share(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)


class LibraryLock:
    """Holds the library in `folder` until `release`; the file itself stays and means nothing.

    Raises:
        LibraryInUseError: when another window, or this one, already holds it.
        OSError: the file cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        make_private_file(folder / _FILE_NAME)
        self._file: IO[str] | None = (folder / _FILE_NAME).open("a+", encoding="utf-8")
        try:
            _take(self._file)
        except OSError as error:
            in_use = self._in_use(folder)
            if error.errno in _HELD:
                raise in_use from error
            raise UserError(
                "The library in {folder} cannot be locked ({why}): two windows could write at once.",
                "Move it to a disk of this computer, or have file locks turned on for the network share.",
                folder,
                error.strerror or error,
            ) from error
        self._file.truncate(0)
        with contextlib.suppress(OSError):  # a full disk: the number only serves a message
            os.write(self._file.fileno(), f"{os.getpid()}\n".encode())

    def _in_use(self, folder: Path) -> LibraryInUseError:
        """The error for a lock that somebody holds, with what the file says of the process; closes the file."""
        assert self._file is not None
        self._file.seek(0)
        holder = self._file.read(20).strip()
        self._file.close()
        sentence = Text("The library in {folder} is already open in another window.", folder)
        if holder.isdigit():
            sentence = Text(
                "The library in {folder} is already open in another window (process {process}).", folder, holder
            )
        return LibraryInUseError(sentence, "Use that window, or close it first.")

    def release(self) -> None:
        """Release the lock; a second call does nothing."""
        if self._file is not None:
            self._file.close()


class ReadingLock(LibraryLock):
    """Keeps a window from opening the library while it is read from a place that cannot be written.

    Where there is no lock file, or none that can be read, nothing is held.

    Raises:
        LibraryInUseError: when a window has the library open for writing.
    """

    def __init__(self, folder: Path) -> None:
        self._file = None
        with contextlib.suppress(OSError):
            self._file = (folder / _FILE_NAME).open(encoding="utf-8")
        if self._file is None:
            return
        try:
            _share(self._file)
        except BlockingIOError as error:
            raise self._in_use(folder) from error
        except OSError:  # no locks on this file system: no other window has one either
            self.release()


class SharedLock(LibraryLock):
    """Holds nothing: several windows may have a library on a server open."""

    def __init__(self) -> None:
        self._file = None
