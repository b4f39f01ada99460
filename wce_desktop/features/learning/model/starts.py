"""What a training can start from: models, pretrainings, ImageNet weights or random weights."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.methods import colo_scrl, registry, videomae
from wce_desktop.core.language import tr
from wce_desktop.library.run_files import encodes_clips, method_of, read_json
from wce_desktop.library.runs import Run
from wce_desktop.library.unfinished_runs import can_start_from, has_weights
from wce_desktop.session import presets, work
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class Start:
    """A possible start of a training.

    Attributes:
        title: text on screen.
        init: value of the command's `init` setting.
        model_id, run_id: id of the library's model or pretraining; empty otherwise.
        download: ImageNet weights may be downloaded.
    """

    title: str
    init: str
    model_id: str = ""
    run_id: str = ""
    download: bool = False


def starts(session: Session, task: presets.Task, method: str = "") -> tuple[Start, ...]:
    """All possible starts of a method, the most likely choice first."""
    random, runs = Start(tr("Random weights"), "random"), session.library.runs.all()[::-1]
    if trains_clips(task, method):
        of_clips = [run for run in runs if has_weights(run) and encodes_clips(run)]
        from_runs = [_run_start(run) for run in of_clips]
        # colo-scrl first from a pretraining by videomae, as published
        is_first = of_clips and method_of(of_clips[0]) == videomae.VideoMae.name and method == colo_scrl.ColoScrl.name
        return (*from_runs, random) if is_first else (random, *from_runs)
    from_models = []
    for model in sorted(session.library.models.all(), key=lambda model: not model.is_current):
        in_use, other = tr("Model: {model} (in use)", model=model.title), tr("Model: {model}", model=model.title)
        from_models.append(Start(in_use if model.is_current else other, str(model.folder), model.model_id))
    from_runs = [_run_start(run) for run in runs if can_start_from(run)]
    imagenet = Start(tr("ImageNet weights"), "imagenet")
    downloaded = tr("ImageNet weights, downloaded if needed (ResNet, about 100 MB)")
    fetched = Start(downloaded, "imagenet", download=True)
    if task == "train-reid":
        auto = Start(tr("ImageNet weights if there are any of this network, else random"), "auto")
        return (auto, imagenet, fetched, random)
    if task == "pretrain":
        auto = Start(tr("ImageNet weights if they are on this computer, else random"), "auto")
        return (imagenet, auto, fetched, random, *from_runs, *from_models)
    return (*from_models, *from_runs, imagenet, random, fetched)  # a download is never the default


def _run_start(run: Run) -> Start:
    return Start(tr("Pretraining: {run}", run=run.title), str(run.folder), run_id=run.run_id)


def trains_clips(task: str, method: str) -> bool:
    """Whether a method trains an encoder of clips."""
    return task == "pretrain" and method in registry.PRETRAINING and registry.PRETRAINING[method].encodes_clips


def default_start(session: Session, preset: str, study_ids: Collection[str] | None = None) -> Start:
    """What a fine-tuning of the model in use starts from; arguments are those of `finetuning_start`."""
    model, init = session.current_model, work.finetuning_start(session, preset, study_ids)["init"]
    if model is not None and init == str(model.folder):
        return Start(model.title, init, model.model_id)
    return Start(tr("ImageNet weights"), init)


def own_network(start: Start) -> dict[str, Any]:
    """Backbone and input size that a fine-tuning keeps from a model or a pretraining; empty for other starts."""
    if not (start.model_id or start.run_id):
        return {}
    content = read_json(Path(start.init) / "config.json")
    inner = content.get("config", content)
    kinds = {"backbone": str, "input_size": int}
    given = inner if isinstance(inner, dict) else {}
    return {key: given[key] for key, kind in kinds.items() if isinstance(given.get(key), kind)}


@dataclass(frozen=True)
class TrainingRequest:
    """Everything the user chose for a training."""

    task: presets.Task
    study_ids: frozenset[str]
    evaluation_ids: frozenset[str]
    preset: presets.Preset
    method: str
    changes: Mapping[str, Any]
    start: Start

    @property
    def details(self) -> dict[str, Any]:
        """The settings of the job, without its files."""
        download = {"download": True} if self.start.download else {}
        return {**presets.chosen_settings(self.task, self.method, self.preset, self.changes), **download}
