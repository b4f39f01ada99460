"""The card of a model: classes, method, data, metrics and lineage."""

import datetime
import platform
from typing import Any

import torch

from training.compute.plan import choose_autocast
from training.datasets.synthetic import trained_on
from training.finetuning.config import FinetuneConfig
from training.finetuning.fitting import Fitted
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
) -> dict[str, Any]:
    """JSON values; `untaught_classes`: see `unlabelled_classes`; `trained_on`: see `trained_on`, None if unknown."""
    network = start.network.config
    used = [data.everything.studies[number] for number in sorted(set(data.everything.study.tolist()))]
    return {
        "schema_version": 1,
        "notice": NOTICE,
        "model_id": network.model_id,
        "classes": list(network.classes),
        "untaught_classes": unlabelled_classes(start, data),
        "trained_on": trained_on((study.path for study in used), start.lineage),
        "method": {"name": config.method, "preset": config.preset, "settings": settings(config)},
        "data": {
            "studies": sorted(study.study_id for study in used),
            "labelled": data.everything.counts(),
            "learned_from": data.training.counts(),
            "judged_by": data.held_out.counts(),
            "left_out": data.everything.left_out.sentence(),
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


def settings(config: FinetuneConfig) -> dict[str, Any]:
    """The settings without paths."""
    paths = {"studies", "labels", "boxes", "out", "init", "weights_cache", "resume"}
    return config.model_dump(mode="json", exclude=paths)
