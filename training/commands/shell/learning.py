"""Commands that train and evaluate: pretrain, finetune, evaluate, reproduce."""

from pathlib import Path
from typing import Annotated, Any

import typer

from training.commands.shell.running import (
    DeviceOption,
    OverwriteOption,
    PresetOption,
    ResumeOption,
    SeedOption,
    SetOption,
    run,
)
from training.methods.registry import FINETUNING, PRETRAINING


def pretrain(
    out: Annotated[Path, typer.Option("--out", metavar="RUN_DIR", help="Run folder to write.")],
    studies: Annotated[Path | None, typer.Option("--studies", metavar="MANIFEST", help="Studies (JSON).")] = None,
    images: Annotated[
        Path | None, typer.Option("--images", metavar="DIR", help="Folder of images, instead of studies.")
    ] = None,
    method: Annotated[str | None, typer.Option("--method", metavar="|".join(PRETRAINING))] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="imagenet|auto|random|FILE|RUN_DIR")] = None,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", metavar="CSV", help="For kNN accuracy and groups of images; not for training."),
    ] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Train an embedding on frames without labels; writes weights for fine-tuning to the run folder."""
    given = {"studies": studies, "images": images, "out": out, "method": method, "init": init, "labels": labels}
    run("pretrain", given, device, seed, preset, settings, resume)


def finetune(
    studies: Annotated[Path, typer.Option("--studies", metavar="MANIFEST", help="Manifest of the studies (JSON).")],
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Labels of their frames.")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN_DIR", help="Run folder to write.")],
    init: Annotated[str, typer.Option("--init", metavar="imagenet|random|FILE|MODEL_DIR|RUN_DIR")] = "imagenet",
    method: Annotated[str | None, typer.Option("--method", metavar="|".join(FINETUNING), help="[tl-ba]")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Fine-tune on labelled frames; writes the model and a comparison to the run folder."""
    given = {"studies": studies, "labels": labels, "init": init, "out": out, "method": method}
    run("finetune", given, device, seed, preset, settings, resume)


def evaluate(
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Labels of the frames or of the images.")],
    out: Annotated[Path, typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write.")],
    studies: Annotated[Path | None, typer.Option("--studies", metavar="MANIFEST", help="Studies (JSON).")] = None,
    images: Annotated[Path | None, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")] = None,
    findings: Annotated[Path | None, typer.Option("--findings", metavar="CSV", help="[beside the labels].")] = None,
    method: Annotated[str | None, typer.Option(help=f"{', '.join(FINETUNING)} [tl-ba].")] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="imagenet|random|FILE|MODEL_DIR|RUN_DIR")] = None,
    pretrain: Annotated[str | None, typer.Option(help=f"In each fold: {', '.join(PRETRAINING)}.")] = None,
    folds: Annotated[int | None, typer.Option(min=2, help="Number of folds by patient [5].")] = None,
    split: Annotated[str | None, typer.Option(help="patients, or random for sets without any.")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Cross-validate a method by patient; writes a page, tables and figures to the report folder."""
    given: dict[str, Any] = {"labels": labels, "out": out, "studies": studies, "images": images, "findings": findings}
    given |= {"method": method, "init": init, "pretrain": pretrain, "folds": folds, "split": split}
    run("evaluate", given, device, seed, preset, settings, resume)


def reproduce(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE", help="pascual-table1..4, laiz-table6..9, laiz-figure8, laiz-figure13, vats-table2..4."
        ),
    ],
    phantom: Annotated[bool, typer.Option("--phantom", help="On synthetic studies.")] = False,
    studies: Annotated[Path | None, typer.Option("--studies", metavar="MANIFEST", help="Studies (JSON).")] = None,
    images: Annotated[Path | None, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")] = None,
    labels: Annotated[Path | None, typer.Option("--labels", metavar="CSV", help="Labels of studies or images.")] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="smoke|small|paper", help="Size of the experiment [small].")
    ] = None,
    hours: Annotated[float | None, typer.Option(help="Time limit, which sets the number of steps.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Repeats [the budget's].")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Results [reproductions].")] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Print a table of the papers with their figures and ours; finished trainings are reused."""
    given = {"table": table, "phantom": phantom, "studies": studies, "images": images, "labels": labels}
    given |= {"budget": budget, "hours": hours, "seeds": seeds, "out": out}
    given |= {"overwrite": overwrite or None}
    run("reproduce", given, device, seed, preset, settings, resume)
