"""The run folder of a pretraining: starting and resuming a run in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.datasets.manifest import load_manifest, save_manifest
from training.pretraining.config import PretrainConfig, stored_config
from training.runs.resume import StartedFolder, copied


class PretrainFolder(StartedFolder[PretrainConfig]):
    """Paths and small files of one pretraining."""

    command = "pretrain"
    what = "pretraining"
    named_starts = ("auto", "random", "imagenet")
    free_to_change = frozenset(
        {
            "resume", "device", "out", "studies", "images", "labels", "label_studies", "evaluations",
            "checkpoint_seconds", "threads", "workers", "keep_decoded_gb", "minutes", "gradient_cache_chunk",
            "log_to", "record_host",
        }
    )  # fmt: skip
    taken_over = ("threads", "workers", "keep_decoded_gb", "gradient_cache_chunk", "images", "log_to", "record_host")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.knn = path / "knn.csv"
        self.kept = path / "kept"
        self.views = path / "views"
        self.validation = path / "validation.csv"
        self.reconstructions = path / "reconstructions"
        self.label_studies = path / "inputs" / "label_studies.json"

    @property
    def has_results(self) -> bool:
        """True once there is something to resume: a checkpoint, or weights of a step after the start."""
        return super().has_results or any(step > 0 for step in self.kept_steps)

    @property
    def kept_steps(self) -> list[int]:
        """Steps whose weights are kept, in ascending order."""
        return sorted(int(path.stem.removeprefix("step-")) for path in self.kept.glob("step-*.safetensors"))

    def copy_inputs(self, config: PretrainConfig) -> dict[str, Path]:
        """Labels and manifests; images stay where they are."""
        where = {}
        for name, copy in (("studies", self.manifest), ("label_studies", self.label_studies)):
            if given := getattr(config, name):
                save_manifest(copy, load_manifest(given))
                where[name] = copy.resolve()
        if config.images:
            where["images"] = config.images.resolve()
        return {**where, "labels": copied(config.labels, self.labels)} if config.labels else where

    def config_of(self, fields: Mapping[str, Any]) -> PretrainConfig:
        """Settings of an older version, too."""
        return stored_config(fields)

    def derived(self, asked: PretrainConfig) -> set[str]:
        """Steps from epochs."""
        return {"steps"} if asked.epochs else set()
