"""The run folder of a pretraining: starting and resuming a run in it."""

import shutil
from pathlib import Path
from typing import Any

from training.datasets.manifest import load_manifest, save_manifest
from training.errors import UserError
from training.pretraining.config import PretrainConfig, stored_config
from training.runs.folder import write_json
from training.runs.resume import check_same, is_empty, resolved_start, stored_settings

FREE_TO_CHANGE = frozenset(
    {
        "resume", "device", "out", "studies", "images", "labels", "label_studies", "evaluations", "checkpoint_seconds",
        "threads", "workers", "keep_decoded_gb", "minutes", "gradient_cache_chunk",
    }
)  # fmt: skip
"""Settings that may change when a run is resumed."""
NAMED_STARTS = ("auto", "random", "imagenet")


class PretrainFolder:
    """Paths and small files of one pretraining."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.split = path / "split.json"
        self.metrics = path / "metrics.csv"
        self.knn = path / "knn.csv"
        self.card = path / "card.json"
        self.checkpoints = path / "checkpoints"
        self.kept = path / "kept"
        self.views = path / "views"
        self.validation = path / "validation.csv"
        self.reconstructions = path / "reconstructions"
        inputs = path / "inputs"
        self.manifest = inputs / "manifest.json"
        self.labels = inputs / "labels.csv"
        self.label_studies = inputs / "label_studies.json"

    @property
    def is_started(self) -> bool:
        """True once the folder has a run's settings."""
        return self.config.is_file()

    @property
    def has_content(self) -> bool:
        """True if the folder exists and is not empty."""
        return self.path.is_dir() and any(self.path.iterdir())

    @property
    def has_results(self) -> bool:
        """True once there is something to resume: a checkpoint, or weights of a step after the start."""
        return any(self.checkpoints.glob("step-*.safetensors")) or any(step > 0 for step in self.kept_steps)

    @property
    def kept_steps(self) -> list[int]:
        """Steps whose weights are kept, in ascending order."""
        return sorted(int(path.stem.removeprefix("step-")) for path in self.kept.glob("step-*.safetensors"))

    def create(self, config: PretrainConfig) -> PretrainConfig:
        """Create the folder with copies of the inputs; the returned config refers to the copies.

        A resumed run without results starts again in its folder.

        Raises:
            UserError: the folder holds another run or other files, or cannot be written.
        """
        if not is_empty(self.path) and not (config.resume and self.is_started and not self.has_results):
            raise UserError("The run folder {path} is not empty.", "Choose another one, or use --resume.", self.path)
        where: dict[str, Any] = {"out": self.path.resolve()}
        try:
            self.manifest.parent.mkdir(parents=True, exist_ok=True)
            self.rewrite(config)  # first, so that a run killed while copying can be resumed
            if config.studies:
                save_manifest(self.manifest, load_manifest(config.studies))
                where["studies"] = self.manifest.resolve()
            if config.images:
                where["images"] = config.images.resolve()
            if config.labels:
                if not (self.labels.exists() and self.labels.samefile(config.labels)):
                    shutil.copyfile(config.labels, self.labels)
                where["labels"] = self.labels.resolve()
            if config.label_studies:
                save_manifest(self.label_studies, load_manifest(config.label_studies))
                where["label_studies"] = self.label_studies.resolve()
        except OSError as error:
            raise UserError(
                "The run folder {path} cannot be written ({reason}).",
                "Choose another folder.",
                self.path,
                error.strerror or error,
            ) from error
        return self.rewrite(
            config.model_copy(update={**where, "init": resolved_start(config.init, NAMED_STARTS), "resume": False})
        )

    def rewrite(self, config: PretrainConfig) -> PretrainConfig:
        """Write config.json, which `python -m training job` can run."""
        write_json(self.config, {"command": "pretrain", "config": config.model_dump(mode="json")})
        return config

    def resume(self, asked: PretrainConfig) -> PretrainConfig:
        """The settings of the run to resume; without results yet, explicit settings override the stored ones.

        Raises:
            UserError: its config is damaged or of another command, or an explicit setting differs.
        """
        stored = self.read_config()
        if not self.has_results:
            return stored_config({**stored.model_dump(), **asked.model_dump(include=asked.model_fields_set)})
        # Steps that were derived from minutes or epochs are kept.
        derived = {"steps", "step_every", "epochs"} if asked.minutes else {"steps"} if asked.epochs else set()
        asked_start = asked.model_copy(update={"init": resolved_start(asked.init, NAMED_STARTS)})
        check_same(
            self.path, stored, asked_start, asked.model_fields_set & {"method"}
        )  # first: other methods have other settings
        check_same(self.path, stored, asked_start, asked.model_fields_set - FREE_TO_CHANGE - derived)
        free = {
            name: getattr(asked, name) for name in ("threads", "workers", "keep_decoded_gb", "gradient_cache_chunk")
        }
        given: dict[str, Any] = {name: value for name, value in free.items() if name in asked.model_fields_set}
        if asked.images:
            given["images"] = asked.images.resolve()  # the folder may have moved
        return stored.model_copy(update={"device": asked.device, "out": self.path.resolve(), **given})

    def read_config(self) -> PretrainConfig:
        """The settings of the run; raises `UserError` if they are missing, damaged or of another command."""
        return stored_config(stored_settings(self.config, "pretrain", "pretraining"))
