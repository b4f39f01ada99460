"""Signed reports: what is signed, with which key, and whether a signature fits.

A statement is a JSON object. What is signed (Ed25519) are the bytes of its canonical form: names sorted, no spaces,
UTF-8. The files of a report lie in the library's folder; in an encrypted library they are sealed with its key, and
`SignedReport.read` gives their content from either form.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from training.errors import UserError
from wce_desktop.library.evidence.audit_chain import Head
from wce_desktop.library.storage import sealing

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM = "Ed25519"
FORMAT = "wce-desktop signed report 1"
SUFFIX = ".signature.json"
"""Of the file beside a signed report that holds statement, public key and signature."""
Printed = Literal[".pdf", ".html"]
"""The files of a report itself, by their suffixes."""
_FINGERPRINT_DIGITS = 32
MOST_BYTES = 1_000_000
"""Of such a file."""


class Signer:
    """Signs with a reader's private key, which nothing writes or shows."""

    def __init__(self, private_key: Ed25519PrivateKey) -> None:
        self._private_key = private_key
        self.public_key = base64.b64encode(private_key.public_key().public_bytes_raw()).decode()

    @property
    def fingerprint(self) -> str:
        """By which people compare keys."""
        return fingerprint(self.public_key)

    def sign(self, statement: str) -> str:
        """The signature of a statement in its canonical form, base64."""
        return base64.b64encode(self._private_key.sign(statement.encode())).decode()


@dataclass(frozen=True, slots=True)
class Signed:
    """A statement in its canonical form with its signature and the public key, both in base64."""

    statement: str
    public_key: str
    signature: str

    @property
    def values(self) -> Mapping[str, Any]:
        """What the statement says; nothing where it is no JSON object."""
        try:
            statement = json.loads(self.statement)
        except (ValueError, RecursionError):
            return {}
        return statement if isinstance(statement, dict) else {}

    @property
    def fits(self) -> bool:
        """Whether the signature is that of this statement, with this key."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            key = Ed25519PublicKey.from_public_bytes(base64.b64decode(self.public_key, validate=True))
            key.verify(base64.b64decode(self.signature, validate=True), self.statement.encode())
        except (InvalidSignature, ValueError):
            return False
        return True

    @property
    def file(self) -> bytes:
        """The content of the file beside a signed report."""
        document = {
            "algorithm": ALGORITHM,
            "statement": self.values,
            "public_key": self.public_key,
            "fingerprint": fingerprint(self.public_key),
            "signature": self.signature,
        }
        return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def canonical(values: Mapping[str, Any]) -> str:
    """The form of a statement that is signed."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def fingerprint(public_key: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of a public key, in groups of four."""
    try:
        key = base64.b64decode(public_key, validate=True)
    except ValueError:
        return "?"
    digits = hashlib.sha256(key).hexdigest()[:_FINGERPRINT_DIGITS]
    return " ".join(digits[start : start + 4] for start in range(0, _FINGERPRINT_DIGITS, 4))


def read_file(content: bytes) -> Signed:
    """Read the file beside a signed report; whether the signature fits is another question.

    Raises:
        UserError: it is no such file.
    """
    try:
        document = json.loads(content)
        signed = Signed(canonical(document["statement"]), document["public_key"], document["signature"])
        is_valid = document["algorithm"] == ALGORITHM and signed.values.get("format") == FORMAT
        is_valid = is_valid and isinstance(signed.public_key, str) and isinstance(signed.signature, str)
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError):
        is_valid = False
    if not is_valid:
        raise UserError("This is no signature of a report.", "Choose the file ending in {suffix}.", SUFFIX)
    return signed


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

    def read(self, suffix: Printed) -> bytes:
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


def statement_of(report: SignedReport, head: Head) -> str:
    """What is signed of a report, in its canonical form.

    Args:
        head: the end of the audit log before it was signed.
    """
    return canonical(_values(report) | {"format": FORMAT, "audit": {"lines": head.lines, "hash": head.hash}})


def _values(report: SignedReport) -> dict[str, Any]:
    content = None if report.content is None else hashlib.sha256(report.content.encode()).hexdigest()
    names = ["report_id", "study_id", "version", "sha256", "html_sha256", "reader", "created_utc", "replaces", "reason"]
    values = {name: getattr(report, name) for name in names}
    return values | {"content_sha256": content, "acknowledged": dict(report.acknowledged)}


def differing(report: SignedReport, values: Mapping[str, Any]) -> list[str]:
    """What the database says of a report otherwise than a statement does, by the names of the statement.

    Statements of earlier versions do not hold the reason.
    """
    row = _values(report)
    if "reason" not in values:
        del row["reason"]
    return [name for name, value in row.items() if name not in values or values[name] != value]


def logged(report: SignedReport) -> dict[str, Any]:
    """What the line of the audit log says of a signed report."""
    line = {"version": report.version, "sha256": report.sha256, "acknowledged": dict(report.acknowledged)}
    if report.replaces is not None or report.reason:
        line |= {"replaces": report.replaces, "reason": report.reason}
    if report.signed is None:
        return line
    statement = hashlib.sha256(report.signed.statement.encode()).hexdigest()
    return line | {"statement_sha256": statement, "key": fingerprint(report.signed.public_key)}
