"""Unique ids for stored and exported items."""

import os
import re
import secrets
from pathlib import Path

from training.errors import UserError

_RANDOM = re.compile(r"[a-z]-[0-9a-f]{16}")
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def new_id(prefix: str = "") -> str:
    """A new random identity of 16 hexadecimal digits after `prefix`; two libraries never make the same one."""
    return prefix + secrets.token_hex(8)


def is_safe_id(text: str) -> bool:
    """Whether `text` may name a study, patient or model: 1 to 64 of A-Z a-z 0-9 . _ - and so a folder on any system."""
    return _SAFE.fullmatch(text) is not None and not text.endswith(".")


def is_random_id(text: str) -> bool:
    """Whether `text` is a random identity with a prefix, such as the id of a study: it tells a person nothing."""
    return _RANDOM.fullmatch(text) is not None


SERVER_FILE = "server.json"
"""In the folder of a library whose database is on a server: `{"database": "postgresql://host/name"}`."""
ADDRESSES = ("postgresql://", "postgres://")
"""How the address of such a database begins."""


def is_on_server(folder: Path) -> bool:
    """Whether the database of the library in a folder is on a server.

    Raises:
        UserError: this account may not read the folder.
    """
    try:
        if not (folder / SERVER_FILE).is_file():
            return False
        is_readable = os.access(folder / SERVER_FILE, os.R_OK)
    except PermissionError:
        is_readable = False
    if not is_readable:
        raise UserError(
            "Your account on this computer may not read the library's folder {folder}.",
            "Ask the library's administrator for the right to read and write there.",
            folder,
        )
    return True
