"""Signatures of reports: what is signed, with which key, and whether a signature fits.

A statement is a JSON object. What is signed (Ed25519) are the bytes of its canonical form: names sorted, no spaces,
UTF-8.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from training.errors import UserError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM = "Ed25519"
FORMAT = "wce-desktop signed report 1"
SUFFIX = ".signature.json"
"""Of the file beside a signed report that holds statement, public key and signature."""
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
            found = json.loads(self.statement)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

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
