"""The card of a model: classes, method, data, metrics and lineage."""

import datetime
import platform
from typing import Any

import torch

from training.compute.plan import choose_autocast
from training.finetuning.config import FinetuneConfig
from training.finetuning.fitting import Fitted
from training.finetuning.rehearsal import Rehearsal
from training.finetuning.starting_point import StartingPoint
from training.finetuning.training_set import TrainingSet

NOTICE = "Research use only, not for diagnosis."


def model_card(
    config: FinetuneConfig,
    start: StartingPoint,
    data: TrainingSet,
    figures: dict[str, Any],
    warning: str,
    fitted: Fitted,
    rehearsal: Rehearsal | None = None,
) -> dict[str, Any]:
    """JSON values; `untaught_classes`: see `unlabelled_classes`, `untaught_sentence`: what kept them."""
    network = start.network.config
    return {
        "schema_version": 1,
        "notice": NOTICE,
        "model_id": network.model_id,
        "classes": list(network.classes),
        "untaught_classes": unlabelled_classes(start, data),
        "untaught_sentence": untaught_sentence(start, data, rehearsal),
        "method": {"name": config.method, "preset": config.preset, "settings": settings(config)},
        "data": {
            "studies": sorted(
                {data.everything.studies[number].study_id for number in set(data.everything.study.tolist())}
            ),
            "labelled": data.everything.counts(),
            "learned_from": data.training.counts(),
            "judged_by": data.held_out.counts(),
            "left_out": data.labelled.left_out,
        },
        "split": {
            "kind": data.split.kind,
            "training_patients": list(data.split.training_patients),
            "held_out_patients": list(data.split.held_out_patients),
            "sentence": data.split.sentence,
        },
        "held_out": figures,
        "warning": warning,
        "lineage": dict(start.lineage),
        "finished": fitted.is_finished,
        "steps_done": fitted.steps_done,
        "steps": fitted.steps,
        "memory": fitted.memory,
        "device": str(start.network.mean.device),
        "precision": str(choose_autocast(config.precision, start.network.mean.device) or torch.float32).split(".")[-1],
        "seed": config.seed,
        "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": {
            "python": platform.python_version(),
            "torch": str(torch.__version__),
        },
    }


def unlabelled_classes(start: StartingPoint, data: TrainingSet) -> list[str]:
    """Classes of the model without labels in this run, which are not evaluated."""
    return [name for name in start.network.config.classes if name not in data.everything.classes]


def untaught_sentence(start: StartingPoint, data: TrainingSet, rehearsal: Rehearsal | None) -> str:
    """Names the classes of the old model without labels in this run, and what keeps them; empty where none is."""
    names = unlabelled_classes(start, data)
    if not names:
        return ""
    sentence = f"Classes of the model without labels in this run: {', '.join(names)}."
    if rehearsal is None:
        return f"{sentence} Nothing was done to keep them, so the new model may have forgotten them."
    return f"{sentence} {len(rehearsal.frames)} frames keep what the old model knew of them."


def settings(config: FinetuneConfig) -> dict[str, Any]:
    """The settings without paths."""
    paths = {"studies", "labels", "boxes", "out", "init", "weights_cache", "resume"}
    return config.model_dump(mode="json", exclude=paths)
