"""The finetuning's run folder: its files, how a run is begun in it, and how an unfinished one is taken up again."""

import json
import shutil
from pathlib import Path

from training.datasets.manifest import load_manifest, save_manifest
from training.errors import UserError
from training.finetuning.config import FinetuneConfig, finetune_config
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
        return self.rewrite(config.model_copy(update={**where, "init": _resolved(config.init), "resume": False}))

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
        given = asked.model_fields_set - FREE_TO_CHANGE
        for name in sorted(given):
            wanted = _resolved(asked.init) if name == "init" else getattr(asked, name)
            if wanted != getattr(begun, name) and wanted is not None:
                raise UserError(
                    f"The run in {self.path} was begun with {name} = {getattr(begun, name)}, not {wanted}.",
                    "Resume it without that setting, or start a new run.",
                )
        named = {"model_name": asked.model_name} if asked.model_name else {}
        return begun.model_copy(update={"device": asked.device, "out": self.path.resolve(), **named})

    def read_config(self) -> FinetuneConfig:
        """Settings of the run; raises `UserError` where the folder is half-written or belongs to something else."""
        try:
            content = json.loads(self.config.read_text(encoding="utf-8"))
            command, fields = content["command"], content["config"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"The run folder {self.path} is incomplete: its config.json is missing or damaged.",
                "Start a new run in another folder.",
            ) from error
        if command != "finetune":
            raise UserError(f"The run in {self.path} is not a finetuning but a {command}.", "Choose another folder.")
        return finetune_config(**fields)


def _resolved(init: str) -> str:
    """A start that is a path, as an absolute path; a name as it is."""
    return str(Path(init).resolve()) if init not in ("random", "imagenet") else init
