"""The run folder of a pretraining: how a run is begun in it, and how an unfinished one is taken up again."""

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
"""Settings in which a resumed run may differ from the one that was begun."""
NAMED_STARTS = ("auto", "random", "imagenet")


class PretrainFolder:
    """Paths and small files of one pretraining (the design's section 5)."""

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
        inputs = path / "inputs"
        self.manifest = inputs / "manifest.json"
        self.labels = inputs / "labels.csv"
        self.label_studies = inputs / "label_studies.json"

    @property
    def is_begun(self) -> bool:
        """True once a run's settings stand in the folder."""
        return self.config.is_file()

    @property
    def has_content(self) -> bool:
        """True where anything lies in the folder."""
        return self.path.is_dir() and any(self.path.iterdir())

    @property
    def has_made(self) -> bool:
        """True once there is something to go on with: a checkpoint, or weights of a later step than the first."""
        return any(self.checkpoints.glob("step-*.safetensors")) or any(step > 0 for step in self.kept_steps)

    @property
    def kept_steps(self) -> list[int]:
        """Steps whose weights are kept, ascending."""
        return sorted(int(path.stem.removeprefix("step-")) for path in self.kept.glob("step-*.safetensors"))

    def begin(self, config: PretrainConfig) -> PretrainConfig:
        """Make the folder with copies of the inputs; the config that comes back points at the copies.

        A resumed run that has made nothing yet is begun anew in its folder.

        Raises:
            UserError: the folder holds another run or other files, or cannot be written.
        """
        if not is_empty(self.path) and not (config.resume and self.is_begun and not self.has_made):
            raise UserError(f"The run folder {self.path} is not empty.", "Choose another one, or go on with --resume.")
        where: dict[str, Any] = {"out": self.path.resolve()}
        try:
            self.manifest.parent.mkdir(parents=True, exist_ok=True)
            self.rewrite(config)  # first, so that a start that is killed while it copies can be resumed
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
                f"The run folder {self.path} cannot be written ({error.strerror or error}).", "Choose another folder."
            ) from error
        return self.rewrite(
            config.model_copy(update={**where, "init": resolved_start(config.init, NAMED_STARTS), "resume": False})
        )

    def rewrite(self, config: PretrainConfig) -> PretrainConfig:
        """Write config.json: what `python -m training job` runs as it stands."""
        write_json(self.config, {"command": "pretrain", "config": config.model_dump(mode="json")})
        return config

    def take_up(self, asked: PretrainConfig) -> PretrainConfig:
        """The settings of the run that was begun here; where it has made nothing yet, what is asked for wins.

        Raises:
            UserError: its config is damaged or another command's, or a setting was given that differs.
        """
        begun = self.read_config()
        if not self.has_made:
            return stored_config({**begun.model_dump(), **asked.model_dump(include=asked.model_fields_set)})
        # Where minutes bound the steps, those that were settled on stay.
        settled = {"steps", "step_every", "epochs"} if asked.minutes else {"steps"} if asked.epochs else set()
        asked_start = asked.model_copy(update={"init": resolved_start(asked.init, NAMED_STARTS)})
        check_same(self.path, begun, asked_start, asked.model_fields_set & {"method"})  # others have other settings
        check_same(self.path, begun, asked_start, asked.model_fields_set - FREE_TO_CHANGE - settled)
        free = {
            name: getattr(asked, name) for name in ("threads", "workers", "keep_decoded_gb", "gradient_cache_chunk")
        }
        given: dict[str, Any] = {name: value for name, value in free.items() if name in asked.model_fields_set}
        if asked.images:
            given["images"] = asked.images.resolve()  # the pictures may have moved
        return begun.model_copy(update={"device": asked.device, "out": self.path.resolve(), **given})

    def read_config(self) -> PretrainConfig:
        """Settings of the run; raises `UserError` where the folder is half-written or belongs to something else."""
        return stored_config(stored_settings(self.config, "pretrain", "pretraining"))
