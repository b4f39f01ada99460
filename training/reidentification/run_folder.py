"""Records a training of re-identification while it runs: one curve for each encoder, over steps counted through.

The run folder of a training of re-identification: starting and resuming a run in it.
"""

import shutil
from pathlib import Path
from typing import Any, Self

from training.datasets.manifest import load_manifest, save_manifest
from training.errors import UserError
from training.reidentification.run_settings import COMMAND, ReidConfig
from training.runs.folder import CsvLog, write_json
from training.runs.point import Point
from training.runs.reporter import Reporter
from training.runs.resume import check_same, is_empty, stored_settings

FREE_TO_CHANGE = frozenset(
    {
        "resume", "device", "out", "studies", "labels", "boxes", "links", "embeddings", "checkpoint_seconds", "threads",
        "gradient_cache_chunk", "download", "weights_cache",
    }
)  # fmt: skip
"""Settings that may change when a run is resumed."""


class ReidFolder:
    """Paths and small files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.split = path / "split.json"
        self.metrics = path / "metrics.csv"
        self.card = path / "card.json"
        self.checkpoints = path / "checkpoints"
        self.model = path / "model"
        self._inputs = path / "inputs"

    @property
    def has_content(self) -> bool:
        """True if the folder exists and is not empty."""
        return not is_empty(self.path)

    @property
    def has_results(self) -> bool:
        """True once there is a checkpoint to resume from."""
        return any(self.checkpoints.glob("step-*.safetensors"))

    def create(self, config: ReidConfig) -> ReidConfig:
        """Create the folder with copies of manifest, labels, boxes and links; the returned config refers to the copies.

        Raises:
            UserError: the folder holds another run or other files, or cannot be written.
        """
        if self.has_content and not (config.resume and self.config.is_file()):
            raise UserError("The run folder {path} is not empty.", "Choose another one, or use --resume.", self.path)
        where: dict[str, Any] = {"out": self.path.resolve(), "resume": False}
        if config.embeddings:
            where["embeddings"] = config.embeddings.resolve()
        try:
            self._inputs.mkdir(parents=True, exist_ok=True)
            self._write(config)  # first, so that a run killed while copying can be resumed
            manifest = self._inputs / "manifest.json"
            save_manifest(manifest, load_manifest(config.studies))
            where["studies"] = manifest.resolve()
            for name, given in (("labels", config.labels), ("boxes", config.boxes), ("links", config.links_file)):
                kept = self._inputs / f"{name}.csv"
                if given is not None:
                    if not (kept.exists() and kept.samefile(given)):
                        shutil.copyfile(given, kept)
                    where[name] = kept.resolve()
        except OSError as error:
            raise UserError(
                "The run folder {path} cannot be written ({reason}).",
                "Choose another folder.",
                self.path,
                error.strerror or error,
            ) from error
        return self._write(config.model_copy(update=where))

    def resume(self, asked: ReidConfig) -> ReidConfig:
        """The settings of the run to resume; without a checkpoint yet, what was asked for now.

        Raises:
            UserError: its config is damaged or of another command, or an explicit setting differs.
        """
        stored = ReidConfig.checked(**stored_settings(self.config, COMMAND, "training of re-identification"))
        if not self.has_results:
            return asked
        check_same(self.path, stored, asked, asked.model_fields_set - FREE_TO_CHANGE)
        free = ("threads", "gradient_cache_chunk", "download", "embeddings")
        given = {name: getattr(asked, name) for name in free if name in asked.model_fields_set}
        return stored.model_copy(update={"device": asked.device, "out": self.path.resolve(), **given})

    def _write(self, config: ReidConfig) -> ReidConfig:
        write_json(self.config, {"command": COMMAND, "config": config.model_dump(mode="json")})
        return config


SINGLE_FRAME, MULTI_VIEW = "single_frame_loss", "multi_view_loss"
COLUMNS = (
    "step", SINGLE_FRAME, MULTI_VIEW, "negatives_ahead", "learning_rate", "embedding_norm", "images_per_second",
)  # fmt: skip


class ReidRecorder:
    """Writes metrics.csv and reports the points; the file of a resumed run is like that of an uninterrupted one."""

    def __init__(self, metrics: Path, frame_steps: int, first_step: int, reporter: Reporter) -> None:
        """`frame_steps`: of the single-frame encoder, which come first; `first_step`: steps that are done."""
        self._frame_steps, self._reporter = frame_steps, reporter
        self._metrics = CsvLog(metrics, COLUMNS, first_step)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._metrics.close()

    def add(self, point: Point) -> None:
        """Record one step."""
        figures = point.figures
        figures[SINGLE_FRAME if point.step <= self._frame_steps else MULTI_VIEW] = figures.pop("loss")
        self._metrics.append([tuple(figures.get(name, "") for name in COLUMNS)])
        self._reporter.partial("curve", figures)
