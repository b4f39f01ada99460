"""The command that compares pretraining methods."""

from pathlib import Path
from typing import Annotated, Any

import typer

from training.commands.shell.options import DeviceOption, PresetOption, ResumeOption, SeedOption, SetOption
from training.commands.shell.running import run
from training.experiments.benchmark.comparison import METHODS


def benchmark(
    methods: Annotated[
        str,
        typer.Option("--methods", metavar="NAME,...", help=f"Methods to compare: {', '.join(METHODS)}."),
    ],
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Labels of the images or of the frames.")],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write; finished results in it are reused."),
    ],
    images: Annotated[Path | None, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")] = None,
    studies: Annotated[
        Path | None, typer.Option("--studies", metavar="MANIFEST", help="Manifest of the studies (JSON).")
    ] = None,
    video_frames: Annotated[
        Path | None,
        typer.Option("--video-frames", metavar="CSV", help="CSV that says which image each frame of a video shows."),
    ] = None,
    hours: Annotated[float | None, typer.Option(help="Train on as many frames as fit into this many hours.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Number of repetitions [3].")] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="smoke|small|paper", help="Budget: network, frames and steps [small].")
    ] = None,
    finetune: Annotated[bool, typer.Option("--finetune", help="Also fine-tune the whole network.")] = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Compare pretraining methods: kNN, linear evaluation, few-shot, alignment and uniformity."""
    named = [name.strip() for name in methods.split(",") if name.strip()]
    given: dict[str, Any] = {"methods": named, "labels": labels, "out": out, "images": images, "studies": studies}
    given |= {"video_frames": video_frames, "hours": hours, "seeds": seeds, "budget": budget}
    run("benchmark", given | ({"finetune": True} if finetune else {}), device, seed, preset, settings, resume)
