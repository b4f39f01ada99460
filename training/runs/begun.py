"""What a run was begun with: its config.json, and whether somebody who resumes it asks for the same."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from training.errors import UserError
from training.files.json_text import read_json_object


def begun_fields(config: Path, command: str, what: str) -> dict[str, Any]:
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
            f"The run folder {config.parent} is incomplete: its config.json is missing or damaged.",
            "Start a new run in another folder.",
        ) from error
    if found != command:
        raise UserError(f"The run in {config.parent} is not a {what} but a {found}.", "Choose another folder.")
    return fields


def check_same(folder: Path, begun: BaseModel, asked: BaseModel, names: Iterable[str]) -> None:
    """Raise `UserError` for the first of these settings that was asked for differently than the run was begun with."""
    for name in sorted(names):
        wanted, was = getattr(asked, name), getattr(begun, name)
        if wanted != was and wanted is not None:
            raise UserError(
                f"The run in {folder} was begun with {name} = {was}, not {wanted}.",
                "Resume it without that setting, or start a new run.",
            )


def resolved_start(init: str, names: Iterable[str]) -> str:
    """A start that is a path, as an absolute path; one of the names as it is."""
    return init if init in names else str(Path(init).resolve())
