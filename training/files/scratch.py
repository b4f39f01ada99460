"""Folders for files that only live as long as a process: what a killed one leaves is removed by a later one."""

import os
import re
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_DAY_SECONDS = 24 * 3600


def scratch_prefix(kind: str) -> str:
    """How the name of a temporary folder begins that `remove_abandoned` removes once this process has ended."""
    return f"wce-{kind}-{os.getpid()}-"


def may_still_run(path: Path, pid: str) -> bool:
    """Whether the process that made a file or folder, with its id in the name, may still run."""
    return pid.isdecimal() and _may_be_used(path, int(pid))


def make_scratch_folder(kind: str, place: Path | None = None) -> Path:
    """A new folder that only this user can read, named after `kind` (letters and dashes) and this process.

    It lies in the system's folder for temporary files, where no other place is given.
    """
    return Path(tempfile.mkdtemp(prefix=scratch_prefix(kind), dir=place))


def remove_abandoned(kind: str, place: Path | None = None) -> list[Path]:
    """Remove this user's folders of processes that have ended; returns those that were removed."""
    name = re.compile(rf"wce-{re.escape(kind)}-(\d+)-.+")
    result = [
        (path, name.fullmatch(path.name)) for path in (place or Path(tempfile.gettempdir())).glob(f"wce-{kind}-*")
    ]
    abandoned = [path for path, match in result if match and _is_ours(path) and not _may_be_used(path, int(match[1]))]
    for path in abandoned:
        shutil.rmtree(path, ignore_errors=True)
    return abandoned


def _is_ours(path: Path) -> bool:
    try:
        result = path.lstat()
    except OSError:  # another process has just removed it
        return False
    return stat.S_ISDIR(result.st_mode) and (os.name != "posix" or result.st_uid == os.getuid())


def _may_be_used(path: Path, pid: int) -> bool:
    """Whether its process may still run. Windows cannot be asked without harm: there a folder is kept for a day."""
    if os.name != "posix":
        return time.time() - path.lstat().st_mtime < _DAY_SECONDS
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


_PART = re.compile(r"\.(?:.+\.)?partial-(\d+)(?:-\d+)?")


def remove_left_parts(folder: Path, *, is_deep: bool = False, min_age_seconds: float = 0) -> None:
    """Remove the parts in a folder whose processes have ended; what cannot be removed stays.

    An id may have been given to another process since: then the part stays until that one has ended, too. `is_deep`
    looks into the folders below, too, without following links. The folder need not exist.
    """
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            match = _PART.fullmatch(name)
            if match:
                _remove_left(Path(place, name), match[1], min_age_seconds)
        folders[:] = [name for name in folders if not _PART.fullmatch(name)] if is_deep else []


def _remove_left(part: Path, pid: str, min_age_seconds: float) -> None:
    with suppress(OSError):
        if may_still_run(part, pid) or time.time() - part.lstat().st_mtime < min_age_seconds:
            return
        if part.is_dir() and not part.is_symlink():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink()
