"""The library in the shell: which one, and the passphrase of an encrypted one."""

import argparse
import getpass
import sys
from pathlib import Path

from wce_desktop.library.storage import key_file
from wce_desktop.session.places import default_library, library_folder


def add_library(parser: argparse.ArgumentParser) -> None:
    """Add the option for the library's folder."""
    parser.add_argument(
        "--library", type=library_folder, default=default_library(), metavar="DIR", help="the library's folder"
    )


def unlock_in_shell(folder: Path) -> None:
    """Unlock a locked library; without a terminal the passphrase is the first line of the standard input.

    Raises:
        UserError: the passphrase is not that of the library.
    """
    folder = folder.expanduser().resolve()
    if key_file.is_locked(folder):
        key_file.unlock(folder, ask_passphrase("Passphrase of the library: "))


def unlock_backup_in_shell(folder: Path, backup: Path) -> None:
    """Ask for the earlier passphrase of a backup where it needs one; without a terminal it is the next line.

    Raises:
        UserError: the passphrase is not that of the backup.
    """
    if key_file.needs_passphrase(folder, backup):
        key_file.unlock_backup(folder, backup, ask_passphrase("Earlier passphrase, of the backup: "))


def ask_passphrase(prompt: str) -> str:
    """Ask for a passphrase; without a terminal it is the next line of the standard input."""
    typed = getpass.getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline()
    return typed.rstrip("\r\n")
