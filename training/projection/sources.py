"""The embedding files that a map is made of, opened, named, and checked to be of one model."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.manifest import StudyEntry, StudySpan, check_spans, load_manifest
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.projection.config import ProjectConfig
from training.projection.identity import ProjectionModel, common_model


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
