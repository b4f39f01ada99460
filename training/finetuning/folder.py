"""The run folder of a fine-tuning: starting and resuming a run in it."""

import hashlib
import re
import shutil
from pathlib import Path

from training.datasets.manifest import load_manifest, save_manifest
from training.errors import UserError
from training.finetuning.config import FinetuneConfig, stored_config
from training.runs.folder import write_json
from training.runs.resume import check_same, is_empty, resolved_start, stored_settings

FREE_TO_CHANGE = frozenset(
    {
        "resume",
        "device",
        "out",
        "studies",
        "labels",
        "boxes",
        "embeddings",
        "replaces",
        "evaluations",
        "checkpoint_seconds",
        "threads",
        "model_name",
    }
)
"""Settings that may change when a run is resumed."""
NAMED_STARTS = ("random", "imagenet")


class RunFolder:
    """Paths and small files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.split = path / "split.json"
        self.metrics = path / "metrics.csv"
        self.held_out = path / "held_out.csv"
        self.card = path / "card.json"
        self.comparison = path / "comparison.json"
        self.checkpoints = path / "checkpoints"
        self.best = path / "checkpoints" / "best.safetensors"
        self.model = path / "model"
        self.manifest = path / "inputs" / "manifest.json"
        self.labels = path / "inputs" / "labels.csv"
        self.boxes = path / "inputs" / "boxes.csv"

    @property
    def is_started(self) -> bool:
        """True once the folder has a run's settings."""
        return self.config.is_file()

    @property
    def has_results(self) -> bool:
        """True once there is something to resume: a checkpoint or a model."""
        return any(self.checkpoints.glob("step-*.safetensors")) or self.model.is_dir()

    def create(self, config: FinetuneConfig) -> FinetuneConfig:
        """Create the folder with copies of the inputs; the returned config refers to the copies.

        A resumed run without results starts again in its folder.

        Raises:
            UserError: the folder holds another run or other files, or cannot be written.
        """
        if not is_empty(self.path) and not (config.resume and self.is_started and not self.has_results):
            raise UserError("The run folder {path} is not empty.", "Choose another one, or use --resume.", self.path)
        studies = load_manifest(config.studies)
        try:
            self.manifest.parent.mkdir(parents=True, exist_ok=True)
            self.rewrite(config)  # first, so that a run killed while copying can be resumed
            _copy(config.labels, self.labels)
            if config.boxes:
                _copy(config.boxes, self.boxes)
            save_manifest(self.manifest, studies)
        except OSError as error:
            raise UserError(
                "The run folder {path} cannot be written ({reason}).",
                "Choose another folder.",
                self.path,
                error.strerror or error,
            ) from error
        where = {"studies": self.manifest.resolve(), "labels": self.labels.resolve(), "out": self.path.resolve()}
        if config.boxes:
            where["boxes"] = self.boxes.resolve()
        return self.rewrite(
            config.model_copy(update={**where, "init": resolved_start(config.init, NAMED_STARTS), "resume": False})
        )

    def rewrite(self, config: FinetuneConfig) -> FinetuneConfig:
        """Write config.json, which `python -m training job` can run."""
        write_json(self.config, {"command": "finetune", "config": config.model_dump(mode="json")})
        return config

    def resume(self, asked: FinetuneConfig) -> FinetuneConfig:
        """The settings of the run to resume; without results yet, explicit settings override the stored ones.

        Raises:
            UserError: there is none, its config is damaged, or an explicit setting differs.
        """
        stored = self.read_config()
        if not self.has_results:
            return stored_config({**stored.model_dump(), **asked.model_dump(include=asked.model_fields_set)})
        asked_start = asked.model_copy(update={"init": resolved_start(asked.init, NAMED_STARTS)})
        check_same(
            self.path, stored, asked_start, asked.model_fields_set & {"method"}
        )  # first: other methods have other settings
        check_same(self.path, stored, asked_start, asked.model_fields_set - FREE_TO_CHANGE)
        named = {"model_name": asked.model_name} if asked.model_name else {}
        return stored.model_copy(update={"device": asked.device, "out": self.path.resolve(), **named})

    def read_config(self) -> FinetuneConfig:
        """The settings of the run; raises `UserError` if they are missing, damaged or of another command."""
        return stored_config(stored_settings(self.config, "finetune", "fine-tuning"))


def model_id(config: FinetuneConfig) -> str:
    """The configured name, or one made of the run folder's name and a digest of the settings."""
    if config.model_name:
        return config.model_name
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", config.out.name).strip("-._") or "run"
    digest = hashlib.sha256(config.model_dump_json(exclude={"steps", "resume", "device"}).encode()).hexdigest()
    return f"{slug[:60]}-{digest[:6]}"


def _copy(file: Path, place: Path) -> None:
    """Copy an input, unless it is the run's own copy."""
    if not (place.exists() and place.samefile(file)):
        shutil.copyfile(file, place)
