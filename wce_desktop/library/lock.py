"""One window a library: a lock that the system lets go of when its process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

from wce_desktop.library.errors import LibraryInUseError

_FILE_NAME = "library.lock"

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # beyond the text: a locked byte cannot be read by others

    def _take(file: IO[str]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)

else:
    import fcntl

    def _take(file: IO[str]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class LibraryLock:
    """Holds the library in `folder` until `release`; the file itself stays and means nothing.

    Raises:
        LibraryInUseError: when another window, or this one, already holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._file = (folder / _FILE_NAME).open("a+", encoding="utf-8")
        try:
            _take(self._file)
        except OSError as error:
            holder = self._holder()
            self._file.close()
            raise LibraryInUseError(
                f"The library in {folder} is already open in another window{holder}.",
                "Use that window, or close it first.",
            ) from error
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    def _holder(self) -> str:
        self._file.seek(0)
        text = self._file.read().strip()
        return f" (process {text})" if text.isdigit() else ""

    def release(self) -> None:
        """Let go; a second call does nothing."""
        self._file.close()
