"""Frames of any study that look like a given one: the index that the window and the shell ask.

The search is exact while the embeddings fit the memory budget, by way of an index on disk beyond it.

Nearest rows by way of the index on disk: candidates by their codes, then ranked by their true distances.

Filters decide which codes are looked at, so that no candidate is wasted on what may not be a neighbour. Where few
frames pass, or the index cannot find enough of them, all that pass are searched exactly, and the answer says so.
"""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings import disk_codes, disk_index
from training.embeddings.exact_search import ExactSearch
from training.embeddings.neighbour import Metric, Neighbour, NeighbourFilter, Neighbours, StudyEmbeddings
from training.embeddings.neighbour_rows import Chosen, NeighbourRows, open_rows
from training.errors import UserError
from training.texts import Text, count_text, join_texts

CANDIDATES = 100
"""Of codes of 64 bytes of 128 components they hold the ten nearest, as good as always (measured)."""
EXACT_ROWS = 20_000
"""So few are searched exactly in the time that the index takes."""
ROUNDS = 8
ENOUGH_RECALL = 0.97
NEAREST, QUERIES = 10, 48
"""Of a measurement of the recall."""


class ApproximateSearch:
    """Nearest rows of an index on disk; the same call as `ExactSearch.nearest`."""

    def __init__(self, index: disk_index.DiskIndex) -> None:
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
        if np.count_nonzero(left) > max(EXACT_ROWS, 4 * k):
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
        chosen = Chosen(self.rows, k, min_seconds_among)
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
            left = left.copy()
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
        limits = self.exact.farthest_of_nearest(vectors, NEAREST, metric, others, check) * (1 + 1e-9) + 1e-9
        lists, result = index.manifest.lists, {"recall_queries": len(asked), "recall_rows": len(rows)}
        for probes in (max(1, lists // share) for share in (256, 128, 64, 32, 16, 8, 4)):
            hits = 0
            for vector, left, limit in zip(vectors, others, limits.tolist(), strict=True):
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


MEMORY_BUDGET_BYTES = 2 << 30
"""Embeddings up to this size are searched exactly: half a million frames of 2,048 numbers, two million of 512."""
LEAST_ROWS = 4096
"""So few are searched exactly whatever the budget is."""


class NeighbourIndex:
    """All frames of some studies, searchable. Not thread-safe; light: numpy and h5py only, torch never."""

    def __init__(self, rows: NeighbourRows, cache: Path | None) -> None:
        self._rows, self._cache = rows, cache
        self._exact: ExactSearch | None = None
        self._approximate: dict[Metric, ApproximateSearch] = {}
        self._why = Text("exact")
        self.news = ""
        """What had to be done to the index on disk (damaged: rebuilt; studies added), in sentences; mostly ""."""

    @classmethod
    def open(
        cls,
        studies: Sequence[StudyEmbeddings],
        *,
        cache: Path | None = None,
        memory_budget_bytes: int = MEMORY_BUDGET_BYTES,
        check: Callable[[], None] = lambda: None,
        progress: disk_index.Progress = lambda *_: None,
    ) -> Self:
        """Open the embedding files of some studies.

        Within the budget that is all: their embeddings are mapped and searched exactly. Beyond it an index by FAISS is
        opened, brought up to date with studies that are new or were scored again, or built (a minute or more for a
        million frames); the one for the cosine is made when it is first asked for. Without faiss everything is searched
        exactly, only slower.

        Args:
            studies: at least one, each once; all of one model and space.
            cache: folder in which an index is kept; None: it is built in memory, each time.
            memory_budget_bytes: embeddings up to this size are searched exactly.
            check: called often; may raise to give up (`reporter.check`).
            progress: receives the progress of building an index (`reporter.progress`).

        Raises:
            UserError: no study, a file that cannot be read or is not finished, or files of different models or spaces.
        """
        rows = open_rows(studies, check)
        index = cls(rows, cache)
        fits = sum(part.embeddings.nbytes for part in rows.parts) <= memory_budget_bytes or len(rows) < LEAST_ROWS
        if not fits and not disk_codes.is_there():
            fits = True
            index._why = Text("exact (faiss is not installed, and they exceed the memory budget: slow)")
        try:
            if not fits:
                index._search("euclidean", check, progress)
                return index
        except disk_codes.TooFewError:
            pass
        index._exact = ExactSearch(rows, check=check)
        return index

    @property
    def is_exact(self) -> bool:
        """Whether no neighbour can be missed."""
        return self._exact is not None

    @property
    def description(self) -> str:
        """How it searches, in words; of an approximate index which one it is, and its measured recall."""
        studies = count_text("{count:,} study", "{count:,} studies", len(self._rows.parts))
        how = self._why if self.is_exact else join_texts("; ", map(_words, self._approximate.values()))
        return Text("{description}; {count:,} frames of {studies}", how, len(self._rows), studies)

    @property
    def model_id(self) -> str:
        """Whose embeddings these are."""
        return self._rows.header.model_id

    @property
    def study_ids(self) -> tuple[str, ...]:
        """In the order in which they were given."""
        return tuple(part.study.study_id for part in self._rows.parts)

    def frame_index(self, study_id: str) -> NDArray[np.int64]:
        """(N,) frame of each row of a study; masks of `NeighbourFilter.frames` have the same order."""
        return self._rows.parts[self._rows.number_of(study_id)].frame_index

    def vector(self, study_id: str, frame_index: int) -> NDArray[np.float32]:
        """(D,) the embedding of a frame.

        Raises:
            UserError: no such study or frame, or one that does not decode.
        """
        part = self._rows.parts[self._rows.number_of(study_id)]
        vector = np.asarray(part.embeddings[part.row_of(frame_index)], dtype=np.float32)
        if not np.isfinite(vector).all():
            raise UserError(
                "Frame {frame_index:,} of {study_id} cannot be decoded, so it has no embedding.",
                "Choose another frame.",
                frame_index,
                study_id,
            )
        return vector

    def mean_of(self, study_id: str, span: tuple[int, int]) -> NDArray[np.float32]:
        """(D,) the mean embedding of the frames [start, stop) of a study, without those that do not decode.

        Raises:
            UserError: no such study, or no frame with an embedding in the span.
        """
        part = self._rows.parts[self._rows.number_of(study_id)]
        first, last = np.searchsorted(part.frame_index, span).tolist()
        vectors = np.asarray(part.embeddings[first:last], dtype=np.float64)
        vectors = vectors[np.isfinite(vectors).all(axis=1)]
        if not len(vectors):
            raise UserError(
                "No frame of {study_id} from {span:,} to {span2:,} has an embedding.",
                "Mark another span.",
                study_id,
                span[0],
                span[1] - 1,
            )
        return np.asarray(vectors.mean(axis=0), dtype=np.float32)

    def find(
        self,
        query: NDArray[np.floating],
        k: int,
        *,
        metric: Metric = "euclidean",
        where: NeighbourFilter = NeighbourFilter(),  # noqa: B008  (frozen)
        check: Callable[[], None] = lambda: None,
        progress: disk_index.Progress = lambda *_: None,
    ) -> Neighbours:
        """The k nearest frames that the filter lets through.

        Args:
            query: (D,) in the space of the index: `vector`, `mean_of`, or a model's embedding of a region or an image.
            k: >= 1.
            metric: "euclidean" (Pascual et al. 2022) or "cosine" (a vector of zeros is at 1 from everything: ours).
            where: what is known of the query, and what its neighbours must fulfil.
            check: called often; may raise to give up (`reporter.check`).
            progress: receives the progress if an index has to be built for this metric.

        Raises:
            UserError: the query has another size, is not finite, or k < 1.
        """
        self._check_query(query, k)
        allowed, apart, note = self._allowed(where), where.min_seconds_among, ""
        if self._exact is not None:
            nearest = self._exact.nearest(query, k, metric, allowed, apart, check)
        else:
            search = self._search(metric, check, progress)
            nearest, is_exact = search.nearest(query, k, metric, allowed, apart, check)
            note = Text("Approximate: recall {recall:.2f}.", search.index.manifest.recall)
            note = "Searched exactly, because few frames pass the filters." if is_exact else note
        items = []
        for row, distance in nearest:
            part, place = self._rows.place(row)
            frame, seconds = int(part.frame_index[place]), float(part.video_seconds[place])
            items.append(Neighbour(part.study.study_id, part.study.patient_id, frame, seconds, distance))
        return Neighbours(tuple(items), join_texts(" ", (_fewer(len(items), k), note)))

    def close(self) -> None:
        """Let the files go."""
        self._rows = NeighbourRows((), np.zeros(1, dtype=np.int64))

    def _search(self, metric: Metric, check: Callable[[], None], progress: disk_index.Progress) -> ApproximateSearch:
        """The approximate search for a metric; its index is made when it is first asked for."""
        if metric in self._approximate:
            return self._approximate[metric]
        index, is_changed = disk_index.open_disk_index(self._rows, metric, self._cache, check, progress)
        search = ApproximateSearch(index)
        if 2 * index.manifest.recall_rows < len(self._rows):
            search.measure(check)
        if is_changed and self._cache is not None:
            try:
                index.save(self._cache)
            except (OSError, RuntimeError) as error:  # a full disk; faiss raises RuntimeError
                logging.getLogger(__name__).warning("the index of neighbours cannot be kept: %s", error)
                lost = Text("The index of neighbours cannot be stored in {folder}.", self._cache)
                index.news = join_texts(" ", (index.news, lost))
        self.news = join_texts(" ", (self.news, index.news))
        self._approximate[metric] = search
        return search

    def _check_query(self, query: NDArray[np.floating], k: int) -> None:
        if k < 1:
            raise UserError("{k} neighbours cannot be found.", "Use 1 or more.", k)
        if query.shape != (self._rows.size,):
            raise UserError(
                "The query has {map} numbers, the embeddings of {model_id} have {size}.",
                "Embed the query with the model that scored the studies.",
                " x ".join(map(str, query.shape)),
                self.model_id,
                self._rows.size,
            )
        if not np.isfinite(query).all():
            raise UserError("The query is not a finite vector: its frame cannot be decoded.", "Choose another frame.")

    def _allowed(self, where: NeighbourFilter) -> NDArray[np.bool_]:
        """(T,)"""
        allowed = np.zeros(len(self._rows), dtype=bool)
        for number, part in enumerate(self._rows.parts):
            if where.admits(part.study.study_id, part.study.patient_id):
                span = slice(int(self._rows.starts[number]), int(self._rows.starts[number + 1]))
                allowed[span] = where.rows(part.study.study_id, part.frame_index, part.video_seconds)
        return allowed


def _fewer(found: int, wanted: int) -> str:
    if found == wanted:
        return ""
    if found == 0:
        return "No other frame passes the filters."
    return count_text(
        "Only {count:,} other frame passes the filters.", "Only {count:,} other frames pass the filters.", found
    )


def _words(search: ApproximateSearch) -> str:
    manifest = search.index.manifest
    return Text(
        "approximate ({metric}: FAISS {name}, {probes} of {nlist} cells read, recall@10 {recall:.2f} measured with "
        "{recall_queries} frames of {recall_rows:,}; distances are exact)",
        manifest.metric,
        manifest.name,
        manifest.probes,
        manifest.lists,
        manifest.recall,
        manifest.recall_queries,
        manifest.recall_rows,
    )
