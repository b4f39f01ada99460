"""The library's signed reports."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import select

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.identity import new_id
from wce_desktop.library import signed, tables
from wce_desktop.library.backup.signed_reports import copy_reports, report_key
from wce_desktop.library.evidence import audit_chain, report_checking
from wce_desktop.library.evidence.report_checking import ReportCheck
from wce_desktop.library.evidence.signature import Signer
from wce_desktop.library.signed import SignedReport
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import Store


class Reports:
    """Signed reports, each a version that stays."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def signed(self, study_id: str) -> tuple[SignedReport, ...]:
        """The signed versions of a study's report, oldest first."""
        with self._store.reading(Text("the signed reports")) as connection:
            return signed.read_all(
                connection, self._store.folder, study_id, self._store.invalid_rows("signed reports", study_id)
            )

    def ids(self) -> frozenset[str]:
        """The ids of all signed reports, also of those whose rows break a rule."""
        with self._store.reading(Text("the signed reports")) as connection:
            return frozenset(map(str, connection.scalars(select(tables.reports.c.report_id))))

    def next_version(self, study_id: str) -> int:
        """The number that the next signed version of a study's report gets."""
        with self._store.reading(Text("the signed reports")) as connection:
            return signed.next_version(connection, study_id)

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
    ) -> SignedReport:
        """Keep a signed report with its checksums, sealed in an encrypted library; on disk when this returns.

        Args:
            version: what `next_version` said.
            acknowledged: what the reader confirmed (JSON values).
            content: what it was made from, as canonical JSON.
            replaces: the version that it amends; None: none.
            reason: why it is amended.
            signer: signs it with the reader's key; None: without a key.

        Raises:
            UserError: the library or its folder of reports cannot be written, or another version came between.
        """
        self._store.check_writable(Text("the signed report"))
        with self._store.writing(Text("the signed report")) as connection:
            # The version first: files of a version that is signed already must not be written over.
            if version != signed.next_version(connection, study_id):
                raise UserError(
                    "Version {version:,} of the report was signed meanwhile.",
                    "Nothing was signed. Read the new version, then amend it.",
                    version,
                )
            report = SignedReport(
                report_id=new_id("sr-"),
                study_id=study_id,
                version=version,
                path=signed.path_of(self._store.folder, study_id, version, pdf),
                sha256=hashlib.sha256(pdf).hexdigest(),
                html_sha256=hashlib.sha256(html).hexdigest(),
                reader=reader,
                acknowledged=acknowledged,
                created_utc=now_utc(),
                content=content,
                replaces=replaces,
                reason=reason,
            )
            if signer is not None:
                statement = signed.statement_of(report, audit_chain.head(connection.exec_driver_sql))
                signature = signer.sign(statement)
                report = replace(report, statement=statement, signature=signature, public_key=signer.public_key)
            signed.write_files(report, html, pdf, report_key(self._store.folder))
            signed.add(connection, self._store.folder, report)
        copy_reports(self._store.folder)
        return report

    def check(self, report: SignedReport) -> ReportCheck:
        """Check a signed report: its files, its line of the audit log, its signature and whose key it is."""
        with self._store.reading(Text("the signed report")) as connection:
            return report_checking.check(connection, report)

    def reader_keys(self, reader: str) -> tuple[str, ...]:
        """The public keys (base64) with which a reader has signed in this library, oldest first."""
        with self._store.reading(Text("the signed reports")) as connection:
            return tuple(signed.keys_of(connection, reader))
