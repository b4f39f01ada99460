"""`wce-desktop library`: make a library on a server, and copy libraries to and from one."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from training.errors import UserError
from training.files.terminal import print_error, print_lines
from wce_desktop.core.identity import ADDRESSES
from wce_desktop.core.language import tr
from wce_desktop.library import Library
from wce_desktop.library.sharing import copying
from wce_desktop.library.storage import server
from wce_desktop.library.storage.integrity import is_library
from wce_desktop.library.storage.roles import TITLES
from wce_desktop.session.places import library_folder, resource
from wce_desktop.shell.cli.shell_library import ask_passphrase, refuse_unused, unlock_in_shell


def main(argv: Sequence[str]) -> int:
    """Run `library ...`; returns the exit code."""
    given = _parser().parse_args(argv[1:])
    try:
        if given.command == "create":
            folder = given.files.expanduser().resolve()
            copying.create(given.address, folder)
            with Library.open(server.folder_of(given.address), "") as library:  # readers may not choose a model
                starter = library.models.register(resource("models", "starter"), title=tr("Starter model"))
                library.models.set_current(starter.model_id)
            print_lines(f"The library is ready: wce-desktop --library {folder}")
            return 0
        if given.command == "upgrade":
            copying.upgrade(given.address)
            print_lines("The library is up to date.")
            return 0
        if given.command == "allow":
            copying.allow(given.address, given.account, given.role)
            print_lines(f"{given.account}: {given.role} ({TITLES[given.role]}).")
            return 0
        if given.command == "password":
            copying.keep_password(given.address, ask_passphrase("Password: "))
            print_lines("The password is in the system's key store.")
            return 0
        if not given.target.startswith(ADDRESSES):
            refuse_unused(given, "files", "a copy on a server")
        source = given.source.expanduser().resolve()
        if not is_library(source):
            raise UserError("There is no library in {folder}.", "Name the folder of a library.", source)
        unlock_in_shell(source)
        target = (given.files or Path(given.target)).expanduser().resolve()
        rows = copying.copy_library(source, target, given.target if given.target.startswith(ADDRESSES) else "")
        print_lines(f"{rows:,} rows were copied and compared. The library is in {target}.")
        return 0
    except UserError as error:
        print_error(error)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wce-desktop library", description=__doc__.partition(": ")[2])
    commands = parser.add_subparsers(dest="command", required=True)
    create = commands.add_parser("create", help="make an empty library whose database is on a PostgreSQL server")
    create.add_argument("address", type=_address, help="postgresql://server/name: an empty database, without password")
    create.add_argument(
        "--files",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder for its files, which all readers reach",
    )
    upgrade = commands.add_parser("upgrade", help="bring a library on a server up to this version, after a backup")
    upgrade.add_argument("address", type=_address, help="of the library, with the account that made it")
    allow = commands.add_parser("allow", help="let an account of the server use a library")
    allow.add_argument("address", type=_address, help="of the library")
    allow.add_argument("account", help="name of the account on the server")
    allow.add_argument("role", choices=list(TITLES), help="; ".join(f"{role}: {may}" for role, may in TITLES.items()))
    password = commands.add_parser("password", help="keep the password of an account in the system's key store")
    password.add_argument(
        "address", type=_address, help="of the library, with the account: postgresql://anna@server/name"
    )
    copy = commands.add_parser("copy", help="copy a library to a server, or from one; the copy is compared row by row")
    copy.add_argument("source", type=library_folder, metavar="FROM", help="folder or address of a library")
    copy.add_argument("target", metavar="TO", help="a new folder, or the address of an empty database")
    copy.add_argument("--files", type=Path, metavar="DIR", help="folder for the files of a copy on a server")
    return parser


def _address(text: str) -> str:
    if not text.startswith(ADDRESSES):
        raise argparse.ArgumentTypeError("this is no address; write it as postgresql://server/name")
    return text
