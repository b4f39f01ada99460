"""Checks a signed report: files, database, line of the audit log, signature and key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, select

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.library import audit, signed, tables
from wce_desktop.library.evidence.signature import Signed, fingerprint
from wce_desktop.library.signed import SignedReport
from wce_desktop.library.storage import sealing


@dataclass(frozen=True, slots=True)
class ReportCheck:
    """What a check of a signed report says, a sentence each.

    Attributes:
        problems: what fails; empty: all fits.
        notes: what is no failure, and worth knowing.
    """

    problems: tuple[str, ...]
    notes: tuple[str, ...]


def check(connection: Connection, report: SignedReport) -> ReportCheck:
    """Check a report of an open library."""
    line = audit.last_line(connection, "report", "sign", report.report_id)
    problems = [*_files(report), *_log(report, line)]
    if report.signed is None:
        if line is not None and (line.after or {}).get("key"):
            problems.append(
                tr(
                    "The signature of version {version} was removed from the database: the audit log says that it was "
                    "signed with the key {key}.",
                    version=report.version,
                    key=line.after["key"] if line.after else "",
                )
            )
            return ReportCheck(tuple(problems), ())
        said = tr(
            "Version {version} was signed without a key: only its checksums were compared.", version=report.version
        )
        return ReportCheck(tuple(problems), (said,))
    problems += _signature(report, report.signed)
    keys = signed.keys_of(connection, report.reader)
    problems += _key(connection, report, report.signed, keys)
    return ReportCheck(tuple(problems), tuple(_notes(report, report.signed, keys)))


def _files(report: SignedReport) -> Iterator[str]:
    suffixes: tuple[Literal[".pdf", ".html"], ...] = (".pdf", ".html")
    for suffix in suffixes:
        try:
            report.read(suffix)
        except UserError as error:
            yield str(error)
    if report.signed is None:
        return
    try:
        is_same = sealing.has_only(report.signature_path, report.signed.file)
        is_same = is_same and sealing.is_there(report.signature_path)
    except OSError:
        is_same = False
    if not is_same:
        yield tr(
            "The file {path} is missing or was changed. Restore it from the folder backups/reports of the library.",
            path=report.signature_path,
        )


def _log(report: SignedReport, line: audit.AuditEntry | None) -> Iterator[str]:
    if line is None:
        yield tr("The audit log has no line that says that version {version} was signed.", version=report.version)
        return
    said: Mapping[str, Any] = line.after or {}
    expected = signed.logged(report)
    same = (line.reader, line.when_utc, line.study_id) == (report.reader, report.created_utc, report.study_id)
    if report.signed is None:
        expected |= {name: said[name] for name in ("key", "statement_sha256") if name in said}
    if not same or any(said.get(name) != value for name, value in expected.items()):
        yield tr(
            "The database contradicts the line of the audit log about version {version}.",
            version=report.version,
        )


def _signature(report: SignedReport, signature: Signed) -> Iterator[str]:
    if not signature.fits:
        yield tr(
            "The signature of version {version} does not fit: what was signed, the signature or the key was changed.",
            version=report.version,
        )
        return
    if different := signed.differing(report, signature.values):
        yield tr(
            "The database contradicts what was signed as version {version} ({names}).",
            version=report.version,
            names=", ".join(different),
        )


def _key(connection: Connection, report: SignedReport, signature: Signed, keys: list[str]) -> Iterator[str]:
    if signature.public_key not in keys:
        yield tr(
            "Version {version} is signed with the key {key}, which the library does not know as one of {reader}.",
            version=report.version,
            key=fingerprint(signature.public_key),
            reader=report.reader,
        )
    column = tables.audit.c
    asked = select(column.item_id).where(column.kind == "signature key", column.reader == report.reader)
    if set(connection.scalars(asked)) != set(map(fingerprint, keys)):
        yield tr(
            "The keys that the library knows of {reader} are not those of the audit log: a key was added or removed "
            "outside of the program.",
            reader=report.reader,
        )


def _notes(report: SignedReport, signature: Signed, keys: list[str]) -> Iterator[str]:
    yield tr(
        "Version {version} is signed with the key {key}.",
        version=report.version,
        key=fingerprint(signature.public_key),
    )
    if keys and signature.public_key in keys[1:]:
        yield tr(
            "Signed with another key than before: {reader} first signed here with the key {key}. Ask the reader "
            "whether the new key is theirs.",
            reader=report.reader,
            key=fingerprint(keys[0]),
        )
