"""Signing: what was acknowledged, which version the signature makes, and signed reports opened in other programs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.scratch import make_scratch_folder
from training.texts import Text
from wce_desktop.features.report.model.content import Report, Signature
from wce_desktop.session.still_open import Open

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


MOST_LETTERS = 200
"""Of a reader's name, as the database keeps it."""


def check_reader(reader: str) -> str:
    """The name for a signature.

    Raises:
        UserError: there is none, or it is too long.
    """
    name = " ".join(reader.split())
    if not name:
        raise UserError("A signature needs the reader's name.", "Enter it beside the button, then sign again.")
    if len(name) > MOST_LETTERS:
        raise UserError(
            Text("The reader's name has {count:,} letters.", len(name)), Text("Shorten it to {count:,}.", MOST_LETTERS)
        )
    return name


def as_signed(report: Report, reader: str, version: int, acknowledged: Open, key: str) -> Report:
    """A report with the signature of a reader.

    Args:
        report: as it was shown, without a signature.
        reader: the name under the signature.
        version: the number that it gets, see `Reports.next_version`.
        acknowledged: what the reader confirmed.
        key: fingerprint of the reader's key.
    """
    sentences = tuple(filter(None, (acknowledged.flag_words, acknowledged.frame_words)))
    when = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
    amended = report.amendment
    return replace(
        report,
        reader=reader,
        signature=Signature(reader, when, version, sentences, key),
        amendment=None if amended is None else replace(amended, reader=reader),
    )


def as_acknowledged(acknowledged: Open) -> dict[str, Any]:
    """What a reader confirmed, as it is kept with a signed report."""
    names = ("flags", "unseen_flags", "frames", "unseen_frames", "fast_frames")
    return {name: getattr(acknowledged, name) for name in names}
