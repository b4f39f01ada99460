"""Commands that explain frames, and judge explanations."""

from pathlib import Path
from typing import Annotated, Any

import typer

from training.commands.shell.options import (
    DeviceOption,
    ModelOption,
    OverwriteOption,
    PresetOption,
    ResumeOption,
    SeedOption,
    SetOption,
    StudyArgument,
)
from training.commands.shell.running import run
from training.methods.registry import FINETUNING


def explain(
    path: StudyArgument,
    frame: Annotated[int, typer.Option("--frame", metavar="I", min=0, help="Number of the frame, from 0.")],
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", metavar="PNG", help="Picture to write.")],
    class_name: Annotated[str | None, typer.Option("--class", help="Class to explain [highest but normal].")] = None,
    method: Annotated[str | None, typer.Option("--method", metavar="cam|score-cam|quick", help="[cam].")] = None,
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
    given |= {"method": method, "layer": layer}
    given |= {"overwrite": overwrite or None}
    run("explain", given, device, seed, preset, settings, resume)


def evaluate_explanations(
    images: Annotated[Path, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")],
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Their labels: filename,label,group.")],
    boxes: Annotated[Path, typer.Option("--boxes", metavar="CSV", help="Boxes: filename,x_min,y_min,x_max,y_max.")],
    out: Annotated[Path, typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write.")],
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL_DIR|RUN_DIR", help="Judge this model or pretraining.")
    ] = None,
    folds: Annotated[int | None, typer.Option(min=2, help="Or train a model for each part by group.")] = None,
    method: Annotated[str | None, typer.Option(help=f"{', '.join(FINETUNING)} [tl-ba].")] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="random|imagenet|FILE|MODEL_DIR|RUN_DIR")] = None,
    backbone: Annotated[str | None, typer.Option(help="resnet18 or resnet50 [the preset's].")] = None,
    input_size: Annotated[int | None, typer.Option(help="Side of the frames in px [the model's or preset's].")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps of each training.")] = None,
    explain: Annotated[str | None, typer.Option(help="[cam,score-cam,center,random], quick, redness.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Frames for Score-CAM and the curves [100].")] = None,
    sample_by: Annotated[
        str | None, typer.Option("--sample-by", metavar="frames|kinds", help="kinds: rare labels too [frames].")
    ] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Judge how well explanations point at what a person boxed; models of folds explain unseen groups only."""
    given: dict[str, Any] = {"images": images, "labels": labels, "boxes": boxes, "out": out, "model": model}
    given |= {"folds": folds, "method": method, "init": init, "backbone": backbone, "input_size": input_size}
    given |= {"steps": steps, "sample": sample, "sample_by": sample_by}
    given |= {"explain": [name.strip() for name in explain.split(",")] if explain is not None else None}
    run("evaluate-explanations", given, device, seed, preset, settings, resume)
