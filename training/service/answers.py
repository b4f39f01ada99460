"""What the inference child answers; light values of numpy arrays and words."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.inference.explanation import Explanation


@dataclass(frozen=True, eq=False)
class ExplanationAnswer:
    """Why a model says what it says of a frame."""

    frame_index: int
    explanation: Explanation
    model_sha256: str
    """Of the weights: two models may have one name."""
    is_final: bool = True
    """False where a better answer to the same request follows."""


@dataclass(frozen=True, eq=False)
class EmbeddingAnswer:
    """Where a picture lies in a model's space."""

    vector: NDArray[np.float32]
    """(D,)"""
    model_id: str
    model_sha256: str
    """Of the weights; an embedding file's header says whether its vectors come from the same."""
    space: str
    """ "backbone" or "projection"."""
    normalized: bool
    """Whether the vector was scaled to length 1."""
    note: str = ""
    """A sentence for the reader, such as how a region was prepared; "" for nothing."""
    is_final: bool = True
    """Always: no better answer follows."""


Answer = ExplanationAnswer | EmbeddingAnswer
