"""The run folder of a fine-tuning: starting and resuming a run in it."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.datasets.manifest import load_manifest, save_manifest
from training.finetuning.config import FinetuneConfig, stored_config
from training.runs.resume import StartedFolder, copied


class RunFolder(StartedFolder[FinetuneConfig]):
    """Paths and small files of one run."""

    command = "finetune"
    what = "fine-tuning"
    free_to_change = frozenset(
        {
            "resume", "device", "out", "studies", "labels", "boxes", "embeddings", "replaces", "evaluations",
            "checkpoint_seconds", "threads", "model_name",
        }
    )  # fmt: skip
    taken_over = ("model_name",)

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.held_out = path / "held_out.csv"
        self.comparison = path / "comparison.json"
        self.best = path / "checkpoints" / "best.safetensors"
        self.model = path / "model"
        self.boxes = path / "inputs" / "boxes.csv"

    @property
    def has_results(self) -> bool:
        """True once there is something to resume: a checkpoint or a model."""
        return super().has_results or self.model.is_dir()

    def copy_inputs(self, config: FinetuneConfig) -> dict[str, Path]:
        """Labels, boxes and manifest."""
        save_manifest(self.manifest, load_manifest(config.studies))
        where = {"studies": self.manifest.resolve(), "labels": copied(config.labels, self.labels)}
        return {**where, "boxes": copied(config.boxes, self.boxes)} if config.boxes else where

    def config_of(self, fields: Mapping[str, Any]) -> FinetuneConfig:
        """Settings of an older version, too."""
        return stored_config(fields)


def model_id(config: FinetuneConfig) -> str:
    """The configured name, or one made of the run folder's name and a digest of the settings."""
    if config.model_name:
        return config.model_name
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", config.out.name).strip("-._") or "run"
    digest = hashlib.sha256(config.model_dump_json(exclude={"steps", "resume", "device"}).encode()).hexdigest()
    return f"{slug[:60]}-{digest[:6]}"
