"""Settings of a started run: reading its config.json, and checking them when the run is resumed."""

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from training.errors import UserError
from training.files.json_text import read_json_object
from training.runs.reporter import Cancelled
from training.texts import Text

CONFIG = "config.json"


def stored_settings(config: Path, command: str, what: str) -> dict[str, Any]:
    """The settings in a run folder's config.json.

    Args:
        config: the file.
        command: whose run it must be.
        what: that command's run in words ("finetuning").

    Raises:
        UserError: the folder is half-written, or belongs to another command.
    """
    try:
        content = read_json_object(config)
        found, fields = content["command"], dict(content["config"])
    except (UserError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            "The run folder {parent} is incomplete: its config.json is missing or damaged.",
            "Start a new run in another folder.",
            config.parent,
        ) from error
    if found != command:
        raise UserError(
            "The run in {parent} is not a {what} but a {found}.",
            "Choose another folder.",
            config.parent,
            Text(what),
            found,
        )
    return fields


def check_same(folder: Path, stored: BaseModel, asked: BaseModel, names: Iterable[str]) -> None:
    """Raise `UserError` for the first of these settings that differs from the stored one."""
    for name in sorted(names):
        wanted, was = getattr(asked, name), getattr(stored, name)
        if wanted != was and wanted is not None:
            raise UserError(
                "The run in {folder} was started with {name} = {was}, not {wanted}.",
                "Resume it without that setting, or start a new run.",
                folder,
                name,
                was,
                wanted,
            )


def resolved_start(init: str, names: Iterable[str]) -> str:
    """A start that is a path, as an absolute path; one of the names as it is."""
    return init if init in names else str(Path(init).resolve())


def is_empty(folder: Path) -> bool:
    """Whether there is no such folder, or nothing in it."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def stored_command(folder: Path) -> str:
    """The command whose run or report a folder holds; empty where its config.json does not say so."""
    try:
        content = read_json_object(folder / CONFIG)
    except UserError:
        return ""
    return str(content.get("command", "")) if isinstance(content.get("config"), dict) else ""


def run_folder_check(
    command: str, what: str, name: str = "run folder", *, parts: Collection[str] = (), needs_resume: bool = True
) -> Callable[[Path, Any], None]:
    """What `OutputFolder` asks of a folder that takes one run: it is empty, or holds this run and it is resumed.

    Args:
        command: whose run.
        what: that run in words ("finetuning").
        name: of the folder, in words.
        parts: names that may be in the folder before the run starts.
        needs_resume: whether a run that is there continues only with `resume`.
    """

    def check(folder: Path, config: Any) -> None:
        if is_empty(folder):
            return
        is_mine = folder.is_dir() and (stored_command(folder) == command or _names(folder) <= set(parts))
        if is_mine and (config.resume or not needs_resume):
            return
        if config.resume and needs_resume and folder.is_dir():
            stored_settings(folder / CONFIG, command, what)  # says what is there instead
        hint = "Choose another one, or continue with --resume." if needs_resume else "Choose another one."
        raise UserError(Text("The {name} {folder} is not empty.", name, folder), hint)

    return check


@contextmanager
def removed_if_refused(folder: Path, has_results: Callable[[], bool]) -> Iterator[None]:
    """Take away what a start wrote into its folder when it fails before it made anything worth keeping.

    Otherwise the folder would not be empty for the corrected command. What was there before stays, and a cancelled
    start stays too: the same command continues it.

    Args:
        folder: of the run; may not exist yet.
        has_results: whether there is a checkpoint, a finished part, or the like.
    """
    before = _names(folder) if folder.is_dir() else set()
    new_folders = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        yield
    except Cancelled:
        raise
    except Exception:
        if not has_results():
            _remove(folder, before, new_folders)
        raise


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _remove(folder: Path, before: set[str], new_folders: Iterable[Path]) -> None:
    with suppress(OSError):  # the reason of the refusal is what the person must read
        for path in [*folder.iterdir()] if folder.is_dir() else []:
            if path.name in before:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        for each in new_folders:
            each.rmdir()  # only an empty one goes
