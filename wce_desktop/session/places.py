"""Folders on this computer, the resources of the application, and the account name."""

import argparse
import getpass
import hashlib
import json
from pathlib import Path

import platformdirs

import wce_desktop
from training.errors import UserError, writing
from training.files import stores
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from training.texts import Text

APP_NAME = "wce-desktop"
_PACKAGE = Path(wce_desktop.__file__).resolve().parent


def account_name() -> str:
    """The name of this computer's account, for labels whose reader gave no other name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user in a container
        return "reader"


def is_there(path: Path) -> bool:
    """Whether there is a file or folder; a name that is too long for the system is not there either.

    What is on a store counts as there: it is asked when it is opened.
    """
    try:
        return path.exists() or bool(stores.address_of(path))
    except OSError:
        return False


def library_folder(text: str) -> Path:
    """The folder that `--library` names; raises `ArgumentTypeError` for a name that no folder can have."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty")
    from wce_desktop.core.identity import ADDRESSES  # the resources are found without the rest of the program

    if text.startswith(ADDRESSES):
        from wce_desktop.library.storage.server import folder_of  # SQLAlchemy takes long to import

        return folder_of(text)
    try:
        Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: “~” and a user who does not exist
        reason = getattr(error, "strerror", None) or str(error)
        raise argparse.ArgumentTypeError(f"“{text[:60]}” cannot name a folder ({reason})") from error
    return Path(text)


def settings_file(folder: Path) -> Path:
    """The settings of the library in a folder; those of a library on a server are kept by each account."""
    from wce_desktop.core.identity import SERVER_FILE

    try:
        name = hashlib.sha256((folder / SERVER_FILE).read_bytes()).hexdigest()[:16]
    except OSError:  # none, or its folder cannot be reached
        return folder / "settings.json"
    own = Path(platformdirs.user_config_dir(APP_NAME, appauthor=False)) / "shared" / name
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    return own / "settings.json"


def usual_library() -> Path:
    """The library of a computer on which no other place was chosen."""
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False)) / "library"


def default_library() -> Path:
    """The library that opens when none is named: the one that was moved or chosen last, else the usual one."""
    try:
        noted = read_json_object(remembered_file(), "note of the library")
    except (UserError, OSError):
        return usual_library()
    chosen, address = noted.get("folder"), noted.get("address")
    if not isinstance(chosen, str) or not Path(chosen).is_absolute():
        return usual_library()
    if isinstance(address, str):
        from wce_desktop.library.storage.server import OWN_ADDRESSES

        OWN_ADDRESSES[Path(chosen)] = address
    return Path(chosen)


def remember_library(folder: Path) -> None:
    """Open this library when none is named.

    Raises:
        UserError: it cannot be noted.
    """
    from wce_desktop.library.storage.server import OWN_ADDRESSES

    noted = {"folder": str(folder)}
    if folder in OWN_ADDRESSES:
        noted["address"] = OWN_ADDRESSES[folder]
    with writing(remembered_file(), hint=Text("Start the program with --library “{folder}”.", folder)):
        remembered_file().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with written_beside(remembered_file()) as beside:
            beside.write_text(json.dumps(noted), encoding="utf-8")


def remembered_file() -> Path:
    """Where the place of the library is noted."""
    return Path(platformdirs.user_config_dir(APP_NAME, appauthor=False)) / "library.json"


def demo_library() -> Path:
    """The library of the demo."""
    return Path(platformdirs.user_data_dir(APP_NAME, appauthor=False)) / "demo"


def log_file() -> Path:
    """The log file."""
    return Path(platformdirs.user_log_dir(APP_NAME, appauthor=False)) / "wce-desktop.log"


def resources_folder() -> Path:
    """The resources of an installed wheel (`wce_desktop/_resources`), or those of the checkout (`resources`).

    Raises:
        FileNotFoundError: when the installation is incomplete.
    """
    for folder in (_PACKAGE / "_resources", _PACKAGE.parent / "resources"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no resources beside {_PACKAGE}: the installation is incomplete")


def resource(*parts: str) -> Path:
    """One of the resources, such as `resource("labels", "default.json")`.

    Raises:
        FileNotFoundError: when it is missing.
    """
    path = resources_folder().joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"the installation lacks {path}")
    return path
