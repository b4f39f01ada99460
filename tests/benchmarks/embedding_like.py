"""Embeddings as a network gives them of capsule videos, made up: for benchmarks that need more than there is.

A capsule dwells before a scene for some seconds and drifts, then the next scene comes; scenes are shared by all
patients, who differ a little from each other. Two layers with ReLU carry that from 24 dimensions to as many as are
wanted, so that numbers are positive and correlated as after a ResNet's pooling; noise is added. Uncorrelated Gaussian
numbers would be hopeless for any index, and no embedding looks like that.
"""

import numpy as np
from numpy.typing import NDArray

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
