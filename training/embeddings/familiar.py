"""How far frames lie from those that a model was trained on.

A frame's distance is one minus the cosine of its embedding and the nearest of a few hundred centroids of training
frames (spherical k-means). It tells frames of another device, and hardly those of a class that training lacked
(docs/results/models.md).
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.files.safetensors import load_arrays
from training.models.folder import FAMILIAR, SUMS, file_sha256

Array = NDArray[np.float32]
CENTROIDS, FEWEST_OF_CENTROID = 256, 5
"""At most, and the training frames that make one: none is the embedding of a single frame."""
ROUNDS = 10
MOST_FRAMES = 4000
"""Evenly over a study, two for a pixel of a time bar: their share is within 0.02 of that of all frames."""
QUANTILE = 0.95
"""Of the distances of held-out frames of the training's own sources: 5 % of such frames are unfamiliar."""


@dataclass(frozen=True, eq=False)
class Familiar:
    """What one model's training frames look like to it.

    Args:
        centroids: (K, D) float32 of length one.
        limit: distance above which a frame is unfamiliar.
    """

    centroids: Array
    limit: float

    @classmethod
    def fit(cls, training: NDArray[np.floating], held_out: NDArray[np.floating], seed: int = 0) -> Self | None:
        """From embeddings (N, D) of training frames and (M, D) of frames of other patients; None: too few of them."""
        frames = _unit(training)
        if len(frames) < 10 * FEWEST_OF_CENTROID or len(held_out) < 1 / (1 - QUANTILE):
            return None
        count = min(CENTROIDS, len(frames) // (2 * FEWEST_OF_CENTROID))
        centroids = frames[np.random.default_rng(seed).choice(len(frames), count, replace=False)]
        for _ in range(ROUNDS):
            nearest = (frames @ centroids.T).argmax(axis=1)
            sizes = np.bincount(nearest, minlength=len(centroids))
            sums = np.zeros_like(centroids)
            np.add.at(sums, nearest, frames)
            centroids = _unit(sums[sizes >= FEWEST_OF_CENTROID])
        return cls(centroids, float(np.quantile(_distances(centroids, held_out), QUANTILE)))

    def distances(self, embeddings: NDArray[np.floating]) -> Array:
        """(N,) in [0, 2]; NaN for frames without an embedding."""
        return _distances(self.centroids, embeddings)

    def unfamiliar(self, file: EmbeddingFile, check: Callable[[], None] = lambda: None) -> Array:
        """(N,) for each frame of a study 1 where it is unfamiliar and 0 where not; NaN without an embedding.

        `MOST_FRAMES` evenly over it are looked at; the others are as the nearest of these. `check` is called often; may
        raise to give up.
        """
        rows = np.unique(np.linspace(0, max(len(file) - 1, 0), min(len(file), MOST_FRAMES)).astype(np.int64))
        distances = list[Array]()
        for part in np.array_split(rows, max(1, len(rows) // 500)):
            check()
            distances.append(self.distances(np.asarray(file.embeddings[part])))
        every = np.concatenate([np.zeros(0, np.float32), *distances])
        marks = np.where(np.isnan(every), np.float32(np.nan), every > self.limit).astype(np.float32)
        nearest = np.searchsorted((rows[1:] + rows[:-1]) / 2, np.arange(len(file)))
        return np.asarray(marks[nearest], np.float32)

    def write(self, model: Path) -> None:
        """Add it to a model folder."""
        from safetensors.numpy import save_file

        save_file({"centroids": self.centroids.astype(np.float16), "limit": np.array([self.limit])}, model / FAMILIAR)
        lines = [
            line for line in (model / SUMS).read_text(encoding="utf-8").splitlines() if not line.endswith(FAMILIAR)
        ]
        partial = model / f".{SUMS}.partial-{os.getpid()}"
        partial.write_text("\n".join([*lines, f"{file_sha256(model / FAMILIAR)}  {FAMILIAR}\n"]), encoding="utf-8")
        partial.replace(model / SUMS)

    @classmethod
    def read(cls, model: Path) -> Self | None:
        """Of a model folder; None where it has none, or a damaged one."""
        if not (model / FAMILIAR).is_file():
            return None
        try:
            arrays = load_arrays(model / FAMILIAR)
            return cls(_unit(arrays["centroids"]), float(arrays["limit"][0]))
        except (UserError, KeyError, IndexError, ValueError):
            return None


def _unit(embeddings: NDArray[np.floating]) -> Array:
    vectors = np.asarray(embeddings, np.float32)
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


def _distances(centroids: Array, embeddings: NDArray[np.floating]) -> Array:
    return np.asarray(1 - (_unit(embeddings) @ centroids.T).max(axis=1), np.float32)
