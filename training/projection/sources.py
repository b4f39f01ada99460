"""The embedding files that a map is made of, opened, named, and checked to be of one model.

The chosen rows of all studies as one (N, D) matrix that is read in blocks and never wholly in memory.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.manifest import StudyEntry, StudySpan, check_spans, load_manifest
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.map_file import ProjectionModel, common_model
from training.projection.pca import BLOCK_ROWS, blocks_of


@dataclass(frozen=True)
class Source:
    """One study's embeddings."""

    study_id: str
    patient_id: str
    path: Path
    spans: tuple[StudySpan, ...]
    """The frames that count; empty: all."""
    embeddings: NDArray[np.floating]
    """(N, D), mapped."""
    frame_index: NDArray[np.int64]
    """(N,)"""
    video_seconds: NDArray[np.float64]
    """(N,)"""
    model: ProjectionModel

    @property
    def frame_count(self) -> int:
        """Number of frames of the study, as far as the embeddings show."""
        return int(self.frame_index[-1]) + 1 if len(self.frame_index) else 0

    def rows(self) -> NDArray[np.int64]:
        """(M,) rows of the frames inside the spans, ascending."""
        if not self.spans:
            return np.arange(len(self.frame_index))
        inside = np.zeros(len(self.frame_index), bool)
        for span in self.spans:
            inside |= (self.frame_index >= span.start) & (self.frame_index < span.stop)
        return np.flatnonzero(inside)


def open_sources(config: ProjectConfig) -> tuple[Source, ...]:
    """All studies of the map.

    Raises:
        UserError: a file that is none, two studies of one name, or studies of different models or spaces.
    """
    entries = _entries(config)
    if not entries:
        raise UserError("{manifest} names no studies.", "Give at least one.", config.manifest)
    sources = [_open(entry) for entry in entries]
    common_model([source.study_id for source in sources], [source.model for source in sources])
    return tuple(sources)


def study_name(path: Path) -> str:
    """The study of an embedding file: its folder in a library (`studies/<id>/embeddings-<model>.h5`), else its name."""
    return path.resolve().parent.name if path.name.startswith("embeddings-") else path.stem


def asked_files(config: ProjectConfig) -> dict[str, str]:
    """Study -> embedding file, none of them opened."""
    return {entry.study_id: str(entry.path.resolve()) for entry in _entries(config)}


def _entries(config: ProjectConfig) -> list[StudyEntry]:
    """The studies; the path of each is that of its embedding file."""
    if config.manifest is not None:
        return list(load_manifest(config.manifest).studies)
    names = [study_name(path) for path in config.embeddings]
    for name, path in zip(names, config.embeddings, strict=True):
        if names.count(name) > 1:
            raise UserError("{path}: two files belong to a study named {name}.", "Name them in a manifest.", path, name)
    return [
        StudyEntry(study_id=name, patient_id=name, path=path)
        for name, path in zip(names, config.embeddings, strict=True)
    ]


def _open(entry: StudyEntry) -> Source:
    with EmbeddingFile.open(entry.path, entry.fingerprint) as file:
        model = ProjectionModel.of(file.header)
        arrays = (file.embeddings, file.frame_index, file.video_seconds)
        source = Source(entry.study_id, entry.patient_id, entry.path, entry.spans, *arrays, model)
    check_spans(entry.study_id, entry.spans, source.frame_count)
    return source


KEEP_BYTES = 512 << 20
"""A matrix of at most this size (float32) is read once and kept."""


class Rows:
    """Rows of several studies, one study after the other, ascending within each.

    Args:
        sources: all of the same D.
        rows: for each source (n,) ascending row numbers.
    """

    def __init__(self, sources: Sequence[Source], rows: Sequence[NDArray[np.int64]]) -> None:
        self._parts = [(source.embeddings, chosen) for source, chosen in zip(sources, rows, strict=True)]
        self.study = np.repeat(np.arange(len(sources), dtype=np.int32), [len(chosen) for chosen in rows])
        """(N,) position of the source."""
        self.frame_index = np.concatenate([s.frame_index[r] for s, r in zip(sources, rows, strict=True)])
        """(N,)"""
        self.video_seconds = np.concatenate([s.video_seconds[r] for s, r in zip(sources, rows, strict=True)])
        """(N,)"""
        self._size = sources[0].embeddings.shape[1]
        self._kept: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.study)

    @property
    def shape(self) -> tuple[int, int]:
        """N and D."""
        return len(self.study), self._size

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Blocks (n, D) float32 in order; not to be written to."""
        if self._kept is not None:
            yield from blocks_of(self._kept)
            return
        for embeddings, chosen in self._parts:
            for start in range(0, len(chosen), BLOCK_ROWS):
                wanted = chosen[start : start + BLOCK_ROWS]
                if wanted[-1] - wanted[0] + 1 == len(wanted):  # a slice is read in one go
                    yield np.asarray(embeddings[wanted[0] : wanted[-1] + 1], np.float32)
                else:
                    yield np.asarray(embeddings[wanted], np.float32)

    def keep(self) -> None:
        """Hold the matrix in memory where it is small: every pass but the first then costs no reading."""
        if self._kept is None and 4 * self.shape[0] * self.shape[1] <= KEEP_BYTES:
            kept, done = np.empty(self.shape, np.float32), 0
            for block in self.blocks():
                kept[done : done + len(block)] = block
                done += len(block)
            self._kept = kept

    def some(self, count: int) -> NDArray[np.float32]:
        """Some `count` rows (or all there are) in even steps, (n, D)."""
        every, seen, result = max(1, len(self) // count), 0, []
        for block in self.blocks():
            result.append(block[-seen % every :: every].copy())  # a view would keep the whole block
            seen += len(block)
        return np.concatenate(result)

    def finite(self) -> NDArray[np.bool_]:
        """(N,) rows that are numbers throughout: a frame that does not decode is NaN."""
        checked = [np.isfinite(block.sum(axis=1, dtype=np.float64)) for block in self.blocks()]
        return np.concatenate(checked) if checked else np.zeros(0, bool)
