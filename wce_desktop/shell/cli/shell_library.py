"""The library in the shell: which one, and the passphrase of an encrypted one."""

import argparse
import getpass
import os
import sys
from pathlib import Path

from training.errors import UserError
from wce_desktop.library.storage import key_file
from wce_desktop.session.places import default_library, library_folder


def add_library(parser: argparse.ArgumentParser) -> None:
    """Add the option for the library's folder."""
    parser.add_argument(
        "--library", type=library_folder, default=default_library(), metavar="DIR", help="the library's folder"
    )


def need_paths(*paths: Path | None) -> None:
    """Raise `UserError` for the first of these inputs at which there is nothing."""
    for path in paths:
        if path is not None and not os.path.lexists(path.expanduser()):
            raise UserError("There is no file or folder {path}.", "Check the path.", repr(str(path)))


def refuse_unused(given: argparse.Namespace, names: str, beside: str) -> None:
    """Raise `UserError` for an option that was given and has no effect.

    Args:
        given: the command line.
        names: attributes of these options, separated by spaces.
        beside: what they belong to: "--format csv".
    """
    for name in names.split():
        if getattr(given, name) not in (None, False, "", []):
            option = {"class_name": "--class", "source": "--from"}.get(name, f"--{name.replace('_', '-')}")
            raise UserError("The option {option} belongs to {other}.", "Leave it out.", option, beside)


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
