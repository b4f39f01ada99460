"""Which search serves some studies: exact while they fit the memory budget, an index on disk beyond it."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings import disk_codes
from training.embeddings.approximate_search import ApproximateSearch
from training.embeddings.disk_index_making import Progress, open_disk_index
from training.embeddings.exact_search import ExactSearch
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows
from training.texts import Text, join_texts

__all__ = ["Progress", "Searches"]

LEAST_ROWS = 4096
"""So few are searched exactly whatever the budget is."""


class Searches:
    """The searches of one `NeighbourIndex`: an exact one, or an approximate one for each metric that was asked for."""

    def __init__(self, rows: NeighbourRows, cache: Path | None, exact: ExactSearch | None, why: str) -> None:
        self.rows = rows
        self.is_exact = exact is not None
        self.news = ""
        self._cache, self._exact, self._why = cache, exact, why
        self._by_metric: dict[Metric, ApproximateSearch] = {}

    @classmethod
    def open(
        cls,
        rows: NeighbourRows,
        cache: Path | None,
        memory_budget_bytes: int,
        check: Callable[[], None],
        progress: Progress,
    ) -> Self:
        """Choose; what it takes is done now, for the Euclidean distance."""
        fits = rows.embedding_bytes <= memory_budget_bytes or len(rows) < LEAST_ROWS
        if fits or not disk_codes.is_there():
            why = "" if fits else "(faiss is not installed, and they exceed the memory budget: slow)"
            return cls(rows, cache, ExactSearch(rows, check=check), why)
        searches = cls(rows, cache, None, "")
        try:
            searches._approximate("euclidean", check, progress)
        except disk_codes.TooFewError:
            return cls(rows, cache, ExactSearch(rows, check=check), "")
        return searches

    @property
    def description(self) -> str:
        """In words."""
        if self.is_exact:
            return Text("exact {why}", self._why) if self._why else Text("exact")
        return join_texts("; ", map(_words, self._by_metric.values()))

    def nearest(
        self,
        query: NDArray[np.floating],
        k: int,
        metric: Metric,
        allowed: NDArray[np.bool_],
        min_seconds_among: float,
        check: Callable[[], None],
        progress: Progress,
    ) -> tuple[list[tuple[int, float]], str]:
        """Rows and distances, nearest first, and what to say of how they were found."""
        if self._exact is not None:
            return self._exact.nearest(query, k, metric, allowed, min_seconds_among, check), ""
        search = self._approximate(metric, check, progress)
        found, is_exact = search.nearest(query, k, metric, allowed, min_seconds_among, check)
        if is_exact:
            return found, "Searched exactly, because few frames pass the filters."
        return found, Text("Approximate: recall {recall:.2f}.", search.index.recall)

    def _approximate(self, metric: Metric, check: Callable[[], None], progress: Progress) -> ApproximateSearch:
        if metric in self._by_metric:
            return self._by_metric[metric]
        index, is_changed = open_disk_index(self.rows, metric, self._cache, check, progress)
        search = ApproximateSearch(index)
        if 2 * index.recall_rows < len(self.rows):
            search.measure(check)
        if is_changed and self._cache is not None:
            self._keep(search, self._cache)
        self.news = join_texts(" ", (self.news, index.said))
        self._by_metric[metric] = search
        return search

    def _keep(self, search: ApproximateSearch, folder: Path) -> None:
        try:
            search.index.save(folder)
        except (OSError, RuntimeError) as error:  # a full disk; faiss raises RuntimeError
            logging.getLogger(__name__).warning("the index of neighbours cannot be kept: %s", error)
            search.index.said = Text(
                "{said} The index of neighbours cannot be stored in {folder}.", search.index.said, folder
            ).strip()


def _words(search: ApproximateSearch) -> str:
    index = search.index
    return Text(
        "approximate ({metric}: FAISS {name}, {probes} of {nlist} cells read, recall@10 {recall:.2f} measured with "
        "{recall_queries} frames of {recall_rows:,}; distances are exact)",
        index.metric,
        index.name,
        index.probes,
        index.codes.nlist,
        index.recall,
        index.recall_queries,
        index.recall_rows,
    )
