"""Embedding files of made-up studies: clouds of points whose place says which label a frame has."""

from pathlib import Path
from typing import Any

import numpy as np

from tests.training.embeddings.samples import HEADER
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.writer import EmbeddingWriter

SIZE = 24
CLOUDS = 4


def write_embeddings(
    path: Path, frames: int = 120, seed: int = 0, missing: tuple[int, ...] = (), **header: Any
) -> Path:
    """A study of equal stretches of `CLOUDS` clouds that lie far apart and are the same in every study."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).normal(size=(CLOUDS, SIZE)) * 3
    cloud = np.arange(frames) * CLOUDS // max(frames, 1)
    embeddings = (centres[cloud] + rng.normal(size=(frames, SIZE)) * 0.3).astype(np.float32)
    embeddings[list(missing)] = np.nan
    return write_rows(path, embeddings, **header)


def write_rows(path: Path, embeddings: np.ndarray[Any, Any], **header: Any) -> Path:
    """An embedding file of these rows, three frames a second."""
    count = len(embeddings)
    asked = HEADER.model_copy(update={"classes": (), **header})
    layout = EmbeddingLayout(count, embeddings.shape[1])
    with EmbeddingWriter.create(path, asked, layout, np.arange(count) / 3) as writer:
        writer.append(EmbeddingChunk(embeddings, np.zeros((count, 3), np.uint8)))
        writer.finish()
    return path
