"""Records a training of re-identification while it runs: one curve for each encoder, over steps counted through.

The run folder of a training of re-identification: starting and resuming a run in it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from training.datasets.manifest import load_manifest, save_manifest
from training.reidentification.run_settings import COMMAND, ReidConfig
from training.runs.folder import CsvLog
from training.runs.point import Point
from training.runs.reporter import Reporter
from training.runs.resume import StartedFolder, copied


class ReidFolder(StartedFolder[ReidConfig]):
    """Paths and small files of one run."""

    command = COMMAND
    what = "training of re-identification"
    named_starts = ("auto", "imagenet", "random")
    free_to_change = frozenset(
        {
            "resume", "device", "out", "studies", "labels", "boxes", "links", "embeddings", "checkpoint_seconds",
            "threads", "gradient_cache_chunk", "download", "weights_cache",
        }
    )  # fmt: skip
    taken_over = ("threads", "gradient_cache_chunk", "download", "embeddings")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.model = path / "model"

    def copy_inputs(self, config: ReidConfig) -> dict[str, Path]:
        """Manifest, labels, boxes and links; embeddings stay where they are."""
        save_manifest(self.manifest, load_manifest(config.studies))
        files = {"labels": config.labels, "boxes": config.boxes, "links": config.links_file}
        where = {name: copied(file, self.labels.with_name(f"{name}.csv")) for name, file in files.items() if file}
        if config.embeddings:
            where["embeddings"] = config.embeddings.resolve()
        return {**where, "studies": self.manifest.resolve()}

    def config_of(self, fields: Mapping[str, Any]) -> ReidConfig:
        """The settings of a config.json."""
        return ReidConfig.checked(**fields)


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
