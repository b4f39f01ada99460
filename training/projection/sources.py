"""What a map shows: embedding files, checked to be of one model, and the chosen rows of all studies as one matrix.

Frames are taken evenly over studies and time, but so that rare labels stay; the matrix is never wholly in memory.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import check_ends
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import StudyEntry, StudySpan, check_spans, load_manifest
from training.embeddings.file import EmbeddingFile
from training.embeddings.mapped_rows import MappedRows
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.map_file import ProjectionModel, common_model
from training.projection.pca import BLOCK_ROWS, blocks_of
from training.texts import Text


@dataclass(frozen=True)
class Source:
    """One study's embeddings."""

    study_id: str
    patient_id: str
    path: Path
    spans: tuple[StudySpan, ...]
    """The frames that count; empty: all."""
    embeddings: MappedRows
    """(N, D)"""
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
    counts = Counter(names)
    for name, path in zip(names, config.embeddings, strict=True):
        if counts[name] > 1:
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
    """Rows of several studies, one study after the other, ascending within each."""

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


UNLABELLED = -1


def sample_frames(labels: NDArray[np.integer], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """(min(count, N),) ascending positions of a choice of N frames, which are in the order of study and time (ours).

    Half of them go to the labels in equal parts (a label with fewer frames than its part keeps them all, the others
    share what it leaves), the rest evenly over whatever is left, so that the map still shows what is common. Only where
    the even steps begin is drawn at random. Frames without a label have the number `UNLABELLED`.
    """
    if count >= len(labels):
        return np.arange(len(labels))
    chosen = np.zeros(len(labels), bool)
    values, sizes = np.unique(labels[labels != UNLABELLED], return_counts=True)
    left = count // 2
    for rank, place in enumerate(np.argsort(sizes, kind="stable")):
        taken = min(int(sizes[place]), left // (len(values) - rank))
        chosen[spread(np.flatnonzero(labels == values[place]), taken, rng)] = True
        left -= taken
    chosen[spread(np.flatnonzero(~chosen), count - int(chosen.sum()), rng)] = True
    return np.flatnonzero(chosen)


def spread(positions: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """`count` of the positions in even steps from a random begin (systematic sampling)."""
    if count <= 0:
        return positions[:0]
    steps = (np.arange(count) + rng.random()) * (len(positions) / count)
    return positions[np.minimum(steps.astype(np.int64), len(positions) - 1)]


def frame_labels(
    rows: Sequence[LabelRow], frames: Mapping[str, NDArray[np.int64]]
) -> tuple[tuple[str, ...], dict[str, NDArray[np.int32]]]:
    """One label for each frame; where it carries several, the one that is rarest among all frames.

    Names in alphabetical order, and study -> (N,) rows of the names, -1 where there is no label, as `frames` has them.
    Rows of other studies are passed over.
    """
    names = tuple(sorted({row.label for row in rows if row.study_id in frames}))
    counts = dict.fromkeys(names, 0)
    spans = []
    for row in rows:
        if row.study_id in frames:
            first, last = np.searchsorted(frames[row.study_id], (row.start, row.stop))
            counts[row.label] += int(last - first)
            spans.append((row, slice(first, last)))
    labels = {study_id: np.full(len(index), UNLABELLED, np.int32) for study_id, index in frames.items()}
    for row, span in sorted(spans, key=lambda pair: (-counts[pair[0].label], pair[0].label)):
        labels[row.study_id][span] = names.index(row.label)
    return names, labels


def chosen_rows(sources: tuple[Source, ...], config: ProjectConfig, count: int) -> tuple[Rows, list[str]]:
    """The frames of the map, without those that are no numbers, and what is to be said about that.

    Raises:
        UserError: nothing is left.
    """
    rows = [source.rows() for source in sources]
    frames = {s.study_id: s.frame_index[r] for s, r in zip(sources, rows, strict=True)}
    total = sum(len(each) for each in rows)
    if count and count < total:
        labels = np.full(total, UNLABELLED, np.int32)
        if config.labels is not None:
            given = read_labels(config.labels)
            check_ends(given, {source.study_id: source.frame_count for source in sources})
            by_study = frame_labels(given, frames)[1]
            labels = np.concatenate([by_study[source.study_id] for source in sources])
        taken = sample_frames(labels, count, np.random.default_rng(config.seed))
        ends = np.cumsum([0, *(len(each) for each in rows)])
        rows = [
            each[taken[(taken >= low) & (taken < high)] - low]
            for each, low, high in zip(rows, ends[:-1], ends[1:], strict=True)
        ]
    matrix = Rows(sources, rows)
    matrix.keep()
    finite = matrix.finite()
    notes: list[str] = []
    if not finite.all():
        lost = int((~finite).sum())
        notes.append(Text("{lost:,} frames have no embedding and are left out.", lost))
        rows = [each[finite[matrix.study == number]] for number, each in enumerate(rows)]
        matrix = Rows(sources, rows)
        matrix.keep()
    if not matrix.shape[0]:
        raise UserError("There are no frames to show: none of these studies has embeddings.", "Score the studies.")
    return matrix, notes


def parameters(config: ProjectConfig, sources: tuple[Source, ...]) -> dict[str, Any]:
    """The settings that made a map, as JSON values, with its files by study."""
    left_out = {"out", "overwrite", "embeddings", "manifest", "resume", "device", "threads", "onto"}
    fields = config.model_dump(mode="json", exclude=left_out)
    return fields | {"files": {source.study_id: str(source.path.resolve()) for source in sources}}


def threads_of(config: ProjectConfig) -> int:
    """The CPU threads to use."""
    return config.threads or os.cpu_count() or 1
