"""Writes files about patients: readable by their owner only (permissions; on Windows an ACL), whole or not at all."""

import contextlib
import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

IS_POSIX = os.name == "posix"
_FILES = ("library", "settings", "presets", "speeds", "window")
_FOLDERS = ("studies", "models", "runs", "backups", "maps", "indexes", "reports")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def keep_new_files_private() -> None:
    """Let this process, and those that it starts, make files and folders that only their owner can read."""
    if IS_POSIX:
        os.umask(_OTHERS)


def make_private_file(path: Path) -> None:
    """Make an empty file that only its owner can read, if there is none.

    Raises:
        OSError: it cannot be made.
    """
    path.touch(mode=0o600, exist_ok=True)


@contextlib.contextmanager
def replacing(file: Path, beside: Path | None = None) -> Iterator[Path]:
    """A private file that is written beside another one and takes its place at the end; it is deleted after an error.

    Args:
        file: what is replaced, or made.
        beside: the file that is written; by default it has the same name, ending in `.partial`.

    Raises:
        OSError: it cannot be written; what was there before is unchanged.
    """
    beside = file.with_name(f"{file.name}.partial") if beside is None else beside
    beside.unlink(missing_ok=True)
    try:
        make_private_file(beside)
        yield beside
        put_in_place(beside, file)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def restrict_access(path: Path) -> None:
    """Remove the permissions of group and others from a file, if allowed."""
    if not IS_POSIX:
        return
    try:
        status = path.lstat()
        if not stat.S_ISLNK(status.st_mode) and status.st_mode & _OTHERS:
            path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)
    except OSError:
        return  # another user's file, or a read-only disk: the library still works


def share_like(folder: Path, copied: Path) -> None:
    """Give what was copied into a folder, with all that is in it, the permissions of the folder, if allowed.

    The folder of a library on a server is also for the accounts of other readers.
    """
    if not IS_POSIX:
        return
    mode = stat.S_IMODE(folder.stat().st_mode)
    for path in (path for path in (copied, *copied.rglob("*")) if not path.is_symlink()):
        with contextlib.suppress(OSError):
            path.chmod(mode if path.is_dir() else mode & 0o666)


def restrict_access_to_library(folder: Path) -> None:
    """Tighten a library that an older version made: its folder, and everything that the program wrote into it.

    A folder that is shared by all users (such as /tmp), or that holds other things too, stays as it is.
    """
    if not IS_POSIX:
        if not _holds_other_things(folder):
            _restrict_on_windows(folder)
        return
    if not folder.stat().st_mode & stat.S_ISVTX and not _holds_other_things(folder):
        restrict_access(folder)
    for path in (path for name in _FILES for path in folder.glob(f"{name}.*")):
        restrict_access(path)
    for place, _, names in (entry for part in _FOLDERS for entry in os.walk(folder / part)):
        for path in (Path(place), *(Path(place, name) for name in names)):
            restrict_access(path)


def _restrict_on_windows(folder: Path) -> None:
    """Give a folder, with all that is in it, to this user and the system only.

    Folders of the user's profile are so already; this is for libraries on other disks. It was not run on Windows yet.
    """
    user = os.environ.get("USERNAME", "")
    if not user:
        return
    domain = os.environ.get("USERDOMAIN", "")
    account = f"{domain}\\{user}" if domain else user
    system = "*S-1-5-18"  # by number: its name depends on the language
    grants = [f"{account}:(OI)(CI)F", f"{system}:(OI)(CI)F"]
    with contextlib.suppress(OSError, subprocess.SubprocessError):  # a share without ACLs: the library still works
        command = ["icacls", str(folder), "/inheritance:r", "/grant:r", *grants, "/q"]
        subprocess.run(command, check=False, capture_output=True, timeout=60)


def _holds_other_things(folder: Path) -> bool:
    return any(path.name.lstrip(".").split(".")[0] not in (*_FILES, *_FOLDERS) for path in folder.iterdir())


def put_in_place(beside: Path, file: Path) -> None:
    """Replace a file by one that was written beside it, so that a power cut leaves one or the other."""
    with beside.open("rb+") as written:
        os.fsync(written.fileno())
    beside.replace(file)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can."""
    if IS_POSIX:
        place = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
