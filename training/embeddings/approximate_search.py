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

CANDIDATES = 800
EXACT_ROWS = 20_000
"""So few are searched exactly in the time that the index takes."""
ROUNDS = 8
ENOUGH_RECALL = 0.97
NEAREST, QUERIES = 10, 48
"""Of a measurement of the recall."""


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
            chosen = self._approximately(query, k, left, min_seconds_among, self.index.manifest.probes, check)
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
            candidates = self.index.candidates(query, count, probes, left)
            keys = self.exact.exact_keys(query, self.index.manifest.metric, candidates)
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
                probes = min(2 * probes, self.index.manifest.lists)
        return chosen

    def measure(self, check: Callable[[], None] = lambda: None) -> None:
        """Choose how many cells are read, and measure which share of the true 10 nearest frames that finds.

        Asked for are random frames. Frames of *other* studies count, as those are what a person asks for and the harder
        ones to find; where there is one study only, all but the frame itself. A frame at the same distance is as good.
        """
        index, rows, metric = self.index, self.rows, self.index.manifest.metric
        valid = np.flatnonzero(self.exact.is_valid)
        asked = np.random.default_rng(0).choice(valid, min(QUERIES, len(valid)), replace=False).tolist()
        vectors, others = rows.gather(np.array(asked)), [self._others(row) for row in asked]
        limits = []
        for vector, left in zip(vectors, others, strict=True):
            true = self.exact.nearest(vector, NEAREST, metric, left, check=check)
            limits.append(true[-1][1] * (1 + 1e-9) + 1e-9 if len(true) == NEAREST else np.inf)
        lists, result = index.manifest.lists, {"recall_queries": len(asked), "recall_rows": len(rows)}
        for probes in (max(1, lists // share) for share in (64, 32, 16, 8, 4)):
            hits = 0
            for vector, left, limit in zip(vectors, others, limits, strict=True):
                chosen = self._approximately(vector, NEAREST, left, 0.0, probes, check)
                hits += sum(distance <= limit for _, distance in chosen.distances(metric))
            recall = hits / (NEAREST * len(asked))
            index.manifest = index.manifest.model_copy(update={**result, "recall": recall, "probes": probes})
            if recall >= ENOUGH_RECALL:
                break

    def _others(self, row: int) -> NDArray[np.bool_]:
        """(T,) the rows that count for one."""
        number = int(np.searchsorted(self.rows.starts, row, side="right")) - 1
        first, stop = self.rows.starts[number : number + 2] if len(self.rows.parts) > 1 else (row, row + 1)
        left = self.exact.is_valid.copy()
        left[first:stop] = False
        return left
