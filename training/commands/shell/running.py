"""The options that every command has. Runs a command from them, under a progress bar; messages go to standard error."""

import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

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


EXIT_FAILED, EXIT_STOPPED = 1, 130


def run(
    name: str,
    given: Mapping[str, Any],
    device: Device | None,
    seed: int | None,
    preset: str | None,
    settings: list[str] | None,
    resume: bool,
) -> None:
    """Make the config, run the command under a progress bar, show its result; a stop ends with 130."""
    from rich.console import Console

    from training.commands.common import find_command, is_other_rank, make_config
    from training.commands.shell_reporter import ShellReporter, show_result

    config_class, function, presets = find_command(name)
    common = {"device": device.value if device else None, "seed": seed, "resume": resume or None}
    config = make_config(config_class, {**given, **common}, assignments=settings or (), preset=preset, presets=presets)
    with ShellReporter(Console(stderr=True, quiet=is_other_rank())) as reporter:
        result = function(config, reporter)
    if not is_other_rank():
        show_result(name, result)
    if reporter.stop_requested:
        print_message("Stopped; finished work is kept. Run the same command with --resume to continue.")
        raise typer.Exit(EXIT_STOPPED)


def print_message(*lines: str) -> None:
    """Write lines to standard error, once where several processes share a run: what ends one of them ends all."""
    from training.commands.common import is_other_rank
    from training.files.terminal import print_lines

    if not is_other_rank():
        print_lines(*lines, file=sys.stderr)
