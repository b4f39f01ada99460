"""The frames of several studies as one long list of rows, checked to lie in one space."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.embeddings.header import EmbeddingHeader
from training.embeddings.mapped_rows import MappedRows
from training.embeddings.neighbour import Metric, StudyEmbeddings
from training.embeddings.reduced import Components, ReducedRows
from training.errors import UserError
from training.texts import Text

MOST_ANNOUNCED = 4096
"""Of so few rows the system is told beforehand, so that the disk looks for them all at once."""
SAME_SPACE = ("model_sha256", "space", "normalized")
"""What two files must share for their distances to mean anything; precision is not among it: it moves no neighbour
further than rounding does."""


@dataclass(frozen=True)
class StudyRows:
    """One study's part of the list."""

    study: StudyEmbeddings
    header: EmbeddingHeader
    frame_index: NDArray[np.int64]
    """(N,) ascending"""
    video_seconds: NDArray[np.float64]
    """(N,)"""
    embeddings: MappedRows
    """(N, D)"""

    def __len__(self) -> int:
        return len(self.frame_index)

    def row_of(self, frame_index: int) -> int:
        """Raises `UserError` where the file has no such frame."""
        row = int(np.searchsorted(self.frame_index, frame_index))
        if row == len(self) or self.frame_index[row] != frame_index:
            there = (
                Text("It has {frame_index:,} to {frame_index2:,}.", self.frame_index[0], self.frame_index[-1])
                if len(self)
                else "It is empty."
            )
            raise UserError(
                Text(
                    "{name} has no embedding of frame {frame_index:,} of {study_id}.",
                    self.study.path.name,
                    frame_index,
                    self.study.study_id,
                ),
                there,
            )
        return row


@dataclass(frozen=True)
class NeighbourRows:
    """All rows: study after study, frame after frame; row numbers count through."""

    parts: tuple[StudyRows, ...]
    starts: NDArray[np.int64]
    """(S + 1,) where each study's rows begin; the last one is the number of all rows."""

    def __len__(self) -> int:
        return int(self.starts[-1])

    @property
    def size(self) -> int:
        """D"""
        return int(self.parts[0].embeddings.shape[1])

    @property
    def header(self) -> EmbeddingHeader:
        """Of the first study: model and space are everybody's."""
        return self.parts[0].header

    def number_of(self, study_id: str) -> int:
        """Place of a study in `parts`; raises `UserError` where it takes no part."""
        for number, part in enumerate(self.parts):
            if part.study.study_id == study_id:
                return number
        raise UserError(
            "The study {study_id} is not part of this search.", "Score it with the chosen model first.", study_id
        )

    def place(self, row: int) -> tuple[StudyRows, int]:
        """The study of a row, and the row within it."""
        number = int(np.searchsorted(self.starts, row, side="right")) - 1
        return self.parts[number], row - int(self.starts[number])

    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(M, D) float64: the embeddings of some rows, in their order."""
        gathered = np.empty((len(rows), self.size), dtype=np.float64)
        numbers = np.searchsorted(self.starts, rows, side="right") - 1
        parts = [(number, np.flatnonzero(numbers == number)) for number in np.unique(numbers).tolist()]
        for number, mine in parts if len(rows) <= MOST_ANNOUNCED else ():
            self.parts[number].embeddings.will_need(rows[mine] - self.starts[number])
        reduced: dict[Components, list[tuple[NDArray[np.int64], NDArray[np.floating]]]] = {}
        for number, mine in parts:
            table, places = self.parts[number].embeddings, rows[mine] - self.starts[number]
            if isinstance(table, ReducedRows):
                reduced.setdefault(table.components, []).append((mine, table.coordinates(places)))
            else:
                gathered[mine] = table[places]
        for components, some in reduced.items():  # one product for all studies that share them
            at, coordinates = (np.concatenate(each) for each in zip(*some, strict=True))
            gathered[at] = components.rows(coordinates)
        return gathered


def open_rows(studies: Sequence[StudyEmbeddings], check: Callable[[], None] = lambda: None) -> NeighbourRows:
    """Open the files of all studies; their embeddings stay on disk.

    Args:
        studies: at least one; each once.
        check: called between files; may raise to give up.

    Raises:
        UserError: no study, one twice, a file that cannot be read, or files of different models or spaces.
    """
    if not studies:
        raise UserError("There is no scored study to search.", "Score a study with the chosen model first.")
    parts: list[StudyRows] = []
    seen = set[str]()
    for study in studies:
        check()
        if study.study_id in seen:
            raise UserError("The study {study_id} is given twice.", "Give each study once.", study.study_id)
        seen.add(study.study_id)
        with EmbeddingFile.open(Path(study.path), study.recording) as file:
            part = StudyRows(study, file.header, file.frame_index, file.video_seconds, file.embeddings)
        if parts:
            _check_same_space(parts[0], part)
        parts.append(part)
    starts = np.concatenate(([0], np.cumsum([len(part) for part in parts]))).astype(np.int64)
    return NeighbourRows(tuple(parts), starts)


def _check_same_space(first: StudyRows, other: StudyRows) -> None:
    mine, theirs = first.header, other.header
    differs = [name for name in SAME_SPACE if getattr(mine, name) != getattr(theirs, name)]
    if _preparation(mine) != _preparation(theirs):
        differs.append("preprocessing")
    if not differs and first.embeddings.shape[1] == other.embeddings.shape[1]:
        return
    raise UserError(
        "The frames of {study_id} ({words}) and of {study_study_id} ({words2}) cannot be compared: {why}.",
        "Score both again with the model in use.",
        first.study.study_id,
        _words(mine),
        other.study.study_id,
        _words(theirs),
        _WHY[differs[0] if differs else "size"],
    )


def _preparation(header: EmbeddingHeader) -> object:
    """How frames were prepared, but for each study's own field of view and which of its frames shared scores."""
    try:
        values = json.loads(header.preprocessing)
    except ValueError:
        return header.preprocessing
    if isinstance(values, dict):
        for own in ("field_of_view", "scenes"):
            values.pop(own, None)
    return values


_WHY = {
    "model_sha256": "they come from different models",
    "space": "they are in different spaces",
    "normalized": "one is normalised, the other is not",
    "preprocessing": "their frames were prepared differently",
    "size": "they have different numbers of dimensions",
}


def _words(header: EmbeddingHeader) -> str:
    return f"{header.model_id} {header.model_sha256[:6]}, {header.space}"


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

    @property
    def rows(self) -> list[int]:
        """In the order in which they were taken."""
        return [row for row, _ in self._found]

    def take(self, rows: NDArray[np.int64], keys: NDArray[np.float64]) -> None:
        """Take as many as are wanted of some rows, by increasing key, none of them taken before."""
        numbers = np.searchsorted(self._rows.starts, rows, side="right") - 1
        for row, key, number in zip(rows.tolist(), keys.tolist(), numbers.tolist(), strict=True):
            if self.is_full:
                return
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
        keys = [(row, max(key, 0.0)) for row, key in sorted(self._found, key=lambda pair: (pair[1], pair[0]))]
        return [(row, float(np.sqrt(key)) if metric == "euclidean" else min(key, 2.0)) for row, key in keys]
