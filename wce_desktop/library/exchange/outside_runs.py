"""Runs that were made by the shell, on this computer or another one, as runs of the library."""

import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, cast, get_args

from training.errors import UserError, writing
from training.runs.folder import STATE
from training.runs.resume import stored_command
from wce_desktop.library import Library
from wce_desktop.library.run_files import read_json
from wce_desktop.library.runs import EXPERIMENTS, Run, RunKind, RunState
from wce_desktop.library.storage import private


def check_run(folder: Path) -> RunKind:
    """The kind of the run in a folder; raises `UserError` where there is none."""
    kind = stored_command(folder)
    kind = "experiment" if kind in EXPERIMENTS else kind
    if kind not in get_args(RunKind):
        raise UserError(
            "{folder} is not a run folder.",
            "Choose the folder that was given as --out; it holds config.json and log.txt.",
            folder.name,
        )
    return cast("RunKind", kind)


def add_run(library: Library, folder: Path, classes: Collection[str] = ()) -> Run:
    """Copy a run folder into the library, and its model as one that can be used; the folder stays as it is.

    A run that has not ended counts as interrupted, and can be resumed. Its title is the folder's name.
    `classes`: see `Models.register`.

    Raises:
        UserError: it is no run folder, its model is in the library already, or the disk is full.
    """
    began = str(read_json(folder / STATE).get("began_utc") or "")
    run = library.runs.add(folder.name, kind=check_run(folder), created_utc=began)
    try:
        with writing(run.folder):
            shutil.copytree(folder, run.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.tmp"))
            private.share_like(run.folder.parent, run.folder)
        if run.kind == "finetune" and (folder / "model").is_dir():
            library.models.register(run.folder / "model", title=run.title, run_id=run.run_id, classes=classes)
    except UserError:
        library.runs.delete(run.run_id)
        raise
    state, summary = _ending(folder)
    if state != "running":
        library.runs.finish(run.run_id, state, summary)
    return next(each for each in library.runs.all() if each.run_id == run.run_id)


def _ending(folder: Path) -> tuple[RunState, Mapping[str, Any]]:
    """How the run ended; one of an older version says so only in its card or report."""
    card, stated = read_json(folder / "card.json"), read_json(folder / STATE).get("state")
    facts: dict[str, Any] = {name: card[name] for name in ("steps_done", "steps") if name in card}
    if stated in ("failed", "cancelled", "running"):
        return cast("RunState", stated), facts
    if stated or card or (folder / "report.json").is_file():
        return "done", {**facts, "finished": stated == "done" if stated else card.get("finished", True)}
    return "running", facts
