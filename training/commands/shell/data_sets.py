"""Commands about data sets that others published."""

from pathlib import Path
from typing import Annotated, Any

import typer

from training.commands.shell.options import OverwriteOption, PresetOption, ResumeOption, SetOption
from training.commands.shell.running import run


def datasets(
    action: Annotated[str, typer.Argument(metavar="list|check|export", help="Action.")],
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Name of the data set, as printed by list.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Folder that holds the unpacked data set.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR2", help="Folder to export into.")] = None,
    overwrite: OverwriteOption = False,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Check a public data set as it was downloaded, or export it: images, manifest, labels and boxes."""
    given: dict[str, Any] = {"action": action, "name": name, "folder": folder, "out": out}
    given |= {"overwrite": overwrite or None}
    run("datasets", given, None, None, preset, settings, resume)
