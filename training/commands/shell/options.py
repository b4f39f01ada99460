"""Options that every command has."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Device(StrEnum):
    """Where a model runs."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"
    mps = "mps"


DeviceOption = Annotated[
    Device | None, typer.Option("--device", help="Device to compute on; auto: the fastest one available.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", min=0, help="Seed of all random numbers.")]
PresetOption = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="A named set of settings.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any other setting; repeatable.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Continue what an earlier call left unfinished.")]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Also replace files that this program did not write; never an input.")
]
StudyArgument = Annotated[Path, typer.Argument(metavar="PATH", help="Video file or folder of images.")]
ModelOption = Annotated[Path, typer.Option("--model", metavar="MODEL_DIR", help="Model folder, or run folder.")]
