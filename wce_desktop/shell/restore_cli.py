"""`wce-desktop restore`: list a library's backups in the shell, and put one of them in the place of the database."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from training.errors import UserError
from training.files.terminal import print_error, print_lines
from wce_desktop.library.backup import backups
from wce_desktop.library.storage.keeping import keep_database
from wce_desktop.library.storage.plain_mark import is_replaced
from wce_desktop.session.places import default_library, library_folder
from wce_desktop.shell.passphrase import unlock_in_shell

_RESTORE = "List the backups of a library and their contents, or restore one. The replaced database is kept."


def main(argv: Sequence[str]) -> int:
    """Run `restore ...`; returns the process's exit code: 0, or 1 after a sentence on stderr."""
    arguments = _parser().parse_args(argv[1:])
    folder = arguments.library.expanduser().resolve()
    try:
        if arguments.keep and is_replaced(folder):
            keep_database(folder)  # it is plain: no passphrase is needed
        unlock_in_shell(folder)
        if arguments.keep:
            keep_database(folder)
            print_lines(f"The database in {folder} is kept.")
        elif arguments.backup is None:
            _list(folder)
        else:
            taken = backups.restore_backup(folder, _file_of(folder, arguments.backup))
            print_lines(f"{taken.name} was restored. The previous database is kept in {folder}.")
    except UserError as error:
        print_error(error)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wce-desktop restore", description=_RESTORE)
    parser.add_argument(
        "--library", type=library_folder, default=default_library(), metavar="DIR", help="the library's folder"
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--keep",
        action="store_true",
        help="keep the present database where it is not opened: a plain one of an encrypted library, or the own tables "
        "of one that another program changed; it is copied before",
    )
    choice.add_argument(
        "--backup", type=Path, metavar="FILE", help="restore this backup: a name from the list, or a file"
    )
    return parser


def _file_of(folder: Path, named: Path) -> Path:
    """A name of the list stands for the file in the library's folder."""
    inside = folder / "backups" / named
    return inside if len(named.parts) == 1 and inside.is_file() else named


def _list(folder: Path) -> None:
    found = backups.listed_backups(folder)
    if not found:
        raise UserError(f"There are no backups of a library in {folder}.", "Give its folder with --library.")
    print_lines(*(one.line for one in found))
    print("\nTo restore one of them, add --backup and its name.")
