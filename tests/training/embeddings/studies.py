"""Embedding files of any content, for tests of what reads them."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.training.embeddings.samples import HEADER
from training.embeddings import EmbeddingChunk, EmbeddingLayout, EmbeddingWriter
from training.embeddings.neighbour import StudyEmbeddings


def write_study(
    folder: Path,
    study_id: str,
    embeddings: NDArray[np.floating],
    *,
    patient_id: str | None = None,
    seconds: NDArray[np.float64] | None = None,
    components: Path | None = None,
    **header: Any,
) -> StudyEmbeddings:
    """A finished file with (N, D) embeddings, one frame a second; the patient is called as the study, but large."""
    path = folder / f"{study_id}.h5"
    times = np.arange(len(embeddings), dtype=np.float64) if seconds is None else seconds
    layout = EmbeddingLayout(frames=len(embeddings), embedding_size=embeddings.shape[1])
    described = HEADER.model_copy(update={"classes": (), "video_fingerprint": study_id} | header)
    with EmbeddingWriter.create(path, described, layout, times) as writer:
        writer.append(EmbeddingChunk(embeddings, np.zeros((len(embeddings), 3), np.uint8)))
        writer.finish(components)
    return StudyEmbeddings(study_id, study_id.upper() if patient_id is None else patient_id, path)
