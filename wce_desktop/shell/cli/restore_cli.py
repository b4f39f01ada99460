"""`wce-desktop restore`: list backups or copies of a library in the shell, and restore one of them."""

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from training.errors import UserError
from training.files.terminal import print_error, print_lines
from wce_desktop.library.backup import backups
from wce_desktop.library.backup.recovery import Copy, Recovery, find_copies
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.library.storage.opening import keep_database
from wce_desktop.library.storage.sqlite_file import is_encrypted
from wce_desktop.session.places import account_name
from wce_desktop.shell.cli.shell_library import (
    add_library,
    ask_passphrase,
    need_paths,
    refuse_unused,
    unlock_backup_in_shell,
    unlock_in_shell,
)

_RESTORE = (
    "List the backups of a library and their contents, or restore one. The replaced database is kept. "
    "With --from, the same for copies in another folder, which also bring key file, signed reports, models and "
    "settings: on a new computer nothing else is needed."
)


def main(argv: Sequence[str]) -> int:
    """Run `restore ...`; returns the process's exit code: 0, or 1 after a sentence on stderr."""
    arguments = _parser().parse_args(argv[1:])
    folder = arguments.library.expanduser().resolve()
    try:
        if arguments.keep:
            refuse_unused(arguments, "source", "a restore without --keep")
        need_paths(arguments.source)
        if arguments.keep and encrypting.is_replaced(folder):
            keep_database(folder)  # it is plain: no passphrase is needed
        with suppress(key_file.EarlierPassphraseError):  # it opens backups of that time
            unlock_in_shell(folder)
        if arguments.keep:
            keep_database(folder)
            print_lines(f"The database in {folder} is kept.")
        elif arguments.source is not None:
            _copies(arguments.source.expanduser().resolve(), arguments.backup, folder)
        elif arguments.backup is None:
            _list(folder)
        else:
            chosen = _file_of(folder, arguments.backup)
            unlock_backup_in_shell(folder, chosen)
            taken = backups.restore_backup(folder, chosen, reader=account_name())
            print_lines(f"{taken.name} was restored. The previous database is kept in {folder}.")
    except UserError as error:
        print_error(error)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wce-desktop restore", description=_RESTORE)
    add_library(parser)
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
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="FOLDER", help="take copies from this folder instead of backups"
    )
    return parser


def _copies(source: Path, named: Path | None, folder: Path) -> None:
    """List the copies in a folder, or restore the named one."""
    copies = find_copies(source)
    if named is None:
        print_lines(*(_line(copy, source) for copy in copies), "", "To restore one of them, add --backup and its name.")
        return
    recovery = Recovery(_copy_named(copies, source, named))
    try:
        if recovery.is_locked:
            recovery.unlock(ask_passphrase("Passphrase of the copy: "))
        if count := recovery.locked_reports():
            print_lines(f"{count} files of signed reports were encrypted later, with another passphrase.")
            if typed := ask_passphrase("That passphrase (empty: restore without these reports): "):
                recovery.unlock_reports(typed)
        is_encrypted_copy = is_encrypted(recovery.copy)
        recovery.restore(folder, account_name())
    finally:
        recovery.close()
    print_lines(f"{recovery.copy.name} was restored. The library is in {folder}.")
    if recovery.missing_reports:
        print_lines(f"{recovery.missing_reports} files of signed reports are missing: wce-desktop check names them.")
    if is_encrypted_copy and not is_encrypted(folder / "library.sqlite"):
        print_lines("The copy is encrypted and the library in that folder was not: what was restored is not either.")


def _copy_named(copies: Sequence[Copy], source: Path, named: Path) -> Path:
    paths = [copy.path for copy in copies if named in (Path(copy.path.name), copy.path.relative_to(source), copy.path)]
    if len(paths) == 1:
        return paths[0]
    if paths:
        raise UserError(f"{named} is there more than once.", "Name it with its folder, as the list does.")
    raise UserError(f"There is no copy {named}.", "Take a name from the list; leave out --backup to see it.")


def _line(copy: Copy, source: Path) -> str:
    contents = copy.contents.in_words if copy.contents is not None else "encrypted"
    library = f"  ({copy.library})" if copy.library else ""
    return f"{copy.path.relative_to(source)}  {copy.backup.local_time}  {contents}{library}"


def _file_of(folder: Path, named: Path) -> Path:
    """A name of the list stands for the file in the library's folder."""
    inside = (folder / "backups" / named, folder / named) if len(named.parts) == 1 else ()
    return next((path for path in inside if path.is_file()), named)


def _list(folder: Path) -> None:
    result = backups.listed_backups(folder)
    if not result:
        raise UserError(f"There are no backups of a library in {folder}.", "Give its folder with --library.")
    print_lines(*(one.line for one in result))
    print("\nTo restore one of them, add --backup and its name.")
