"""The finetuning's run folder: its files, how a run is begun in it, and how an unfinished one is taken up again."""

import shutil
from pathlib import Path

from training.datasets.manifest import load_manifest, save_manifest
from training.errors import UserError
from training.finetuning.config import FinetuneConfig, finetune_config
from training.runs.begun import begun_fields, check_same, resolved_start
from training.runs.folder import write_json

FREE_TO_CHANGE = frozenset(
    {
        "resume",
        "device",
        "out",
        "studies",
        "labels",
        "boxes",
        "evaluations",
        "checkpoint_seconds",
        "threads",
        "model_name",
    }
)
"""Settings in which a resumed run may differ from the one that was begun."""
NAMED_STARTS = ("random", "imagenet")


class RunFolder:
    """Paths and small files of one run (the design's section 5)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.split = path / "split.json"
        self.metrics = path / "metrics.csv"
        self.held_out = path / "held_out.csv"
        self.card = path / "card.json"
        self.comparison = path / "comparison.json"
        self.checkpoints = path / "checkpoints"
        self.model = path / "model"
        self.manifest = path / "inputs" / "manifest.json"
        self.labels = path / "inputs" / "labels.csv"
        self.boxes = path / "inputs" / "boxes.csv"

    @property
    def is_begun(self) -> bool:
        """True once a run's settings stand in the folder."""
        return self.config.is_file()

    def begin(self, config: FinetuneConfig) -> FinetuneConfig:
        """Make the folder with copies of the inputs; the config that comes back points at the copies.

        Raises:
            UserError: the folder holds another run or other files, or cannot be written.
        """
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise UserError(f"The run folder {self.path} is not empty.", "Choose another one, or go on with --resume.")
        try:
            self.manifest.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(config.labels, self.labels)
            if config.boxes:
                shutil.copyfile(config.boxes, self.boxes)
        except OSError as error:
            raise UserError(
                f"The run folder {self.path} cannot be written ({error.strerror or error}).", "Choose another folder."
            ) from error
        save_manifest(self.manifest, load_manifest(config.studies))
        where = {"studies": self.manifest.resolve(), "labels": self.labels.resolve(), "out": self.path.resolve()}
        if config.boxes:
            where["boxes"] = self.boxes.resolve()
        return self.rewrite(
            config.model_copy(update={**where, "init": resolved_start(config.init, NAMED_STARTS), "resume": False})
        )

    def rewrite(self, config: FinetuneConfig) -> FinetuneConfig:
        """Write config.json: what `python -m training job` runs as it stands."""
        write_json(self.config, {"command": "finetune", "config": config.model_dump(mode="json")})
        return config

    def take_up(self, asked: FinetuneConfig) -> FinetuneConfig:
        """The settings of the run that was begun here.

        Raises:
            UserError: there is none, its config is damaged, or a setting was given that differs.
        """
        begun = self.read_config()
        asked_start = asked.model_copy(update={"init": resolved_start(asked.init, NAMED_STARTS)})
        check_same(self.path, begun, asked_start, asked.model_fields_set - FREE_TO_CHANGE)
        named = {"model_name": asked.model_name} if asked.model_name else {}
        return begun.model_copy(update={"device": asked.device, "out": self.path.resolve(), **named})

    def read_config(self) -> FinetuneConfig:
        """Settings of the run; raises `UserError` where the folder is half-written or belongs to something else."""
        return finetune_config(**begun_fields(self.config, "finetune", "finetuning"))
