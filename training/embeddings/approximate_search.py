"""Nearest rows by way of the index on disk: candidates by their codes, then ranked by their true distances.

Filters decide which codes are looked at, so that no candidate is wasted on what may not be a neighbour. Where few
frames pass, or the index cannot find enough of them, all that pass are searched exactly, and the answer says so.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from training.embeddings.disk_index import DiskIndex
from training.embeddings.exact_search import ExactSearch
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import Chosen, NeighbourRows
from training.embeddings.recall import NEAREST, recall, sample_queries, true_limits

CANDIDATES = 800
EXACT_ROWS = 20_000
"""So few are searched exactly in the time that the index takes."""
ROUNDS = 8
ENOUGH_RECALL = 0.97


class ApproximateSearch:
    """Nearest rows of an index on disk; the same call as `ExactSearch.nearest`."""

    def __init__(self, index: DiskIndex) -> None:
        self.index = index
        self.rows: NeighbourRows = index.rows
        self.exact = ExactSearch(index.rows, index.squares_by_row())

    def nearest(
        self,
        query: NDArray[np.floating],
        k: int,
        metric: Metric,
        allowed: NDArray[np.bool_],
        min_seconds_among: float = 0.0,
        check: Callable[[], None] = lambda: None,
    ) -> tuple[list[tuple[int, float]], bool]:
        """Rows and distances, nearest first, and whether they were searched exactly; see `ExactSearch.nearest`."""
        left = allowed & self.exact.is_valid
        if int(left.sum()) > max(EXACT_ROWS, 4 * k):
            chosen = self._approximately(query, k, left, min_seconds_among, self.index.probes, check)
            if chosen.is_full:
                return chosen.distances(metric), False
        return self.exact.nearest(query, k, metric, allowed, min_seconds_among, check), True

    def _approximately(
        self,
        query: NDArray[np.floating],
        k: int,
        left: NDArray[np.bool_],
        min_seconds_among: float,
        probes: int,
        check: Callable[[], None],
    ) -> Chosen:
        chosen, left = Chosen(self.rows, k, min_seconds_among), left.copy()
        count = max(CANDIDATES, 4 * k)
        for _ in range(ROUNDS):
            check()
            candidates = self.index.candidates(query, count, probes, self.index.bits(left))
            keys = self.exact.exact_keys(query, self.index.metric, candidates)
            order = np.lexsort((candidates, keys))
            chosen.take(candidates[order], keys[order])
            if chosen.is_full:
                break
            # What was looked at, or is too near in time to what was chosen, is not looked at again.
            left[candidates] = False
            if min_seconds_among > 0:
                living = np.flatnonzero(left)
                left[living[chosen.too_near(living)]] = False
            if len(candidates) < count:
                probes = min(2 * probes, int(self.index.codes.nlist))
        return chosen

    def measure(self, check: Callable[[], None] = lambda: None) -> None:
        """Choose how many cells are read, and measure the recall that this gives (`training.embeddings.recall`)."""
        index, rows = self.index, self.rows
        queries = sample_queries(self.exact.is_valid)
        limits = true_limits(rows, queries, index.metric, check)
        lists = int(index.codes.nlist)
        for probes in (max(1, lists // share) for share in (64, 32, 16, 8, 4)):
            found = [self._distances(row, probes, check) for row in queries.tolist()]
            index.recall, index.probes = recall(found, limits), probes
            if index.recall >= ENOUGH_RECALL:
                break
        index.recall_queries, index.recall_rows = len(queries), len(rows)

    def _distances(self, row: int, probes: int, check: Callable[[], None]) -> list[float]:
        number = int(np.searchsorted(self.rows.starts, row, side="right")) - 1
        left = self.exact.is_valid.copy()
        if len(self.rows.parts) > 1:
            left[int(self.rows.starts[number]) : int(self.rows.starts[number + 1])] = False
        else:
            left[row] = False
        query = self.rows.gather(np.array([row]))[0]
        chosen = self._approximately(query, NEAREST, left, 0.0, probes, check)
        return [distance for _, distance in chosen.distances(self.index.metric)]
