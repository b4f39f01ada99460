"""`wce-desktop check`: read everything that a library holds; `wce-desktop check-report`: check a saved report alone."""

import argparse
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from training.errors import UserError
from training.files.terminal import print_error, print_lines
from training.runs.reporter import SilentReporter
from wce_desktop.library import Library
from wce_desktop.library.checking import check_library
from wce_desktop.library.evidence.signature import MOST_BYTES, SUFFIX, Signed, fingerprint, read_file
from wce_desktop.library.storage.integrity import is_library
from wce_desktop.session.places import account_name, settings_file
from wce_desktop.session.settings import Settings
from wce_desktop.shell.cli.shell_library import add_library, need_paths, unlock_in_shell

_CHECK = (
    "Read everything that a library holds: database, audit log, frame indexes, scores with embeddings, models, signed "
    "reports with their signatures, and backups. Close the window first. The exit code is 1 where something is wrong."
)
_CHECK_REPORT = (
    "Check a signed report that was saved: whether the file is the one that was signed, by whom, when and with which "
    "key. It needs the signature file that was saved beside the report."
)


def main(argv: Sequence[str]) -> int:
    """Run `check ...` or `check-report ...`; returns the exit code: 0 where all is sound, 1 after what is wrong."""
    try:
        if argv[0] == "check-report":
            parser = argparse.ArgumentParser(prog="wce-desktop check-report", description=_CHECK_REPORT)
            parser.add_argument("file", type=Path, metavar="FILE", help="the report, PDF or HTML")
            own = f"its signature; by default FILE{SUFFIX}"
            parser.add_argument("--signature", type=Path, metavar="FILE", help=own)
            parser.add_argument("--key", metavar="FINGERPRINT", help="the fingerprint that the reader told you")
            given = parser.parse_args(argv[1:])
            need_paths(given.file, given.signature)
            print_lines(*_check_signature(given.file, given.signature, given.key))
            return 0
        parser = argparse.ArgumentParser(prog="wce-desktop check", description=_CHECK)
        add_library(parser)
        return _check(parser.parse_args(argv[1:]).library.expanduser().resolve())
    except UserError as error:
        print_error(error)
        return 1


def _check(folder: Path) -> int:
    """Print what is wrong with a library; returns the exit code."""
    if not is_library(folder):
        raise UserError(f"There is no library in {folder}.", "Give its folder with --library.")
    unlock_in_shell(folder)
    with Library.open(folder, account_name()) as library:
        chosen = Settings(settings_file(folder))["copies_folder"]
        if chosen and not Path(chosen).is_dir():
            print_lines(f"The copies in {chosen} cannot be reached and are not compared.")
        result = check_library(library, SilentReporter(), Path(chosen) if chosen else None)
    for found in (*result.found, *result.notes):
        print_lines(f"{found.part}: {found.problem}")
    print_lines(f"{result.files} parts checked, {len(result.found)} problems.")
    return 1 if result.found else 0


def _check_signature(file: Path, signature: Path | None, key: str | None) -> list[str]:
    sha256 = _sha256(file)
    signed = _read(signature or _beside(file))
    said = {name: _printable(signed.values.get(name)) for name in ("reader", "created_utc", "version", "study_id")}
    if not signed.fits:
        raise UserError(
            "The signature does not fit: what was signed, the signature or the key was changed.",
            "Do not rely on the report. Ask the reader for it.",
        )
    if sha256 not in (signed.values.get("sha256"), signed.values.get("html_sha256")):
        raise UserError(
            f"{_printable(file.name)} is not the file that was signed: it was changed, or it is another one.",
            "Do not rely on it. Ask the reader for the report.",
        )
    own = fingerprint(signed.public_key)
    if key is not None and _digits(key) != _digits(own):
        raise UserError(f"The report is signed with another key: {own}.", "Ask the reader which key is theirs.")
    lines = [
        "The file is the one that was signed.",
        f"Signed by {said['reader']}, {said['created_utc']}, version {said['version']} of study {said['study_id']}.",
        f"Key: {own} (Ed25519)",
    ]
    if key is None:
        lines.append(
            "Anybody can make a key for any name: compare the fingerprint with the one that the reader tells you."
        )
    return lines


def _beside(file: Path) -> Path:
    places = (file.with_name(file.name + SUFFIX), file.with_suffix(SUFFIX))
    result = next((place for place in places if place.is_file()), None)
    if result is None:
        raise UserError(
            f"There is no signature beside {_printable(file.name)} ({_printable(places[0].name)}).",
            "It was saved without one, or was signed without a key. Name the signature's file with --signature.",
        )
    return result


def _read(file: Path) -> Signed:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise UserError("This is no signature of a report.", f"Choose the file ending in {SUFFIX}.")
        return read_file(file.read_bytes())
    except OSError as error:
        raise UserError(f"{_printable(file.name)} cannot be read ({error.strerror or error}).") from error


def _sha256(file: Path) -> str:
    try:
        if not file.is_file():
            raise UserError(f"There is no file {_printable(str(file))}.", "Check its name.")
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise UserError(f"{_printable(file.name)} cannot be read ({error}).") from error


def _digits(key: str) -> str:
    return re.sub(r"[\s:]", "", key).lower()


def _printable(value: object) -> str:
    """What a file says, without characters that would change the terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(value))[:200]
