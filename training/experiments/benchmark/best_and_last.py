"""Figures of a training that is evaluated several times: at its last step and at its best one."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.benchmark.class_figures import class_figures


class BestAndLast:
    """Evaluates on demand, and keeps the figures of the best step and of the last.

    Best is the highest accuracy, of equal ones the first, as in `linear`. Where the test frames
    choose it themselves, as Vats et al. 2022 do for three of their four data sets, it is optimistic.
    """

    def __init__(
        self,
        score: Callable[[NDArray[np.int64]], NDArray[np.floating]],
        labels: NDArray[np.int64],
        test: NDArray[np.int64],
        chosen_on: NDArray[np.int64] | None = None,
        groups: NDArray[Any] | None = None,
    ) -> None:
        """Nothing is scored yet.

        Args:
            score: rows (m,) -> scores (m, C) of the training as it is now.
            labels: (M,) classes of all rows.
            test: rows (m,) to evaluate on.
            chosen_on: rows whose accuracy chooses the best step; None: the test rows.
            groups: (m,) patients of the test rows; None where they are unknown.
        """
        self._score, self._labels = score, labels
        self._test, self._chosen_on, self._groups = test, chosen_on, groups
        self._best_accuracy = -1.0
        self._found: dict[str, Any] = {"is_optimistic": chosen_on is None, "judgings": 0}

    def evaluate(self, step: int, *, is_last: bool) -> None:
        """Evaluate now, after `step` steps."""
        rows = self._test if self._chosen_on is None else self._chosen_on
        scores = self._score(rows)
        accuracy = float((scores.argmax(axis=1) == self._labels[rows]).mean())
        is_better = accuracy > self._best_accuracy
        self._found["judgings"] += 1
        if not (is_better or is_last):
            return
        figures = self._figures(scores if self._chosen_on is None else self._score(self._test))
        if is_better:
            self._best_accuracy = accuracy
            self._found |= {"best": figures, "best_step": step}
        if is_last:
            self._found["last"] = figures

    @property
    def found(self) -> dict[str, Any]:
        """`last` and `best` (figures of `class_figures`), `best_step`, `judgings` (how many), `is_optimistic`."""
        return dict(self._found)

    def _figures(self, scores: NDArray[np.floating]) -> dict[str, float | None]:
        return class_figures(self._labels[self._test], scores, self._groups)
