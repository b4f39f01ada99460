"""What killed processes left half-written: hidden files and folders whose names end in the id of a process."""

import os
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

from training.files.scratch import may_still_run

_PART = re.compile(r"\.(?:.+\.)?partial-(\d+)(?:-\d+)?")


def remove_left_parts(folder: Path, *, is_deep: bool = False, min_age_seconds: float = 0) -> None:
    """Remove the parts in a folder whose processes have ended; what cannot be removed stays.

    An id may have been given to another process since: then the part stays until that one has ended, too.

    Args:
        folder: need not exist.
        is_deep: whether to look into the folders below, too; links are not followed.
        min_age_seconds: younger parts stay.
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
