"""The results of one query as they are chosen, nearest first, each far enough in time from those before it."""

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows


class Chosen:
    """Up to k rows.

    Args:
        rows: that are chosen from.
        k: >= 1.
        min_seconds_among: results of one study are at least so far apart; 0: no condition.
    """

    def __init__(self, rows: NeighbourRows, k: int, min_seconds_among: float) -> None:
        self._rows, self._k, self._seconds = rows, k, min_seconds_among
        self._found: list[tuple[int, float]] = []
        self._times: dict[int, list[float]] = {}

    @property
    def is_full(self) -> bool:
        """Whether there are k."""
        return len(self._found) == self._k

    def take(self, rows: NDArray[np.int64], keys: NDArray[np.float64]) -> None:
        """Take as many as are wanted of some rows, by increasing key, none of them taken before."""
        for row, key in zip(rows.tolist(), keys.tolist(), strict=True):
            if self.is_full:
                return
            number = int(np.searchsorted(self._rows.starts, row, side="right")) - 1
            time = float(self._rows.parts[number].video_seconds[row - int(self._rows.starts[number])])
            times = self._times.setdefault(number, [])
            if self._seconds == 0 or all(abs(time - other) >= self._seconds for other in times):
                self._found.append((row, key))
                times.append(time)

    def too_near(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(M,) which of some rows, ascending, can no longer be taken."""
        near = np.zeros(len(rows), dtype=bool)
        if self._seconds == 0:
            return near
        for number, times in self._times.items():
            start, stop = self._rows.starts[number : number + 2].tolist()
            first, last = np.searchsorted(rows, (start, stop)).tolist()
            its = self._rows.parts[number].video_seconds[rows[first:last] - start]
            for time in times:
                near[first:last] |= np.abs(its - time) < self._seconds
        return near

    def distances(self, metric: Metric) -> list[tuple[int, float]]:
        """Rows and distances, nearest first; of equal ones the earlier row."""
        found = sorted(self._found, key=lambda pair: (pair[1], pair[0]))
        return [(row, _distance(key, metric)) for row, key in found]


def _distance(key: float, metric: Metric) -> float:
    return float(np.sqrt(max(key, 0.0))) if metric == "euclidean" else min(max(key, 0.0), 2.0)
