"""The run folder of a fine-tuning: starting and resuming a run in it."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.datasets.image_set import ImageSet, as_studies, read_image_set
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import load_manifest, save_manifest
from training.finetuning.config import FinetuneConfig, stored_config
from training.runs.resume import StartedFolder, copied


class RunFolder(StartedFolder[FinetuneConfig]):
    """Paths and small files of one run."""

    command = "finetune"
    what = "fine-tuning"
    free_to_change = frozenset(
        {
            "resume", "device", "out", "studies", "images", "normal_label", "by", "labels", "boxes", "embeddings",
            "replaces", "evaluations", "checkpoint_seconds", "threads", "model_name", "log_to", "record_host",
        }
    )  # fmt: skip
    taken_over = ("model_name", "log_to", "record_host")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.held_out = path / "held_out.csv"
        self.scores = path / "scores.csv"
        self.comparison = path / "comparison.json"
        self.best = path / "checkpoints" / "best.safetensors"
        self.model = path / "model"
        self.boxes = path / "inputs" / "boxes.csv"

    @property
    def has_results(self) -> bool:
        """True once there is something to resume: a checkpoint or a model."""
        return super().has_results or self.model.is_dir()

    def copy_inputs(self, config: FinetuneConfig) -> dict[str, Any]:
        """Labels, boxes and manifest; of images one with a study for each group, which links to them."""
        if config.images is not None:
            images = read_images(config)
            files = [config.images / name for name in images.filenames]
            manifest, places = as_studies(images.labelled, files, self.manifest.parent / "images")
            save_manifest(self.manifest, manifest)
            names = [images.labelled.classes[label] for label in images.labelled.label.tolist()]
            placed = zip(places, names, strict=True)
            rows = [LabelRow(study_id=study, start=at, stop=at + 1, label=name) for (study, at), name in placed]
            write_labels(self.labels, rows)
            where = {"studies": self.manifest.resolve(), "labels": self.labels.resolve()}
            return {**where, "images": None, "by": "group"}
        assert config.studies is not None  # checked by the config
        save_manifest(self.manifest, load_manifest(config.studies))
        where = {"studies": self.manifest.resolve(), "labels": copied(config.labels, self.labels)}
        return {**where, "boxes": copied(config.boxes, self.boxes)} if config.boxes else where

    def config_of(self, fields: Mapping[str, Any]) -> FinetuneConfig:
        """Settings of an older version, too; images that are given again take the place of the studies made of them."""
        return stored_config({**fields, "studies": None} if fields.get("images") else fields)


def read_images(config: FinetuneConfig) -> ImageSet:
    """The labelled images of a config that names some; raises `UserError`, see `read_image_set`."""
    assert config.images is not None
    return read_image_set(
        config.images,
        config.labels,
        normal_label=config.normal_label,
        classes=config.classes,
        by=config.by,
        without_groups="Name the column of the patient: --by COLUMN, or fill in the column group.",
    )


def model_id(config: FinetuneConfig) -> str:
    """The configured name, or one made of the run folder's name and a digest of the settings."""
    if config.model_name:
        return config.model_name
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", config.out.name).strip("-._") or "run"
    digest = hashlib.sha256(config.model_dump_json(exclude={"steps", "resume", "device"}).encode()).hexdigest()
    return f"{slug[:60]}-{digest[:6]}"
