"""Fine-tuning from a script, with a loss of one's own where wanted."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from training.api.arguments import CallingReporter, OnEvent, PathLike, as_path
from training.api.model import Model, load_model
from training.commands.common import find_command
from training.finetuning.config import finetune_config
from training.methods.own_loss import Loss, loss_method
from training.methods.registry import FINETUNING
from training.methods.tl_ba import TripletBatchAll


@dataclass(frozen=True)
class FinetuneResult:
    """What `finetune` gives.

    Attributes:
        run: the run folder.
        model: the new model, loaded.
        figures: of the model on held-out patients, by class and for "any": `auc`, `sensitivity_at` and counts.
        verdict: of the comparison with the model that it started from; None where there is none.
        details: everything that the command prints as its result.
    """

    run: Path
    model: Model
    figures: Mapping[str, Any]
    verdict: Mapping[str, Any] | None
    details: Mapping[str, Any]


def finetune(
    *,
    labels: PathLike,
    studies: PathLike | None = None,
    images: PathLike | None = None,
    out: PathLike | None = None,
    method: str = "tl-ba",
    init: PathLike = "imagenet",
    loss: Loss | None = None,
    on_event: OnEvent | None = None,
    **settings: Any,
) -> FinetuneResult:
    """Train a model on labelled frames, as `python -m training finetune` and the window do.

    Args:
        studies: manifest of the studies (JSON), with paths relative to the file:
            `{"studies": [{"study_id": "A", "patient_id": "P1", "path": "a.mp4"}]}`.
        images: folder of labelled images, instead of studies.
        labels: labels (CSV) with the columns `study_id,start,stop,label`: frames from `start` to before `stop`, and the
            class, or `normal` where nothing is to be found; of images `filename,label,group`, where images of one
            group, such as a patient, are never on both sides.
        out: run folder to write; None: a new folder below `runs`, named by the time.
        method: name of a fine-tuning method: "tl-ba", "tl-bh", "cross-entropy", or a registered one.
        init: "imagenet", "random", a weights file, a model folder, or a run folder.
        loss: replaces the triplet loss of "tl-ba" or "tl-bh"; the cross-entropy of the classifier is added to it. A
            function or module of embeddings `(B, D)` float32 and labels `(B,)` int64, the places in `model.classes` (0
            is normal), that gives a scalar with a gradient, such as a loss of pytorch-metric-learning. Its own
            parameters are not trained; curves call it `triplet`, and the card has its name. A run with it cannot be
            resumed; one by the name of a loss that a package brings (`method=NAME`) can.
        on_event: receives `Progress`, `Partial` and `LogLine` events; raise `Cancelled` in it to end the training.
        settings: any setting that `python -m training finetune --help` lists, such as `preset="quick"`, `steps=100`,
            `backbone="resnet18"`, `seed=1`.

    Raises:
        TypeError: an argument has the wrong type, or the loss gives no scalar tensor.
        ValueError: the loss has no gradient, or `method` has no triplet loss.
        UserError: an unknown method or setting, or unusable data.
        Cancelled: `on_event` raised it.
    """
    reporter = CallingReporter(on_event)
    if loss is not None and (not callable(loss) or isinstance(loss, type)):
        what = (
            f"the class {loss.__name__}: make one, {loss.__name__}()" if isinstance(loss, type) else type(loss).__name__
        )
        raise TypeError(f"loss must be a function of embeddings and labels, not {what}")
    if not isinstance(method, str):
        raise TypeError(f"method must be the name of a method, not {type(method).__name__}")
    data = {"studies": studies, "images": images}
    given: dict[str, Any] = {name: as_path(path, name) for name, path in data.items() if path is not None}
    given |= {"labels": as_path(labels, "labels"), **settings}
    given["out"] = _new_folder() if out is None else as_path(out, "out")
    given["init"] = init if init in ("imagenet", "random") else str(as_path(init, "init"))
    with _with_loss(method, loss) as name:
        _, start, _ = find_command("finetune")
        result = start(finetune_config(method=name, **given), reporter)
    run = Path(result["run"])
    return FinetuneResult(run, load_model(run), result["held_out"], result["verdict"], result)


def _new_folder() -> Path:
    name = f"finetune-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    number, folder = 1, Path("runs") / name
    while folder.exists():
        number, folder = number + 1, Path("runs") / f"{name}-{number + 1}"
    return folder


@contextmanager
def _with_loss(method: str, loss: Loss | None) -> Iterator[str]:
    """Name of a method whose triplet loss is the given one; it is known while the body runs."""
    if loss is None:
        yield method
        return
    base = FINETUNING.get(method)
    if base is not None and not issubclass(base, TripletBatchAll):
        raise ValueError(f"loss replaces the triplet loss of tl-ba or tl-bh; {method} has none")
    if base is None:  # the check of the settings names the methods
        yield method
        return
    name = f"{method}-own-loss"
    FINETUNING[name] = loss_method(name, lambda: loss, base, getattr(loss, "__name__", type(loss).__name__))
    try:
        yield name
    finally:
        del FINETUNING[name]
