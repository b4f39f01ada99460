"""Small embedding files for tests, also run as a child that gets killed: `python -m ...samples PATH SYNCS`."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np

from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter

LAYOUT = EmbeddingLayout(frames=50, embedding_size=16, classes=3, cam_size=2)
HEADER = EmbeddingHeader(
    model_id="m1",
    model_sha256="0" * 64,
    classes=("normal", "polyp", "blood"),
    preprocessing="{}",
    video_fingerprint="f1",
    video_path="päth/of video.mp4",
    created_utc="2026-01-01T00:00:00+00:00",
)
SECONDS = np.arange(50) / 5


def rows(start: int, stop: int) -> EmbeddingChunk:
    """The rows that belong at [start, stop), the same at every call."""
    random = np.random.default_rng(7)
    embeddings = random.normal(size=(50, 16)).astype(np.float32)
    scores = random.random((50, 3), dtype=np.float32)
    cams = random.normal(size=(50, 3, 2, 2)).astype(np.float32)
    colour = random.integers(0, 256, (50, 3), dtype=np.uint8)
    part = slice(start, stop)
    return EmbeddingChunk(embeddings[part], colour[part], scores[part], cams[part])


def begin(path: Path) -> EmbeddingWriter:
    """A writer with nothing in it."""
    return EmbeddingWriter.create(path, HEADER, LAYOUT, SECONDS)


def go_on(writer: EmbeddingWriter, step: int = 8) -> Path:
    """Write what is left, `step` rows at a time, and finish."""
    while not writer.is_done:
        start = writer.frames_done
        writer.append(rows(start, min(start + step, 50)))
    return writer.finish()


def die_at(path: Path, syncs: int) -> None:
    """Write a whole file, but be killed by the system when the disk is asked to sync for the `syncs`-th time."""
    real, left = os.fsync, [syncs]

    def fsync(fd: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        real(fd)

    os.fsync = fsync
    go_on(begin(path))


if __name__ == "__main__":
    die_at(Path(sys.argv[1]), int(sys.argv[2]))
