"""Signed reports of an encrypted library that another program shows: open files until the library is closed."""

from __future__ import annotations

import shutil
from pathlib import Path

from training.errors import UserError
from training.files.scratch import make_scratch_folder

KIND = "report"


class OpenedReports:
    """Files in temporary folders that only this user can read.

    Those of a killed process, and those that another program kept from being deleted, go at the next start.
    """

    def __init__(self) -> None:
        self._folders: list[Path] = []

    def write(self, name: str, content: bytes) -> Path:
        """Write a report for another program.

        Raises:
            UserError: there is no space for it.
        """
        try:
            folder = make_scratch_folder(KIND)
            self._folders.append(folder)
            path = folder / name
            path.write_bytes(content)
        except OSError as error:
            raise UserError(
                "The report cannot be opened: no temporary file can be written ({why}).",
                "Free some disk space.",
                error.strerror or error,
            ) from error
        return path

    def remove(self) -> None:
        """Delete what was opened."""
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)
        self._folders.clear()
