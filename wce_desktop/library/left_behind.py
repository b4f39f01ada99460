"""What killed processes left in a library's folder; it is removed when the library is opened for writing.

Half-written files whose names end in plain `.partial` are scorings that can go on: their flags are shown, and they stay
as long as their study and model are in the library.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Engine

from training.files.scratch import remove_left_parts
from wce_desktop.library.forgetting.finishing import ids_in
from wce_desktop.library.storage.integrity import PARTS
from wce_desktop.library.storage.network import network_kind

_PLACES = (*PARTS, "reports", "maps", "indexes")
_UNFINISHED = re.compile(r"(?:embeddings|clips)-(.+)\.h5\.partial")
_HALF_WRITTEN = ("library.sqlite.restored*", "library.key.partial", "library.plain.partial")
"""In the library's folder: parts of a restored database, a key file and a mark; nothing else writes them meanwhile."""
_HALF_BACKUPS = ("library-*.sqlite.partial*", "library.key.partial")
_DAY_SECONDS = 24 * 3600


def remove_left_behind(folder: Path) -> None:
    """Remove parts of files whose processes have ended; a background job may outlive the window.

    On a network share a process may run on another computer: there a part stays for a day.
    """
    min_age_seconds = _DAY_SECONDS if network_kind(folder) else 0
    remove_left_parts(folder, min_age_seconds=min_age_seconds)
    for place in _PLACES:
        remove_left_parts(folder / place, is_deep=True, min_age_seconds=min_age_seconds)
    for parent, patterns in ((folder, _HALF_WRITTEN), (folder / "backups", _HALF_BACKUPS)):
        for path in (path for pattern in patterns for path in parent.glob(pattern)):
            with suppress(OSError):
                path.unlink()


def remove_orphans(folder: Path, engine: Engine) -> None:
    """Remove unfinished scorings whose study, or whose model or run, is no longer in the library."""
    for path in (folder / "studies").glob("*/embeddings-*.h5.rescored*"):  # begun anew, which takes seconds
        with suppress(OSError):
            path.unlink()
    found = [path for path in (folder / "studies").glob("*/*.h5.partial") if _UNFINISHED.fullmatch(path.name)]
    if not found:
        return
    studies, models, runs = (ids_in(engine, name) for name in ("studies", "models", "runs"))
    for path in found:
        match = _UNFINISHED.fullmatch(path.name)
        made_by = match[1] if match else ""
        has_maker = made_by in models or any(made_by.startswith(f"{run}-") for run in runs)
        if path.parent.name not in studies or not has_maker:
            with suppress(OSError):
                path.unlink()
