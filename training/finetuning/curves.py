"""The curves of a run: metrics.csv for each step, held_out.csv for held-out figures, and events for both."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from training.finetuning.folder import RunFolder
from training.runs.folder import CsvLog
from training.runs.point import Point
from training.runs.reporter import Reporter

HELD_OUT_COLUMNS = ("step", "class", "auc", "patients", "frames", "positives")


class Curves:
    """Records the points of a run; the files of a resumed run are like those of an uninterrupted one."""

    def __init__(
        self,
        folder: RunFolder,
        terms: Sequence[str],
        first_step: int,
        steps: int,
        evaluations: int,
        evaluate: Callable[[], dict[str, Any]],
        reporter: Reporter,
        scales: Sequence[str] = (),
        on_evaluated: Callable[[int, dict[str, Any]], None] = lambda step, figures: None,
    ) -> None:
        """`evaluate`: held-out figures by class, called `evaluations` times; `terms`, `scales`: of the method.

        `on_evaluated` is called with the step and these figures.
        """
        self._metrics = CsvLog(folder.metrics, Point.columns(terms, scales=scales), first_step)
        self._held_out = CsvLog(folder.held_out, HELD_OUT_COLUMNS, first_step)
        self._due = due_steps(steps, evaluations)
        self._on_evaluated = on_evaluated
        self._evaluate = evaluate
        self._reporter = reporter

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._metrics.close()
        self._held_out.close()

    def add(self, point: Point) -> None:
        """Record one step, and evaluate if due."""
        self._metrics.append([tuple(point.figures.values())])
        self._reporter.partial("curve", point.figures)
        if point.step not in self._due:
            return
        figures = self._evaluate()
        self._held_out.append(
            (point.step, name, row["auc"], row["patients"], row["frames"], row["positives"])
            for name, row in figures.items()
        )
        self._reporter.partial(
            "held_out", {"step": point.step, "auc": {name: row["auc"] for name, row in figures.items()}}
        )
        self._on_evaluated(point.step, figures)


def due_steps(steps: int, evaluations: int) -> set[int]:
    """The steps after which held-out frames are evaluated, evenly up to the last one."""
    return {round(steps * number / evaluations) for number in range(1, evaluations + 1)}
