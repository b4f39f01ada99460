"""Commands that train and evaluate: pretrain, finetune, train-reid, evaluate, few-labels, reproduce."""

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
from training.methods.registry import FINETUNING, FRAME_PRETRAINING, PRETRAINING


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


def train_reid(
    studies: Annotated[Path, typer.Option("--studies", metavar="MANIFEST", help="Manifest of the studies (JSON).")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN_DIR", help="Run folder to write.")],
    labels: Annotated[Path | None, typer.Option("--labels", metavar="CSV", help="Labels with findings.")] = None,
    boxes: Annotated[Path | None, typer.Option("--boxes", metavar="CSV", help="Boxes of findings.")] = None,
    links: Annotated[
        Path | None, typer.Option("--links", metavar="CSV", help="What shows the same finding [beside the labels].")
    ] = None,
    embeddings: Annotated[
        Path | None,
        typer.Option("--embeddings", metavar="DIR", help="Scored studies: their events are tracklets, too."),
    ] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="auto|imagenet|random")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Train re-identification: which stretches of frames show the same finding (Intrator et al. 2023)."""
    files = {"studies": studies, "labels": labels, "boxes": boxes, "links": links, "embeddings": embeddings}
    given = {**files, "init": init, "out": out}
    run("train-reid", given, device, seed, preset, settings, resume)


def evaluate(
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Labels of the frames or of the images.")],
    out: Annotated[Path, typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write.")],
    studies: Annotated[Path | None, typer.Option("--studies", metavar="MANIFEST", help="Studies (JSON).")] = None,
    images: Annotated[Path | None, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")] = None,
    findings: Annotated[Path | None, typer.Option("--findings", metavar="CSV", help="[beside the labels].")] = None,
    method: Annotated[str | None, typer.Option(help=f"{', '.join(FINETUNING)} [tl-ba].")] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="imagenet|random|FILE|MODEL_DIR|RUN_DIR")] = None,
    pretrain: Annotated[str | None, typer.Option(help=f"In each fold: {', '.join(FRAME_PRETRAINING)}.")] = None,
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
            metavar="TABLE",
            help="pascual-table1..4, laiz-table6..9, laiz-figure8, laiz-figure13, vats-table2..4, intrator-table1..4, "
            "xiang-table2..3.",
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


def few_labels(
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Labels of the images or of the frames.")],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write; finished trainings are reused."),
    ],
    images: Annotated[Path | None, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")] = None,
    studies: Annotated[
        Path | None, typer.Option("--studies", metavar="MANIFEST", help="Manifest of the studies (JSON).")
    ] = None,
    test_images: Annotated[
        Path | None,
        typer.Option("--test-images", metavar="DIR", help="Images to evaluate on [folds of the labels]."),
    ] = None,
    test_labels: Annotated[
        Path | None, typer.Option("--test-labels", metavar="CSV", help="Labels of the images to evaluate on.")
    ] = None,
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="START:METHOD,...",
            help="What to compare: imagenet, model or a pretraining, and a fine-tuning method or linear [imagenet with "
            "tl-ba, cross-entropy and linear].",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="MODEL_DIR", help="Model that the rows model:METHOD start from.")
    ] = None,
    counts: Annotated[
        str | None, typer.Option(metavar="N,...", help="Numbers of labels; 0: all [40,80,160,320,0].")
    ] = None,
    draws: Annotated[int | None, typer.Option(min=1, help="Draws for each number of labels and split [5].")] = None,
    folds: Annotated[int | None, typer.Option(min=2, help="Splits by group or patient [5].")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Compare fine-tunings by their number of labels; each is evaluated on patients it was not trained on."""
    given: dict[str, Any] = {"labels": labels, "out": out, "images": images, "studies": studies, "model": model}
    given |= {"test_images": test_images, "test_labels": test_labels, "draws": draws, "folds": folds}
    given |= {name: value.split(",") for name, value in (("rows", rows), ("counts", counts)) if value is not None}
    run("few-labels", given, device, seed, preset, settings, resume)
