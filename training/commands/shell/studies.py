"""Commands about studies: made, indexed, scored, or taken from data sets that others published."""

from pathlib import Path
from typing import Annotated, Any

import typer

from training.commands.shell.running import (
    DeviceOption,
    ModelOption,
    OverwriteOption,
    PresetOption,
    ResumeOption,
    SeedOption,
    SetOption,
    StudyArgument,
    run,
)


def phantom(
    out: Annotated[Path, typer.Argument(metavar="OUT_DIR", help="Folder to write.")],
    studies: Annotated[int | None, typer.Option(min=1, help="Number of studies to render [4].")] = None,
    frames: Annotated[int | None, typer.Option(min=2, help="Frames per study [3000].")] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Render synthetic capsule studies with ground truth."""
    given = {"out": out, "studies": studies, "frames": frames, "overwrite": overwrite or None}
    run("phantom", given, device, seed, preset, settings, resume)


def index(
    path: StudyArgument,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.npz", help="Where to save the index.")] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Show frames, time base, rates, key frames, and what is odd about a file."""
    given = {"path": path, "out": out, "overwrite": overwrite or None}
    run("index", given, device, seed, preset, settings, resume)


def score(
    path: StudyArgument,
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.h5", help="Embedding file to write.")],
    space: Annotated[str | None, typer.Option(metavar="backbone|projection", help="[backbone]")] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Score every frame of a study; embeddings, scores and CAMs go to an HDF5 file."""
    given = {"path": path, "model": model, "out": out, "space": space, "overwrite": overwrite or None}
    run("score", given, device, seed, preset, settings, resume)


def embed_clips(
    path: StudyArgument,
    model: Annotated[
        Path, typer.Option("--model", metavar="RUN_DIR", help="Pretraining that trains clips (videomae, colo-scrl).")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.h5", help="Clip file to write.")],
    stride: Annotated[
        int | None, typer.Option(min=1, help="Frames between the starts of two clips [half a clip].")
    ] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Embed all clips of a study, to find its places in other studies; the vectors go to an HDF5 file."""
    given = {"path": path, "model": model, "out": out, "stride": stride, "overwrite": overwrite or None}
    run("embed-clips", given, device, seed, preset, settings, resume)


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
