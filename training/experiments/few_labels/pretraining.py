"""The pretraining that rows such as simclr:tl-ba start from: one for each split, without its held-out patients."""

from pathlib import Path
from typing import Any

from training.datasets.folds import Fold
from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.evaluation.fold_pretraining import fold_pretraining, pretraining_manifest
from training.experiments.few_labels.config import FewLabelsConfig
from training.pretraining.config import PretrainConfig
from training.runs.folder import key_of
from training.runs.reporter import Reporter

PLACES = {"studies", "images", "labels", "label_studies", "out", "weights_cache", "resume", "device", "threads"}
"""Settings that change no weight."""


def split_pretraining(config: FewLabelsConfig, method: str, fold: Fold) -> PretrainConfig:
    """The settings of a split's pretraining; its folder's name says what decides it. Seed 0 for all draws.

    Raises:
        UserError: nobody is left to pretrain on, unusable files or settings.
    """
    asked = _asked(config, method)
    manifest = pretraining_manifest(asked)
    place = config.out / "pretrainings"
    made = fold_pretraining(asked, fold, manifest, place / f"{method}-split-{fold.number + 1}", 0)
    decides = {**made.model_dump(mode="json", exclude=PLACES), "studies": manifest.model_dump(mode="json")}
    return made.model_copy(update={"out": place / f"{method}-{key_of(decides)}"})


def pretrained(config: PretrainConfig, reporter: Reporter) -> Path | None:
    """The run folder: a finished pretraining is reused, else it is run or resumed; None if a stop cut it short."""
    from training.pretraining.run import pretrain

    done = config.out / "finished"
    if not done.is_file():
        if not pretrain(config, reporter).get("finished", True):
            return None
        done.touch()
    return config.out


def _asked(config: FewLabelsConfig, method: str) -> EvaluateConfig:
    data: dict[str, Any] = {"images": config.images} if config.images else {"studies": config.studies}
    return evaluate_config(
        **data,
        labels=config.labels,
        out=config.out,
        normal_label=config.normal_label,
        pretrain=method,
        pretrain_settings={"threads": config.threads, **config.pretrain_settings.get(method, {})},
        pretrain_studies=config.pretrain_studies,
        pretrain_video=config.pretrain_video,
        device=config.device,
    )
