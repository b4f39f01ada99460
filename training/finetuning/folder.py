"""The finetuning's run folder: its files, how a run is begun in it, and how an unfinished one is taken up again."""

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

    @property
    def has_made(self) -> bool:
        """True once there is something to go on with: a checkpoint, or a model."""
        return any(self.checkpoints.glob("step-*.safetensors")) or self.model.is_dir()

    def begin(self, config: FinetuneConfig) -> FinetuneConfig:
        """Make the folder with copies of the inputs; the config that comes back points at the copies.

        A resumed run that has made nothing yet is begun anew in its folder.

        Raises:
            UserError: the folder holds another run or other files, or cannot be written.
        """
        if not is_empty(self.path) and not (config.resume and self.is_begun and not self.has_made):
            raise UserError(f"The run folder {self.path} is not empty.", "Choose another one, or go on with --resume.")
        studies = load_manifest(config.studies)
        try:
            self.manifest.parent.mkdir(parents=True, exist_ok=True)
            self.rewrite(config)  # first, so that a start that is killed while it copies can be resumed
            _copy(config.labels, self.labels)
            if config.boxes:
                _copy(config.boxes, self.boxes)
            save_manifest(self.manifest, studies)
        except OSError as error:
            raise UserError(
                f"The run folder {self.path} cannot be written ({error.strerror or error}).", "Choose another folder."
            ) from error
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
        """The settings of the run that was begun here; where it has made nothing yet, what is asked for wins.

        Raises:
            UserError: there is none, its config is damaged, or a setting was given that differs.
        """
        begun = self.read_config()
        if not self.has_made:
            return stored_config({**begun.model_dump(), **asked.model_dump(include=asked.model_fields_set)})
        asked_start = asked.model_copy(update={"init": resolved_start(asked.init, NAMED_STARTS)})
        check_same(self.path, begun, asked_start, asked.model_fields_set & {"method"})  # others have other settings
        check_same(self.path, begun, asked_start, asked.model_fields_set - FREE_TO_CHANGE)
        named = {"model_name": asked.model_name} if asked.model_name else {}
        return begun.model_copy(update={"device": asked.device, "out": self.path.resolve(), **named})

    def read_config(self) -> FinetuneConfig:
        """Settings of the run; raises `UserError` where the folder is half-written or belongs to something else."""
        return stored_config(stored_settings(self.config, "finetune", "finetuning"))


def _copy(file: Path, place: Path) -> None:
    """Copy an input, which may be the run's own copy already."""
    if not (place.exists() and place.samefile(file)):
        shutil.copyfile(file, place)
