"""Frames of any study that look like a given one: the index that the window and the shell ask."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Metric, Neighbour, NeighbourFilter, Neighbours, StudyEmbeddings
from training.embeddings.neighbour_rows import NeighbourRows, open_rows
from training.embeddings.search_choice import Progress, Searches
from training.errors import UserError
from training.texts import Text, count_text, join_texts

MEMORY_BUDGET_BYTES = 2 << 30
"""Embeddings up to this size are searched exactly: half a million frames of 2,048 numbers, two million of 512."""


class NeighbourIndex:
    """All frames of some studies, searchable. Not thread-safe; light: numpy and h5py only, torch never."""

    def __init__(self, rows: NeighbourRows, searches: Searches) -> None:
        self._rows = rows
        self._searches = searches

    @classmethod
    def open(
        cls,
        studies: Sequence[StudyEmbeddings],
        *,
        cache: Path | None = None,
        memory_budget_bytes: int = MEMORY_BUDGET_BYTES,
        check: Callable[[], None] = lambda: None,
        progress: Progress = lambda *_: None,
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
        return cls(rows, Searches.open(rows, cache, memory_budget_bytes, check, progress))

    @property
    def is_exact(self) -> bool:
        """Whether no neighbour can be missed."""
        return self._searches.is_exact

    @property
    def description(self) -> str:
        """How it searches, in words; of an approximate index which one it is, and its measured recall."""
        studies = count_text("{count:,} study", "{count:,} studies", len(self._rows.parts))
        return Text(
            "{description}; {count:,} frames of {studies}", self._searches.description, len(self._rows), studies
        )

    @property
    def news(self) -> str:
        """What had to be done to the index on disk (damaged: rebuilt; studies added), in sentences; mostly ""."""
        return self._searches.news

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
        progress: Progress = lambda *_: None,
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
        found, how = self._searches.nearest(
            query, k, metric, self._allowed(where), where.min_seconds_among, check, progress
        )
        items = tuple(self._neighbour(row, distance) for row, distance in found)
        return Neighbours(items, join_texts(" ", (_fewer(len(items), k), how)))

    def close(self) -> None:
        """Let the files go."""
        self._rows = NeighbourRows((), np.zeros(1, dtype=np.int64))

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

    def _neighbour(self, row: int, distance: float) -> Neighbour:
        part, place = self._rows.place(row)
        return Neighbour(
            part.study.study_id,
            part.study.patient_id,
            int(part.frame_index[place]),
            float(part.video_seconds[place]),
            distance,
        )


def _fewer(found: int, wanted: int) -> str:
    if found == wanted:
        return ""
    if found == 0:
        return "No other frame passes the filters."
    return count_text(
        "Only {count:,} other frame passes the filters.", "Only {count:,} other frames pass the filters.", found
    )
