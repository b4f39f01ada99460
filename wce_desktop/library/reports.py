"""The library's signed reports: files in its folder whose checksums, reader and time are kept."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation.change import Item
from wce_desktop.core.identity import new_id
from wce_desktop.library import audit, tables
from wce_desktop.library.backup.signed_reports import copy_reports, report_key
from wce_desktop.library.errors import OnDiskError
from wce_desktop.library.evidence import report_checking
from wce_desktop.library.evidence.report_checking import ReportCheck, keys_of
from wce_desktop.library.evidence.signature import (
    SignedReport,
    Signer,
    fingerprint,
    logged,
    statement_of,
)
from wce_desktop.library.rows import Row, as_row, check_row, shown
from wce_desktop.library.sharing import conflicts
from wce_desktop.library.storage import database, sealing
from wce_desktop.library.store import StorePart

FOLDER = "reports"
"""In the library's folder; it has a folder for each study."""
NAME_DIGITS = 16
"""Of a PDF's checksum, in the names of its files."""


class Reports(StorePart):
    """Signed reports, each a version that stays."""

    def signed(self, study_id: str) -> tuple[SignedReport, ...]:
        """The signed versions of a study's report, oldest first; rows that break a rule are noted and left out."""
        asked = select(tables.reports).where(tables.reports.c.study_id == study_id)
        with self._store.reading(Text("the signed reports")) as connection:
            rows = connection.execute(asked.order_by(tables.reports.c.version)).all()
        invalid = self._store.invalid_rows("signed reports", study_id)
        return invalid.keep_valid("signed report", map(as_row, rows), lambda row: _from_row(row, self._store.folder))

    def ids(self) -> frozenset[str]:
        """The ids of all signed reports, also of those whose rows break a rule."""
        with self._store.reading(Text("the signed reports")) as connection:
            return frozenset(map(str, connection.scalars(select(tables.reports.c.report_id))))

    def next_version(self, study_id: str) -> int:
        """The number that the next signed version of a study's report gets."""
        with self._store.reading(Text("the signed reports")) as connection:
            return next_version(connection, study_id)

    def keep(
        self,
        study_id: str,
        version: int,
        *,
        html: bytes,
        pdf: bytes,
        reader: str,
        acknowledged: Mapping[str, Any],
        content: str | None = None,
        replaces: int | None = None,
        reason: str = "",
        signer: Signer | None = None,
        entries: Sequence[Item] | None = None,
    ) -> SignedReport:
        """Keep a signed report with its checksums, sealed in an encrypted library; on disk when this returns.

        Args:
            version: what `next_version` said.
            acknowledged: what the reader confirmed (JSON values).
            content: what it was made from, as canonical JSON.
            replaces: the version that it amends; None: none.
            reason: why it is amended.
            signer: signs it with the reader's key; None: without a key.
            entries: the entries of `conflicts.REPORTED` and the patient record that the reader saw; None: any.

        Raises:
            ConflictError: another reader changed one of those.
            UserError: the library or its folder of reports cannot be written, or another version came between.
        """
        self._store.check_writable(Text("the signed report"))
        with self._store.writing(Text("the signed report")) as connection:
            # The version first: files of a version that is signed already must not be written over.
            if version != next_version(connection, study_id):
                raise UserError(
                    "Version {version:,} of the report was signed meanwhile.",
                    "Nothing was signed. Read the new version, then amend it.",
                    version,
                )
            if entries is not None and self._store.is_on_server:
                conflicts.check_same(connection, study_id, entries)
            report = SignedReport(
                report_id=new_id("sr-"),
                study_id=study_id,
                version=version,
                path=path_of(self._store.folder, study_id, version, pdf),
                sha256=hashlib.sha256(pdf).hexdigest(),
                html_sha256=hashlib.sha256(html).hexdigest(),
                reader=reader,
                acknowledged=acknowledged,
                created_utc=database.now_utc(),
                content=content,
                replaces=replaces,
                reason=reason,
            )
            if signer is not None:
                statement = statement_of(report, audit.head(connection))
                signature = signer.sign(statement)
                report = replace(report, statement=statement, signature=signature, public_key=signer.public_key)
            write_files(report, html, pdf, report_key(self._store.folder))
            _add(connection, self._store.folder, report)
        copy_reports(self._store.folder)
        return report

    def check(self, report: SignedReport) -> ReportCheck:
        """Check a signed report: its files, its line of the audit log, its signature and whose key it is."""
        with self._store.reading(Text("the signed report")) as connection:
            return report_checking.check(connection, report)

    def reader_keys(self, reader: str) -> tuple[str, ...]:
        """The public keys (base64) with which a reader has signed in this library, oldest first."""
        with self._store.reading(Text("the signed reports")) as connection:
            return tuple(keys_of(connection, reader))


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
    with OnDiskError(
        "The signed report cannot be written into {folder} ({why}).",
        "Nothing was signed. Free some disk space, or check the folder's permissions.",
        report.path.parent,
    ):
        for file, content in files.items():
            if not sealing.has_only(file, content):
                raise UserError(
                    "{path} is there already, with another content.",
                    "Nothing was signed. Move the file to another folder, then sign again.",
                    file,
                )
        for file, content in files.items():
            sealing.write(file, content, key)


def _add(connection: Connection, folder: Path, report: SignedReport) -> None:
    """Remember a signed report, and note it in the audit log."""
    stored = {"path": report.path.relative_to(folder).as_posix(), "acknowledged": dict(report.acknowledged)}
    connection.execute(insert(tables.reports).values(**asdict(report) | stored))
    if report.public_key is not None:
        _note_key(connection, report.public_key, report)
    audit.record(
        connection,
        report.reader,
        Text("Sign version {count:,} of the report", report.version),
        "sign",
        "report",
        report.report_id,
        when=report.created_utc,
        study_id=report.study_id,
        after=logged(report),
    )


def _note_key(connection: Connection, public_key: str, report: SignedReport) -> None:
    """Remember a key with which a reader signs for the first time."""
    keys = keys_of(connection, report.reader)
    if public_key in keys:
        return
    values = {"public_key": public_key, "reader": report.reader, "first_utc": report.created_utc}
    connection.execute(insert(tables.reader_keys).values(**values))
    title = "First signature with another key than before" if keys else "First signature with this key"
    after = {"public_key": public_key, "earlier": [fingerprint(key) for key in keys]}
    identity, when = fingerprint(public_key), report.created_utc
    audit.record(connection, report.reader, title, "add", "signature key", identity, when=when, after=after)


def _from_row(row: Row, folder: Path) -> SignedReport:
    """The signed report in a row; ValueError where it breaks a rule."""
    check_row(tables.reports, row)
    path = Path(str(row["path"]))
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"path is {shown(row['path'])}")
    if not isinstance(row["acknowledged"], dict):
        raise ValueError(f"acknowledged is {shown(row['acknowledged'])}")
    return SignedReport(**{**row, "path": folder / path})
