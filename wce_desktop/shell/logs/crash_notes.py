"""Notes how the window ends: a crash of native code leaves its stack, anything but a normal end leaves a note."""

import faulthandler
import os
from pathlib import Path
from typing import IO

from training.files.scratch import may_still_run
from wce_desktop.library.storage.private import make_private_file

LAST = "last-crash.txt"
"""The note of the last window that ended unexpectedly, for the diagnostics."""


class CrashNotes:
    """A file of this process beside the log; removed when the window ends as it should.

    Attributes:
        has_crashed: whether a window before this one ended unexpectedly, by a crash, a kill or a power cut.
    """

    def __init__(self, folder: Path) -> None:
        """Does nothing where the folder cannot be written."""
        self.has_crashed = False
        self._file: IO[str] | None = None
        self._path = folder / f"window-{os.getpid()}.txt"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.has_crashed = _collect(folder)
            self._path.unlink(missing_ok=True)
            make_private_file(self._path)
            self._file = self._path.open("w", encoding="utf-8")
        except OSError:
            return
        faulthandler.enable(self._file)

    def close(self) -> None:
        """The window ends as it should."""
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            self._file = None
            self._path.unlink(missing_ok=True)


def _collect(folder: Path) -> bool:
    """Keep the newest note of a process that has ended, remove the others; whether there was one."""
    found = [path for path in folder.glob("window-*.txt") if not may_still_run(path, path.stem.removeprefix("window-"))]
    for path in sorted(found, key=lambda one: one.stat().st_mtime):
        path.replace(folder / LAST)
    return bool(found)
