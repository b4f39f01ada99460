"""Signed reports: files in the library's folder whose checksums, reader and time are kept.

In an encrypted library they are sealed with its key; `SignedReport.read` gives their content from either form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, func, insert, select

from training.errors import UserError
from training.texts import Text
from wce_desktop.library import audit, tables
from wce_desktop.library.evidence.audit_chain import Head
from wce_desktop.library.evidence.signature import FORMAT, SUFFIX, Signed, canonical, fingerprint
from wce_desktop.library.invalid_rows import InvalidRows, check_row, shown
from wce_desktop.library.rows import Row, as_row
from wce_desktop.library.storage import sealing

FOLDER = "reports"
"""In the library's folder; it has a folder for each study."""
NAME_DIGITS = 16
"""Of a PDF's checksum, in the names of its files."""


@dataclass(frozen=True, slots=True)
class SignedReport:
    """One signed version of a study's report.

    Attributes:
        version: counted from 1.
        path: of the PDF; in an encrypted library its sealed form lies beside.
        sha256: of the PDF.
        html_sha256: of the HTML page beside it.
        reader: who signed.
        acknowledged: what the reader confirmed (JSON values).
        content: what it was made from, as canonical JSON; None: signed before this was kept.
        replaces: the version that it amends; None: it was not signed as an amendment.
        reason: why it was amended.
        statement: what was signed, in its canonical form; None: signed without a key.
        signature: of the statement, base64.
        public_key: base64.
    """

    report_id: str
    study_id: str
    version: int
    path: Path
    sha256: str
    html_sha256: str
    reader: str
    acknowledged: Mapping[str, Any]
    created_utc: str
    content: str | None = None
    replaces: int | None = None
    reason: str = ""
    statement: str | None = None
    signature: str | None = None
    public_key: str | None = None

    @property
    def signed(self) -> Signed | None:
        """What was signed, with signature and key; None: it was signed without a key."""
        if self.statement is None or self.signature is None or self.public_key is None:
            return None
        return Signed(self.statement, self.public_key, self.signature)

    @property
    def signature_path(self) -> Path:
        """The file with statement, signature and public key."""
        return self.path.with_suffix(SUFFIX)

    @property
    def html_path(self) -> Path:
        """The HTML page."""
        return self.path.with_suffix(".html")

    @property
    def is_sealed(self) -> bool:
        """Whether other programs cannot open the PDF."""
        return sealing.sealed(self.path).is_file()

    def check(self) -> None:
        """Raise if a file is not the one that was signed.

        Raises:
            UserError: it is missing, cannot be read, or was changed.
        """
        self.read(".pdf")
        self.read(".html")

    def read(self, suffix: Literal[".pdf", ".html"]) -> bytes:
        """The PDF or the HTML page as it was signed.

        Raises:
            UserError: it is missing, cannot be read or decrypted, or was changed.
        """
        path, sha256 = (self.path, self.sha256) if suffix == ".pdf" else (self.html_path, self.html_sha256)
        try:
            return sealing.read(path, sha256)
        except OSError as error:
            raise UserError(
                "Version {version:,} of the report cannot be opened: {path} ({why}).",
                "Restore the file from the folder backups/reports of the library, or sign a new version.",
                self.version,
                path,
                error.strerror or error,
            ) from error
        except sealing.CannotUnsealError as error:
            raise UserError(
                "Version {version:,} of the report cannot be decrypted: {path} is damaged, or was encrypted with the "
                "key of another library.",
                "Restore the file from the folder backups/reports of the library, or sign a new version.",
                self.version,
                sealing.sealed(path),
            ) from error
        except sealing.AlteredError as error:
            raise UserError(
                "Version {version:,} of the report was changed after it was signed: {path}.",
                "Do not rely on it. Restore the file from the folder backups/reports of the library, or sign a "
                "new version.",
                self.version,
                path,
            ) from error


def next_version(connection: Connection, study_id: str) -> int:
    """The number of the next version of a study's report; nobody else signs one until the transaction ends."""
    connection.execute(select(tables.studies.c.study_id).where(tables.studies.c.study_id == study_id).with_for_update())
    column = tables.reports.c
    newest = connection.execute(select(func.max(column.version)).where(column.study_id == study_id)).scalar()
    return int(newest or 0) + 1


def path_of(folder: Path, study_id: str, version: int, pdf: bytes) -> Path:
    """Where the PDF of a version is kept: it is named by its content."""
    return folder / FOLDER / study_id / f"report-{version}-{hashlib.sha256(pdf).hexdigest()[:NAME_DIGITS]}.pdf"


def write_files(report: SignedReport, html: bytes, pdf: bytes, key: str = "") -> None:
    """Write a version's files; they are on the disk when this returns.

    They are named by the content of the PDF: after an older backup was restored a version is signed a second time, and
    both stay. Files of another content are never overwritten.

    Args:
        key: with which they are sealed; empty: not.

    Raises:
        UserError: the folder cannot be written, or has another file of this name.
    """
    files = {report.html_path: html, report.path: pdf}
    if report.signed is not None:
        files[report.signature_path] = report.signed.file
    try:
        for file, content in files.items():
            if not sealing.has_only(file, content):
                raise UserError(
                    "{path} is there already, with another content.",
                    "Nothing was signed. Move the file to another folder, then sign again.",
                    file,
                )
        for file, content in files.items():
            sealing.write(file, content, key)
    except OSError as error:
        raise UserError(
            "The signed report cannot be written into {folder} ({why}).",
            "Nothing was signed. Free some disk space, or check the folder's permissions.",
            report.path.parent,
            error.strerror or error,
        ) from error


def statement_of(report: SignedReport, head: Head) -> str:
    """What is signed of a report, in its canonical form.

    Args:
        head: the end of the audit log before it was signed.
    """
    return canonical(_values(report) | {"format": FORMAT, "audit": {"lines": head.lines, "hash": head.hash}})


def _values(report: SignedReport) -> dict[str, Any]:
    content = None if report.content is None else hashlib.sha256(report.content.encode()).hexdigest()
    return {
        "report_id": report.report_id,
        "study_id": report.study_id,
        "version": report.version,
        "sha256": report.sha256,
        "html_sha256": report.html_sha256,
        "content_sha256": content,
        "reader": report.reader,
        "created_utc": report.created_utc,
        "acknowledged": dict(report.acknowledged),
        "replaces": report.replaces,
        "reason": report.reason,
    }


def differing(report: SignedReport, values: Mapping[str, Any]) -> list[str]:
    """What the database says of a report otherwise than a statement does, by the names of the statement.

    Statements of earlier versions do not hold the reason.
    """
    row = _values(report)
    if "reason" not in values:
        del row["reason"]
    return [name for name, value in row.items() if name not in values or values[name] != value]


def add(connection: Connection, folder: Path, report: SignedReport) -> None:
    """Remember a signed report, and note it in the audit log."""
    relative = report.path.relative_to(folder).as_posix()
    connection.execute(
        insert(tables.reports).values(
            report_id=report.report_id,
            study_id=report.study_id,
            version=report.version,
            path=relative,
            sha256=report.sha256,
            html_sha256=report.html_sha256,
            reader=report.reader,
            acknowledged=dict(report.acknowledged),
            created_utc=report.created_utc,
            content=report.content,
            replaces=report.replaces,
            reason=report.reason,
            statement=report.statement,
            signature=report.signature,
            public_key=report.public_key,
        )
    )
    if report.public_key is not None:
        _note_key(connection, report.public_key, report)
    audit.record(
        connection,
        when=report.created_utc,
        reader=report.reader,
        title=Text("Sign version {count:,} of the report", report.version),
        action="sign",
        kind="report",
        item_id=report.report_id,
        study_id=report.study_id,
        after=logged(report),
    )


def logged(report: SignedReport) -> dict[str, Any]:
    """What the line of the audit log says of a signed report."""
    line = {"version": report.version, "sha256": report.sha256, "acknowledged": dict(report.acknowledged)}
    if report.replaces is not None or report.reason:
        line |= {"replaces": report.replaces, "reason": report.reason}
    if report.signed is None:
        return line
    statement = hashlib.sha256(report.signed.statement.encode()).hexdigest()
    return line | {"statement_sha256": statement, "key": fingerprint(report.signed.public_key)}


def _note_key(connection: Connection, public_key: str, report: SignedReport) -> None:
    """Remember a key with which a reader signs for the first time."""
    keys = keys_of(connection, report.reader)
    if public_key in keys:
        return
    values = {"public_key": public_key, "reader": report.reader, "first_utc": report.created_utc}
    connection.execute(insert(tables.reader_keys).values(**values))
    audit.record(
        connection,
        when=report.created_utc,
        reader=report.reader,
        title="First signature with another key than before" if keys else "First signature with this key",
        action="add",
        kind="signature key",
        item_id=fingerprint(public_key),
        after={"public_key": public_key, "earlier": [fingerprint(one) for one in keys]},
    )


def keys_of(connection: Connection, reader: str) -> list[str]:
    """The public keys with which a reader has signed in this library, in the order of the audit log.

    Keys without a line come last.
    """
    place = {line.item_id: number for number, line in reversed(list(enumerate(key_lines(connection, reader))))}
    keys = [key for key, _ in noted_keys(connection, reader)]
    return sorted(keys, key=lambda key: (place.get(fingerprint(key), len(place)), key))


def noted_keys(connection: Connection, reader: str) -> list[tuple[str, str]]:
    """The public keys of a reader in the table, each with the time of its first signature."""
    column = tables.reader_keys.c
    asked = select(column.public_key, column.first_utc).where(column.reader == reader)
    return [(str(key), str(first)) for key, first in connection.execute(asked)]


def key_lines(connection: Connection, reader: str) -> tuple[audit.AuditEntry, ...]:
    """The lines of the audit log about first signatures of a reader with a key, oldest first."""
    return audit.lines_of(connection, "signature key", "add", reader=reader)


def read_all(connection: Connection, folder: Path, study_id: str, aside: InvalidRows) -> tuple[SignedReport, ...]:
    """The signed reports of a study, oldest first; rows that break a rule are noted and left out."""

    def report(row: Row) -> SignedReport:
        check_row(tables.reports, row)
        path = Path(str(row["path"]))
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(f"path is {shown(row['path'])}")
        if not isinstance(row["acknowledged"], dict):
            raise ValueError(f"acknowledged is {shown(row['acknowledged'])}")
        return SignedReport(**{**row, "path": folder / path})

    asked = select(tables.reports).where(tables.reports.c.study_id == study_id).order_by(tables.reports.c.version)
    rows = connection.execute(asked).all()
    return aside.keep_valid("signed report", map(as_row, rows), report)
