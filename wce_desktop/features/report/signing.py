"""Signing: what was acknowledged, which version the signature makes, and signed reports opened in other programs."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.scratch import make_scratch_folder
from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.features.report.building import Builder
from wce_desktop.features.report.model.content import Report, Signature
from wce_desktop.features.report.model.marks import Marks
from wce_desktop.features.report.model.signature_keys import SignatureKeys
from wce_desktop.library import Library
from wce_desktop.library.evidence.signature import SignedReport
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


@dataclass(frozen=True)
class SignRequest:
    """A report to sign.

    Attributes:
        report: as it was shown, without a signature.
        content: what it was made from; see `frozen_content`.
        acknowledged: what the reader confirmed.
        reader: the name under the signature.
        own: the hospital's template, or None.
        marks: what is drawn into its pictures.
        version: the number that it gets, see `Reports.next_version`.
        keys: the readers' keys; None: it is signed without one.
        passphrase: of the reader's key, where it has one.
    """

    study_id: str
    report: Report
    content: str
    acknowledged: Open
    reader: str
    own: Path | None
    marks: Mapping[int, Marks]
    version: int
    keys: SignatureKeys | None = None
    passphrase: str = field(default="", repr=False)


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


def sign(library: Library, builder: Builder, request: SignRequest, reporter: Reporter) -> SignedReport:
    """Make the signed report and keep it; runs in a thread.

    Raises:
        UserError: a name is missing, or the library cannot be written.
    """
    reader = check_reader(request.reader)
    library.check_writable(Text("the signed report"))
    acknowledged, version = request.acknowledged, request.version
    sentences = tuple(filter(None, (acknowledged.flag_words, acknowledged.frame_words)))
    when = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
    amended = request.report.amendment
    signer = None if request.keys is None else request.keys.signer(reader, request.passphrase)
    key = "" if signer is None else signer.fingerprint
    signed = replace(
        request.report,
        reader=reader,
        signature=Signature(reader, when, version, sentences, key),
        amendment=None if amended is None else replace(amended, reader=reader),
    )
    printed = builder.printed(signed, request.marks, request.own, reporter)
    return library.reports.keep(
        request.study_id,
        version,
        html=printed.html,
        pdf=printed.pdf,
        reader=reader,
        acknowledged=as_acknowledged(acknowledged),
        content=request.content,
        replaces=None if amended is None else amended.version,
        reason="" if amended is None else amended.reason,
        signer=signer,
    )


def as_acknowledged(acknowledged: Open) -> dict[str, Any]:
    """What a reader confirmed, as it is kept with a signed report."""
    return {
        "flags": acknowledged.flags,
        "unseen_flags": acknowledged.unseen_flags,
        "frames": acknowledged.frames,
        "unseen_frames": acknowledged.unseen_frames,
        "fast_frames": acknowledged.fast_frames,
    }
