"""`wce-desktop check`: read everything that a library holds, and list what is wrong."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from training.errors import UserError
from training.files.terminal import print_error, print_lines
from training.runs.reporter import SilentReporter
from wce_desktop.library import Library
from wce_desktop.library.checking import check_library
from wce_desktop.session.places import account_name, default_library, library_folder
from wce_desktop.session.settings import Settings
from wce_desktop.shell.passphrase import unlock_in_shell

_CHECK = (
    "Read everything that a library holds: database, audit log, frame indexes, scores with embeddings, models, signed "
    "reports with their signatures, and backups. Close the window first. The exit code is 1 where something is wrong."
)


def main(argv: Sequence[str]) -> int:
    """Run `check ...`; returns the process's exit code: 0 where all is sound, 1 after what is wrong or a sentence."""
    folder = _parser().parse_args(argv[1:]).library.expanduser().resolve()
    try:
        if not (folder / "library.sqlite").exists():
            raise UserError(f"There is no library in {folder}.", "Give its folder with --library.")
        unlock_in_shell(folder)
        with Library.open(folder, account_name()) as library:
            chosen = Settings(folder / "settings.json")["copies_folder"]
            if chosen and not Path(chosen).is_dir():
                print_lines(f"The copies in {chosen} cannot be reached and are not compared.")
            result = check_library(library, SilentReporter(), Path(chosen) if chosen else None)
    except UserError as error:
        print_error(error)
        return 1
    for found in (*result.found, *result.notes):
        print_lines(f"{found.part}: {found.problem}")
    print_lines(f"{result.files} parts checked, {len(result.found)} problems.")
    return 1 if result.found else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wce-desktop check", description=_CHECK)
    parser.add_argument(
        "--library", type=library_folder, default=default_library(), metavar="DIR", help="the library's folder"
    )
    return parser
