"""Commands about embeddings: neighbours, maps, how a space came to be."""

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
    StudyArgument,
    run,
)


def neighbours(
    study: Annotated[str | None, typer.Option("--study", metavar="ID", help="Study of the query [the first].")] = None,
    frame: Annotated[int | None, typer.Option("--frame", metavar="I", min=0, help="Frame of the query.")] = None,
    span: Annotated[
        str | None,
        typer.Option(
            "--span", metavar="START,STOP", help="Span of the query, instead of a frame: the mean of its embeddings."
        ),
    ] = None,
    embeddings: Annotated[
        list[Path] | None, typer.Option("--embeddings", metavar="FILE.h5", help="Embedding file; repeatable.")
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option("--manifest", metavar="MANIFEST", help="Manifest of embedding files, instead of --embeddings."),
    ] = None,
    k: Annotated[int | None, typer.Option("-k", min=1, help="Number of neighbours [10].")] = None,
    metric: Annotated[str | None, typer.Option(metavar="euclidean|cosine", help="[euclidean]")] = None,
    scope: Annotated[
        str | None, typer.Option(help="Frames to search: all, this study, other studies or other patients [all].")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Labels (CSV) to show; the labelled neighbours vote.")
    ] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
) -> None:
    """Print the frames that look most like a given one, of any study that the same model scored."""
    given: dict[str, Any] = {"study": study, "frame": frame, "embeddings": embeddings or None, "manifest": manifest}
    given |= {"span": span.split(",") if span is not None else None}
    given |= {"k": k, "metric": metric, "scope": scope, "labels": labels}
    run("neighbours", given, device, seed, preset, settings, False)


def evaluate_neighbours(
    images: Annotated[Path, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")],
    labels: Annotated[
        Path, typer.Option("--labels", metavar="CSV", help="Labels of the images: filename,label,group.")
    ],
    model: Annotated[Path | None, typer.Option("--model", metavar="MODEL_DIR", help="Model to evaluate.")] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            "--models",
            metavar="DIR",
            help="Models of folds, instead of a model; each is evaluated on groups that it was not trained on.",
        ),
    ] = None,
    queries: Annotated[int | None, typer.Option(min=0, help="Number of query images [20]; 0: all.")] = None,
    metric: Annotated[str | None, typer.Option(metavar="euclidean|cosine", help="[euclidean]")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="JSON", help="JSON file to write, with every query.")
    ] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
) -> None:
    """Count how often the frames that look alike in other groups have the same label, beside chance."""
    given: dict[str, Any] = {"images": images, "labels": labels, "model": model, "models": models}
    given |= {"queries": queries, "metric": metric, "out": out, "overwrite": overwrite or None}
    run("evaluate-neighbours", given, device, seed, preset, settings, False)


def project(
    out: Annotated[Path, typer.Option("--out", metavar="FILE.npz", help="Map to write.")],
    embeddings: Annotated[
        list[Path] | None, typer.Option("--embeddings", metavar="FILE.h5", help="Embedding file; repeatable.")
    ] = None,
    manifest: Annotated[
        Path | None,
        typer.Option("--manifest", metavar="MANIFEST", help="Manifest of embedding files, instead of --embeddings."),
    ] = None,
    method: Annotated[str | None, typer.Option(metavar="tsne|pca", help="[tsne]")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Number of frames [all for pca, 15,000 for tsne].")] = None,
    labels: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Labels (CSV); frames with rare labels stay in the sample.")
    ] = None,
    onto: Annotated[
        Path | None, typer.Option(metavar="FILE.npz", help="Existing map to place the frames into.")
    ] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Make a map of embeddings: principal components at once, then t-SNE in steps."""
    given: dict[str, Any] = {"out": out, "embeddings": embeddings or None, "manifest": manifest, "method": method}
    given |= {"sample": sample, "labels": labels, "onto": onto, "overwrite": overwrite or None}
    run("project", given, device, seed, preset, settings, resume)


def evolution(
    run_dir: Annotated[Path, typer.Option("--run", metavar="RUN_DIR", help="Run folder of a pretraining.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.npz", help="File to write.")],
    studies: Annotated[Path | None, typer.Option(metavar="MANIFEST", help="Studies whose frames are shown.")] = None,
    labels: Annotated[Path | None, typer.Option(metavar="CSV", help="Labels of their frames.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Number of frames [1500].")] = None,
    space: Annotated[str | None, typer.Option(metavar="backbone|projection|views", help="[backbone]")] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Show the same frames under every kept step of a pretraining, in one pair of axes."""
    given = {"run": run_dir, "studies": studies, "out": out, "labels": labels, "sample": sample, "space": space}
    given |= {"overwrite": overwrite or None}
    run("evolution", given, device, seed, preset, settings, resume)


def embed_reid(
    path: StudyArgument,
    scores: Annotated[Path, typer.Option("--scores", metavar="FILE.h5", help="Embedding file of the study.")],
    model: Annotated[Path, typer.Option("--model", metavar="RUN_DIR", help="Run folder of train-reid, or its model.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="File to write (safetensors).")],
    threshold: Annotated[
        float | None, typer.Option(help="Frames with half of this score are embedded, too [0.5].")
    ] = None,
    overwrite: OverwriteOption = False,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
) -> None:
    """Embed the flagged frames of a scored study with a re-identification model, to group its events."""
    given = {"path": path, "scores": scores, "model": model, "out": out, "threshold": threshold}
    given |= {"overwrite": overwrite or None}
    run("embed-reid", given, device, seed, preset, settings, False)
