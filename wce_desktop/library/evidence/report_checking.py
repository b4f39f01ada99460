"""Checks a signed report (files, database, line of the audit log, signature, key), and knows the keys of a reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from sqlalchemy import Connection, select

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.library import audit, tables
from wce_desktop.library.evidence.signature import Printed, Signed, SignedReport, differing, fingerprint, logged
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
    """Check a report of an open library.

    The first line of the log about it counts: later ones can be appended without breaking the chain.
    """
    lines = audit.lines_of(connection, "report", "sign", item_id=report.report_id)
    problems = [*_files(report), *_log(report, lines)]
    if report.signed is not None:
        keys = keys_of(connection, report.reader)
        problems += [*_signature(report, report.signed), *_key(connection, report, report.signed, keys)]
        return ReportCheck(tuple(problems), tuple(_notes(report, report.signed, keys)))
    contents = (line.after or {} for line in lines)
    signed = next((content for content in contents if content.keys() & {"key", "statement_sha256"}), None)
    if signed is None:
        note = tr(
            "Version {version} was signed without a key: only its checksums were compared.", version=report.version
        )
        return ReportCheck(tuple(problems), (note,))
    problem = tr(
        "The signature of version {version} was removed from the database: the audit log says that it was signed with "
        "the key {key}.",
        version=report.version,
        key=signed.get("key", "?"),
    )
    return ReportCheck((*problems, problem), ())


def _files(report: SignedReport) -> Iterator[str]:
    for suffix in get_args(Printed):
        try:
            report.read(suffix)
        except UserError as error:
            yield tr(error)
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


def _log(report: SignedReport, lines: Sequence[audit.AuditEntry]) -> Iterator[str]:
    if not lines:
        yield tr("The audit log has no line that says that version {version} was signed.", version=report.version)
        return
    if len(lines) > 1:
        yield tr(
            "The audit log says {count} times that version {version} was signed: lines were added outside of the "
            "program.",
            count=len(lines),
            version=report.version,
        )
    line = lines[0]
    content: Mapping[str, Any] = line.after or {}
    expected = logged(report)
    same = (line.reader, line.when_utc, line.study_id) == (report.reader, report.created_utc, report.study_id)
    same = same and (content.get("replaces"), content.get("reason", "")) == (report.replaces, report.reason)
    if report.signed is None:
        expected |= {name: content[name] for name in ("key", "statement_sha256") if name in content}
    if not same or any(content.get(name) != value for name, value in expected.items()):
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
    if different := differing(report, signature.values):
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
    logged = [(line.item_id, line.when_utc) for line in key_lines(connection, report.reader)]
    noted = [(fingerprint(key), first) for key, first in noted_keys(connection, report.reader)]
    if sorted(logged) != sorted(noted):
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
