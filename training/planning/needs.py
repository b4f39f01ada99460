"""What scoring takes: time, memory and room on the disk; the size of a process."""

import math
import sys
from dataclasses import dataclass

import numpy as np

from training.embeddings.chunk import EmbeddingLayout
from training.indicators import INDICATORS
from training.models.config import ModelConfig
from training.planning.speed_book import SCORE, SpeedBook


@dataclass(frozen=True)
class Needs:
    """What a job takes.

    Attributes:
        seconds: of the whole job.
        doubt: factor by which it may take longer, see `speed_book`.
        disk_bytes: of what it writes.
        memory_bytes: of its process at most; 0 where it was not measured yet.
    """

    seconds: float
    doubt: float
    disk_bytes: int
    memory_bytes: int = 0


def scoring_seconds(studies: int, frames: int, each_study: float, each_frame: float, once: float = 0.0) -> float:
    """Seconds of scoring so many studies, which have so many frames together."""
    return once + studies * each_study + frames * each_frame


def scoring_needs(studies: int, frames: int, model: ModelConfig, device: str, book: SpeedBook) -> Needs:
    """What it takes to score studies with a model, each in a process of its own."""
    speed, start = book.scoring(device, model.backbone, model.input_size), book.start
    return Needs(
        scoring_seconds(studies, frames, start.value, 1 / speed.value),
        max(speed.doubt, start.doubt),
        frames * row_bytes(model),
        book.memory(device, model.backbone, model.input_size, SCORE),
    )


def row_bytes(model: ModelConfig) -> int:
    """Of a frame in an embedding file."""
    layout = EmbeddingLayout(1, model.embedding_size, len(model.classes), model.cam_size, len(INDICATORS))
    tables = layout.datasets("float16").values()
    return sum(math.prod(shape) * np.dtype(kind).itemsize for shape, kind in tables)


def peak_bytes() -> int:
    """Memory of this process so far, at most; 0 where the system does not say it."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
