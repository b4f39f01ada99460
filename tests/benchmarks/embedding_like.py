"""Embeddings as a network gives them of capsule videos, made up: for benchmarks that need more than there is.

A capsule dwells before a scene for some seconds and drifts, then the next scene comes; scenes are shared by all
patients, who differ a little from each other. Two layers with ReLU carry that from 24 dimensions to as many as are
wanted, so that numbers are positive and correlated as after a ResNet's pooling; noise is added. Uncorrelated Gaussian
numbers would be hopeless for any index, and no embedding looks like that.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile

LATENT, HIDDEN, SCENES = 24, 128, 200


def embedding_like(seed: int, frames: int, size: int) -> NDArray[np.float16]:
    """(frames, size) float16 of one study; studies of different seeds share their scenes and layers."""
    shared, own = np.random.default_rng(99), np.random.default_rng(seed)
    first = (1.5 * shared.standard_normal((LATENT, HIDDEN)) / np.sqrt(LATENT)).astype(np.float32)
    second = (shared.standard_normal((HIDDEN, size)) / np.sqrt(HIDDEN)).astype(np.float32)
    scenes = shared.standard_normal((SCENES, LATENT))
    patient = 0.25 * own.standard_normal(LATENT)
    embeddings = np.empty((frames, size), dtype=np.float16)
    start = 0
    while start < frames:
        count = min(frames - start, int(own.integers(20, 400)))
        drift = np.cumsum(0.03 * own.standard_normal((count, LATENT)), axis=0)
        place = scenes[own.integers(SCENES)] + patient + 0.5 * own.standard_normal(LATENT) + drift
        hidden = np.maximum(place.astype(np.float32) @ first, 0)
        noise = 0.02 * np.abs(own.standard_normal((count, size), dtype=np.float32))
        embeddings[start : start + count] = np.maximum(hidden @ second, 0) + noise
        start += count
    return embeddings


def gaussian(seed: int, frames: int, size: int) -> NDArray[np.float16]:
    """(frames, size) float16 of uncorrelated normal numbers."""
    return np.random.default_rng(seed).standard_normal((frames, size), dtype=np.float32).astype(np.float16)


class LikeFiles:
    """Studies like those of given embedding files: frames between successive ones, moved as others of the study move.

    Args:
        paths: of embedding files of one model.
    """

    def __init__(self, paths: list[Path]) -> None:
        parts = []
        for path in paths:
            with EmbeddingFile.open(path) as file:
                rows = np.asarray(file.embeddings, np.float32)
            parts.append(rows[np.isfinite(rows).all(axis=1)])
        self.rows = np.concatenate(parts)
        """(M, D)"""
        self._ends = np.cumsum([len(part) for part in parts]) - 1

    def study(self, seed: int, frames: int) -> NDArray[np.float32]:
        """(frames, D): runs of 20 to 400 frames, each along a run of the given ones; each study has its own gain."""
        own, start = np.random.default_rng(seed), 0
        gain = np.exp(0.1 * own.standard_normal(self.rows.shape[1], dtype=np.float32))
        result = np.empty((frames, self.rows.shape[1]), np.float32)
        while start < frames:
            count = min(frames - start, int(own.integers(20, 400)))
            place = int(own.integers(len(self.rows) - 1)) + np.cumsum(own.random(count) * 0.2)
            first = np.minimum(place.astype(np.int64), len(self.rows) - 2)
            share = (place - first).astype(np.float32)[:, None]
            moved = own.integers(len(self.rows) - 1, size=count)
            moved = np.where(np.isin(moved, self._ends), moved - 1, moved)
            some = result[start : start + count]
            np.multiply(self.rows[first], 1 - share, out=some)
            some += self.rows[first + 1] * share
            some += 0.3 * (self.rows[moved + 1] - self.rows[moved])
            np.maximum(some * gain, 0, out=some)
            start += count
        return result
