"""What killed processes left in a library's folder; it is removed when the library is opened for writing.

Half-written files whose names end in plain `.partial` are scorings that can go on: their flags are shown, and they stay
as long as their study and model are in the library.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, select

from training.files.left_parts import remove_left_parts
from wce_desktop.library import tables
from wce_desktop.library.storage.integrity import PARTS
from wce_desktop.library.storage.network import network_kind

_PLACES = (*PARTS, "reports", "maps")
_UNFINISHED = re.compile(r"(?:embeddings|clips)-(.+)\.h5\.partial")
_DAY_SECONDS = 24 * 3600


def remove_left_behind(folder: Path) -> None:
    """Remove parts of files whose processes have ended; a background job may outlive the window.

    On a network share a process may run on another computer: there a part stays for a day.
    """
    min_age_seconds = _DAY_SECONDS if network_kind(folder) else 0
    remove_left_parts(folder, min_age_seconds=min_age_seconds)
    for place in _PLACES:
        remove_left_parts(folder / place, is_deep=True, min_age_seconds=min_age_seconds)


def remove_orphans(folder: Path, engine: Engine) -> None:
    """Remove unfinished scorings whose study, or whose model or run, is no longer in the library."""
    for path in (folder / "studies").glob("*/embeddings-*.h5.rescored*"):  # begun anew, which takes seconds
        with suppress(OSError):
            path.unlink()
    found = [path for path in (folder / "studies").glob("*/*.h5.partial") if _UNFINISHED.fullmatch(path.name)]
    if not found:
        return
    with engine.connect() as connection:
        studies, models, runs = (_ids(connection, name) for name in ("studies", "models", "runs"))
    for path in found:
        match = _UNFINISHED.fullmatch(path.name)
        made_by = match[1] if match else ""
        has_maker = made_by in models or any(made_by.startswith(f"{run}-") for run in runs)
        if path.parent.name not in studies or not has_maker:
            with suppress(OSError):
                path.unlink()


def _ids(connection: Connection, name: str) -> frozenset[str]:
    """The ids in a table, also those of rows that break a rule."""
    table = tables.metadata.tables[name]
    return frozenset(map(str, connection.scalars(select(next(iter(table.primary_key))))))
