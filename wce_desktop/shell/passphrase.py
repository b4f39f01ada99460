"""Asks in the shell for the passphrase of an encrypted library."""

import getpass
import sys
from pathlib import Path

from wce_desktop.library.storage import key_file


def unlock_in_shell(folder: Path) -> None:
    """Unlock a locked library; without a terminal the passphrase is the first line of the standard input.

    Raises:
        UserError: the passphrase is not that of the library.
    """
    folder = folder.expanduser().resolve()
    if key_file.is_locked(folder):
        typed = getpass.getpass("Passphrase of the library: ") if sys.stdin.isatty() else sys.stdin.readline()
        key_file.unlock(folder, typed.rstrip("\r\n"))
