"""Records a training of re-identification while it runs: one curve for each encoder, over steps counted through."""

from pathlib import Path
from typing import Self

from training.runs.folder import CsvLog
from training.runs.point import Point
from training.runs.reporter import Reporter

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
