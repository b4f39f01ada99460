"""The command line of `python -m training`: options, progress, and errors as sentences."""

import errno
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from training.errors import UserError
from training.runs.reporter import Cancelled

EXIT_FAILED, EXIT_STOPPED = 1, 130
DISK_FULL = (errno.ENOSPC, errno.EFBIG)

app = typer.Typer(
    name="training",
    help="The engine behind wce-desktop: phantom studies, scoring, finetuning. Research use only, not for diagnosis.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Device(StrEnum):
    """Where a model runs."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"
    mps = "mps"


DeviceOption = Annotated[
    Device | None, typer.Option("--device", help="Where the model runs; auto: the fastest there is.")
]
SeedOption = Annotated[int | None, typer.Option("--seed", min=0, help="Of all random numbers.")]
PresetOption = Annotated[str | None, typer.Option("--preset", metavar="NAME", help="A named set of settings.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any other setting; repeatable.")
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with what an earlier call left unfinished.")]
StudyArgument = Annotated[Path, typer.Argument(metavar="PATH", help="Video file or folder of images.")]
ModelOption = Annotated[Path, typer.Option("--model", metavar="MODEL_DIR", help="Model folder, or run folder.")]


@app.command()
def phantom(
    out: Annotated[Path, typer.Argument(metavar="OUT_DIR", help="Folder to write.")],
    studies: Annotated[int | None, typer.Option(min=1, help="Studies to render [4].")] = None,
    frames: Annotated[int | None, typer.Option(min=2, help="Frames of each study [3000].")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Render synthetic capsule studies with ground truth."""
    run("phantom", {"out": out, "studies": studies, "frames": frames}, device, seed, preset, settings, resume)


@app.command()
def index(
    path: StudyArgument,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.npz", help="Where to save the index.")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Show frames, time base, rates, key frames, and what is odd about a file."""
    run("index", {"path": path, "out": out}, device, seed, preset, settings, resume)


@app.command()
def score(
    path: StudyArgument,
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.h5", help="Embedding file to write.")],
    space: Annotated[str | None, typer.Option(metavar="backbone|projection", help="[backbone]")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Score every frame of a study; embeddings, scores and CAMs go to an HDF5 file."""
    run("score", {"path": path, "model": model, "out": out, "space": space}, device, seed, preset, settings, resume)


@app.command()
def pretrain(
    studies: Annotated[Path, typer.Option("--studies", metavar="MANIFEST", help="Manifest of the studies (JSON).")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN_DIR", help="Run folder to write.")],
    method: Annotated[str | None, typer.Option("--method", metavar="time-triplet|simclr")] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="auto|random|imagenet|FILE|RUN_DIR")] = None,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="CSV", help="For kNN accuracy only; never learned from.")
    ] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Learn an embedding from frames without labels; the run folder gets weights to finetune from."""
    given = {"studies": studies, "out": out, "method": method, "init": init, "labels": labels}
    run("pretrain", given, device, seed, preset, settings, resume)


@app.command()
def finetune(
    studies: Annotated[Path, typer.Option("--studies", metavar="MANIFEST", help="Manifest of the studies (JSON).")],
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Labels of their frames.")],
    out: Annotated[Path, typer.Option("--out", metavar="RUN_DIR", help="Run folder to write.")],
    init: Annotated[str, typer.Option("--init", metavar="random|imagenet|FILE|MODEL_DIR|RUN_DIR")] = "random",
    method: Annotated[str | None, typer.Option("--method", metavar="tl-ba|tl-bh|cross-entropy", help="[tl-ba]")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Learn from labelled frames; the run folder gets the model and what changed."""
    given = {"studies": studies, "labels": labels, "init": init, "out": out, "method": method}
    run("finetune", given, device, seed, preset, settings, resume)


@app.command()
def evaluate(
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Labels of the frames or of the images.")],
    out: Annotated[Path, typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write.")],
    studies: Annotated[Path | None, typer.Option("--studies", metavar="MANIFEST", help="Studies (JSON).")] = None,
    images: Annotated[Path | None, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")] = None,
    findings: Annotated[Path | None, typer.Option("--findings", metavar="CSV", help="[beside the labels].")] = None,
    method: Annotated[str | None, typer.Option(help="tl-ba, tl-bh or cross-entropy [tl-ba].")] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="random|imagenet|FILE|MODEL_DIR|RUN_DIR")] = None,
    pretrain: Annotated[str | None, typer.Option(help="In each fold: time-triplet or simclr.")] = None,
    folds: Annotated[int | None, typer.Option(min=2, help="Parts by patient [5].")] = None,
    split: Annotated[str | None, typer.Option(help="patients, or random for sets without any.")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Cross-validate a method by patient; the report folder gets a page, tables and figures."""
    given: dict[str, Any] = {"labels": labels, "out": out, "studies": studies, "images": images, "findings": findings}
    given |= {"method": method, "init": init, "pretrain": pretrain, "folds": folds, "split": split}
    run("evaluate", given, device, seed, preset, settings, resume)


@app.command()
def reproduce(
    table: Annotated[
        str, typer.Argument(metavar="TABLE", help="pascual-table1 ... 4, laiz-table6 ... 9, laiz-figure8, 13.")
    ],
    phantom: Annotated[bool, typer.Option("--phantom", help="On synthetic studies.")] = False,
    studies: Annotated[Path | None, typer.Option("--studies", metavar="MANIFEST", help="Studies (JSON).")] = None,
    images: Annotated[Path | None, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")] = None,
    labels: Annotated[Path | None, typer.Option("--labels", metavar="CSV", help="Labels of studies or images.")] = None,
    budget: Annotated[str | None, typer.Option(metavar="smoke|small|paper", help="What it may cost [small].")] = None,
    hours: Annotated[float | None, typer.Option(help="As many steps as fit into so many hours.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Repeats [the budget's].")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Results [reproductions].")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Print a table of the papers with their figures beside ours; finished trainings are kept."""
    given = {"table": table, "phantom": phantom, "studies": studies, "images": images, "labels": labels}
    given |= {"budget": budget, "hours": hours, "seeds": seeds, "out": out}
    run("reproduce", given, device, seed, preset, settings, resume)


@app.command()
def explain(
    path: StudyArgument,
    frame: Annotated[int, typer.Option("--frame", metavar="I", min=0, help="Number of the frame, from 0.")],
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", metavar="PNG", help="Picture to write.")],
    class_name: Annotated[str | None, typer.Option("--class", help="Class to explain [highest but normal].")] = None,
    method: Annotated[str | None, typer.Option("--method", metavar="cam|score-cam|quick", help="[cam].")] = None,
    layer: Annotated[str | None, typer.Option("--layer", metavar="layer1|...|layer4", help="[layer4].")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Write a frame beside where a class was seen in it (CAM or Score-CAM) as a picture."""
    given = {"path": path, "frame": frame, "model": model, "out": out, "class_name": class_name}
    given |= {"method": method, "layer": layer}
    run("explain", given, device, seed, preset, settings, resume)


@app.command()
def neighbours(
    study: Annotated[str | None, typer.Option("--study", metavar="ID", help="Study of the query [the first].")] = None,
    frame: Annotated[int | None, typer.Option("--frame", metavar="I", min=0, help="Frame of the query.")] = None,
    span: Annotated[str | None, typer.Option("--span", metavar="START,STOP", help="Instead: its mean.")] = None,
    embeddings: Annotated[
        list[Path] | None, typer.Option("--embeddings", metavar="FILE.h5", help="Embedding file; repeatable.")
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", metavar="MANIFEST", help="Instead: manifest of embedding files.")
    ] = None,
    k: Annotated[int | None, typer.Option("-k", min=1, help="Neighbours [10].")] = None,
    metric: Annotated[str | None, typer.Option(metavar="euclidean|cosine", help="[euclidean]")] = None,
    scope: Annotated[str | None, typer.Option(help="all, this study, other studies or other patients [all].")] = None,
    labels: Annotated[Path | None, typer.Option(metavar="CSV", help="Labels: shown, and labelled frames vote.")] = None,
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


@app.command("evaluate-neighbours")
def evaluate_neighbours(
    images: Annotated[Path, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")],
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Their labels: filename,label,group.")],
    model: Annotated[Path | None, typer.Option("--model", metavar="MODEL_DIR", help="Model to ask.")] = None,
    models: Annotated[
        Path | None,
        typer.Option("--models", metavar="DIR", help="Instead: models of folds, asked about unseen groups."),
    ] = None,
    queries: Annotated[int | None, typer.Option(min=0, help="Images to ask with [20]; 0: all.")] = None,
    metric: Annotated[str | None, typer.Option(metavar="euclidean|cosine", help="[euclidean]")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="JSON", help="File with every query.")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
) -> None:
    """Count how often the frames that look alike in other groups have the same label, beside chance."""
    given: dict[str, Any] = {"images": images, "labels": labels, "model": model, "models": models}
    given |= {"queries": queries, "metric": metric, "out": out}
    run("evaluate-neighbours", given, device, seed, preset, settings, False)


@app.command()
def project(
    out: Annotated[Path, typer.Option("--out", metavar="FILE.npz", help="Map to write.")],
    embeddings: Annotated[
        list[Path] | None, typer.Option("--embeddings", metavar="FILE.h5", help="Embedding file; repeatable.")
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option("--manifest", metavar="MANIFEST", help="Instead: manifest of embedding files.")
    ] = None,
    method: Annotated[str | None, typer.Option(metavar="tsne|pca", help="[tsne]")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Frames [all for pca, 15,000 for tsne].")] = None,
    labels: Annotated[Path | None, typer.Option(metavar="CSV", help="Labels: rare ones stay in the sample.")] = None,
    onto: Annotated[Path | None, typer.Option(metavar="FILE.npz", help="Place into this map.")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Make a map of embeddings: principal components at once, then t-SNE in steps."""
    given: dict[str, Any] = {"out": out, "embeddings": embeddings or None, "manifest": manifest, "method": method}
    given |= {"sample": sample, "labels": labels, "onto": onto}
    run("project", given, device, seed, preset, settings, resume)


@app.command()
def evolution(
    run_dir: Annotated[Path, typer.Option("--run", metavar="RUN_DIR", help="Run folder of a pretraining.")],
    studies: Annotated[Path, typer.Option("--studies", metavar="MANIFEST", help="Studies whose frames are shown.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.npz", help="File to write.")],
    labels: Annotated[Path | None, typer.Option(metavar="CSV", help="Labels of their frames.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Frames [1500].")] = None,
    space: Annotated[str | None, typer.Option(metavar="backbone|projection", help="[backbone]")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Show the same frames under every kept step of a pretraining, in one pair of axes."""
    given = {"run": run_dir, "studies": studies, "out": out, "labels": labels, "sample": sample, "space": space}
    run("evolution", given, device, seed, preset, settings, resume)


@app.command("evaluate-explanations")
def evaluate_explanations(
    images: Annotated[Path, typer.Option("--images", metavar="DIR", help="Folder of labelled images.")],
    labels: Annotated[Path, typer.Option("--labels", metavar="CSV", help="Their labels: filename,label,group.")],
    boxes: Annotated[Path, typer.Option("--boxes", metavar="CSV", help="Boxes: filename,x_min,y_min,x_max,y_max.")],
    out: Annotated[Path, typer.Option("--out", metavar="REPORT_DIR", help="Report folder to write.")],
    model: Annotated[Path | None, typer.Option("--model", metavar="MODEL_DIR", help="Judge this model.")] = None,
    folds: Annotated[int | None, typer.Option(min=2, help="Or train a model for each part by group.")] = None,
    method: Annotated[str | None, typer.Option(help="tl-ba, tl-bh or cross-entropy [tl-ba].")] = None,
    init: Annotated[str | None, typer.Option("--init", metavar="random|imagenet|FILE|MODEL_DIR|RUN_DIR")] = None,
    backbone: Annotated[str | None, typer.Option(help="resnet18 or resnet50 [the preset's].")] = None,
    input_size: Annotated[int | None, typer.Option(help="Side of the frames in px [the preset's].")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Steps of each training.")] = None,
    explain: Annotated[str | None, typer.Option(help="[cam,score-cam,center,random], or quick.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Frames for Score-CAM and the curves [100].")] = None,
    device: DeviceOption = None,
    seed: SeedOption = None,
    preset: PresetOption = None,
    settings: SetOption = None,
    resume: ResumeOption = False,
) -> None:
    """Judge how well explanations point at what a person boxed; models of folds explain unseen groups only."""
    given: dict[str, Any] = {"images": images, "labels": labels, "boxes": boxes, "out": out, "model": model}
    given |= {"folds": folds, "method": method, "init": init, "backbone": backbone, "input_size": input_size}
    given |= {"steps": steps, "sample": sample}
    given |= {"explain": [name.strip() for name in explain.split(",")] if explain is not None else None}
    run("evaluate-explanations", given, device, seed, preset, settings, resume)


@app.command(hidden=True)
def job(config: Annotated[Path, typer.Argument(metavar="CONFIG.json")]) -> None:
    """Run a command as a child of the window, which talks in JSON lines."""
    from training.runs.child import run_job

    raise typer.Exit(run_job(config))


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
    from training.commands.shell_reporter import ShellReporter
    from training.commands.shell_result import show_result

    config_class, function, presets = find_command(name)
    common = {"device": device.value if device else None, "seed": seed, "resume": resume or None}
    config = make_config(config_class, {**given, **common}, assignments=settings or (), preset=preset, presets=presets)
    with ShellReporter(Console(stderr=True, quiet=is_other_rank())) as reporter:
        result = function(config, reporter)
    if not is_other_rank():
        show_result(name, result)
    if reporter.stop_requested:
        _tell("Stopped; what is done is kept. The same command with --resume goes on.")
        raise typer.Exit(EXIT_STOPPED)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the process's exit code."""
    try:
        app(arguments, prog_name="python -m training")
    except UserError as error:
        _tell(f"{error.message}\n{error.hint}" if error.hint else error.message)
        return EXIT_FAILED
    except OSError as error:
        if error.filename is None and error.errno not in DISK_FULL:
            raise  # nothing that the person named: a bug
        what = f"{error.filename} cannot be used" if error.filename is not None else "The result cannot be written"
        _tell(f"{what}: {error.strerror}.\nCheck the name, the folder's permissions and the disk.")
        return EXIT_FAILED
    except (Cancelled, KeyboardInterrupt):
        _tell("Ended. The same command with --resume goes on with what is on disk.")
        return EXIT_STOPPED
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    return 0


def _tell(text: str) -> None:
    """Write to standard error, once where several processes share a run: what ends one of them ends all."""
    from training.commands.common import is_other_rank

    if not is_other_rank():
        sys.stderr.write(f"{text}\n")
