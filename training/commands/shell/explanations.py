"""Commands that explain frames, evaluate explanations, and compare pretraining methods."""

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
from training.experiments.benchmark.comparison import METHODS
from training.methods.registry import FINETUNING
from training.models.backbones import BACKBONES


def explain(
    path: StudyArgument,
    frame: Annotated[int, typer.Option("--frame", metavar="I", min=0, help="Frame number, from 0.")],
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", metavar="PNG", help="Picture to write.")],
    class_name: Annotated[
        str | None, typer.Option("--class", help="Class to explain [the highest score, normal excluded].")
    ] = None,
    method: Annotated[
        str | None, typer.Option("--method", metavar="cam|score-cam|quick|prior-grid", help="[cam].")
    ] = None,
    layer: Annotated[str | None, typer.Option("--layer", metavar="layer1|...|layer4", help="[layer4].")] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Write a frame beside where a class was seen in it (CAM or Score-CAM) as a picture."""
    given = {"path": path, "frame": frame, "model": model, "out": out, "class_name": class_name}
    given |= {"method": method, "layer": layer, "overwrite": overwrite or None}
    run("explain", given, device, seed, preset, settings, resume)


def evaluate_explanations(
    images: Annotated[Path, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")],
    labels: Annotated[
        Path, typer.Option("--labels", metavar="CSV", help="Labels of the images: filename,label,group.")
    ],
    boxes: Annotated[Path, typer.Option("--boxes", metavar="CSV", help="Boxes: filename,x_min,y_min,x_max,y_max.")],
    out: Annotated[Path, typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write.")],
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL_DIR|RUN_DIR", help="Model or pretraining to evaluate.")
    ] = None,
    folds: Annotated[
        int | None, typer.Option(min=2, help="Number of folds by group; trains one model per fold, instead of --model.")
    ] = None,
    method: Annotated[
        str | None, typer.Option(help=f"Fine-tuning method of the folds: {', '.join(FINETUNING)} [tl-ba].")
    ] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="imagenet|random|FILE|MODEL_DIR|RUN_DIR")] = None,
    backbone: Annotated[str | None, typer.Option(help=f"{', '.join(BACKBONES)} [from the preset].")] = None,
    input_size: Annotated[
        int | None, typer.Option(help="Side of the input frames in px [from the model or preset].")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps per training.")] = None,
    explain: Annotated[
        str | None, typer.Option(help="Explanations to evaluate, also quick and redness [cam,score-cam,center,random].")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Number of frames for Score-CAM and the curves [100].")
    ] = None,
    sample_by: Annotated[
        str | None,
        typer.Option(
            "--sample-by", metavar="frames|kinds", help="frames, or kinds: as many frames of each label [frames]."
        ),
    ] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Measure how well explanations point at given boxes; models of folds explain unseen groups only."""
    given: dict[str, Any] = {"images": images, "labels": labels, "boxes": boxes, "out": out, "model": model}
    given |= {"folds": folds, "method": method, "init": init, "backbone": backbone, "input_size": input_size}
    given |= {"steps": steps, "sample": sample, "sample_by": sample_by}
    given |= {"explain": [name.strip() for name in explain.split(",")] if explain is not None else None}
    run("evaluate-explanations", given, device, seed, preset, settings, resume)


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
    seeds: Annotated[int | None, typer.Option(min=1, help="Number of repetitions [3; budget smoke: 1].")] = None,
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
