"""The card of a pretraining: method, data, metrics and lineage."""

import datetime
import platform
from typing import Any

import torch

from training.datasets.synthetic import trained_on
from training.pretraining.config import PretrainConfig
from training.pretraining.start import PretrainStart
from training.pretraining.studies import PretrainStudies
from training.version import version

NOTICE = "Research use only, not for diagnosis."


def pretrain_card(
    config: PretrainConfig,
    start: PretrainStart,
    studies: PretrainStudies,
    done: int,
    figures: dict[str, Any],
    computed: dict[str, Any],
    warning: str,
) -> dict[str, Any]:
    """JSON values; `figures`: of the last step; `computed`: device, precision, processes, chunks."""
    return {
        "schema_version": 1,
        "notice": NOTICE,
        "kind": "pretraining",
        "method": {"name": config.method, "preset": config.preset, "settings": settings(config)},
        "trained_on": trained_on((path for _, path, _ in studies.files.values()), start.lineage),
        "data": {
            "studies": studies.study_ids,
            "patients": studies.patients,
            "frames": studies.frames,
            "left_out": studies.left_out,
        },
        "split": {
            "kind": "patients",
            "training_patients": studies.patients,
            "held_out_patients": list(config.held_out_patients),
        },
        "figures": figures,
        "warning": warning,
        "lineage": dict(start.lineage),
        "finished": done >= config.steps,
        "steps_done": done,
        "steps": config.steps,
        "seed": config.seed,
        "computed": computed,
        "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": {
            "wce_desktop": version(),
            "python": platform.python_version(),
            "torch": str(torch.__version__),
        },
    }


def settings(config: PretrainConfig) -> dict[str, Any]:
    """The settings without paths."""
    paths = {"studies", "images", "labels", "label_studies", "out", "init", "weights_cache", "resume"}
    return config.model_dump(mode="json", exclude=paths)
