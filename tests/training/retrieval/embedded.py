"""Embedding files of made-up studies, for clips of their frames."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter


def write_embedded(path: Path, embeddings: NDArray[np.float32], seconds: NDArray[np.float64] | None = None) -> Path:
    """A finished file with these embeddings (N, D), without scores."""
    count, size = embeddings.shape
    header = EmbeddingHeader(
        model_id="m",
        model_sha256="0" * 64,
        classes=(),
        preprocessing="{}",
        video_fingerprint="f",
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )
    writer = EmbeddingWriter.create(
        path, header, EmbeddingLayout(count, size), np.arange(count) / 4 if seconds is None else seconds
    )
    writer.append(EmbeddingChunk(embeddings, np.full((count, 3), 120, np.uint8)))
    return writer.finish()
