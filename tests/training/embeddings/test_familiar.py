"""What is unlike the training, against a slow reference."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from training.embeddings.familiar import FEWEST_OF_CENTROID, MOST_FRAMES, Familiar
from training.errors import UserError
from training.models.config import ModelConfig
from training.models.folder import FAMILIAR, ModelFolder, write_model_folder


class Rows:
    """A study's embeddings (N, D)."""

    def __init__(self, embeddings: NDArray[np.floating]) -> None:
        self.embeddings = embeddings

    def __len__(self) -> int:
        return len(self.embeddings)


def around(place: int, count: int, seed: int) -> NDArray[np.float32]:
    """Embeddings (count, 12) near one axis."""
    noise = np.random.default_rng(seed).normal(0, 0.15, (count, 12))
    noise[:, place] += 1
    return noise.astype(np.float32)


def fitted() -> Familiar:
    training = np.concatenate([around(place, 200, place) for place in range(3)])
    held_out = np.concatenate([around(place, 100, 10 + place) for place in range(3)])
    familiar = Familiar.fit(training, held_out)
    assert familiar is not None
    return familiar


def marks(familiar: Familiar, embeddings: NDArray[np.floating]) -> NDArray[np.float32]:
    """1 for each unfamiliar frame."""
    return familiar.unfamiliar(Rows(embeddings))  # type: ignore[arg-type]


def slow_distance(familiar: Familiar, embedding: NDArray[np.floating]) -> float:
    length = float(np.sqrt(sum(float(value) ** 2 for value in embedding)))
    return min(1 - float(np.dot(centroid, embedding)) / length for centroid in familiar.centroids)


def test_a_distance_is_that_to_the_nearest_centroid() -> None:
    familiar, frames = fitted(), np.concatenate([around(1, 20, 99), around(7, 20, 98)])
    slow = [slow_distance(familiar, frame) for frame in frames]
    assert familiar.distances(frames) == pytest.approx(slow, abs=1e-5)
    frames[3] = np.nan
    assert np.isnan(familiar.distances(frames)).nonzero()[0].tolist() == [3]


def test_five_per_cent_of_frames_like_the_training_are_unfamiliar_and_nearly_all_others() -> None:
    familiar = fitted()
    like = np.concatenate([around(place, 400, 20 + place) for place in range(3)])
    assert marks(familiar, like).mean() == pytest.approx(0.05, abs=0.03)
    assert marks(familiar, around(7, 400, 30)).mean() > 0.95
    assert np.isnan(marks(familiar, np.full((9, 12), np.nan))).all()
    assert not len(marks(familiar, np.zeros((0, 12))))


def test_a_long_study_is_sampled_evenly() -> None:
    familiar = fitted()
    halves = np.concatenate([around(0, 2 * MOST_FRAMES, 1), around(7, 2 * MOST_FRAMES, 2)])
    every = float((familiar.distances(halves) > familiar.limit).mean())
    found = marks(familiar, halves)
    assert found.mean() == pytest.approx(every, abs=0.02)
    rows = np.unique(np.linspace(0, len(halves) - 1, MOST_FRAMES).astype(np.int64))
    frame = 1234
    nearest = rows[np.abs(rows - frame).argmin()]
    assert found[frame] == (familiar.distances(halves[nearest : nearest + 1])[0] > familiar.limit)


def test_no_centroid_is_of_fewer_than_five_frames() -> None:
    training = np.concatenate([around(0, 300, 0), around(9, 2, 1)])
    familiar = Familiar.fit(training, around(0, 60, 2))
    assert familiar is not None
    nearest = (training / np.linalg.norm(training, axis=1, keepdims=True) @ familiar.centroids.T).argmax(axis=1)
    assert len(familiar.centroids) <= len(training) // FEWEST_OF_CENTROID
    assert np.linalg.norm(familiar.centroids, axis=1) == pytest.approx(1, abs=1e-5)
    assert familiar.centroids[nearest[-1]][9] < 0.95, "two frames alone are no centroid"
    assert Familiar.fit(training[:20], around(0, 60, 2)) is None
    assert Familiar.fit(training, around(0, 5, 2)) is None


def test_it_is_kept_in_the_model_folder(tmp_path: Path) -> None:
    config = ModelConfig(model_id="m", classes=("normal", "polyp"))
    weights = {"classifier.weight": np.zeros((2, config.embedding_size), np.float16)}
    model = write_model_folder(tmp_path / "model", config, weights, {}).path
    assert Familiar.read(model) is None
    familiar = fitted()
    familiar.write(model)
    familiar.write(model)
    ModelFolder.open(model)
    read = Familiar.read(model)
    assert read is not None
    assert read.centroids == pytest.approx(familiar.centroids, abs=1e-3)
    assert read.limit == pytest.approx(familiar.limit)
    (model / FAMILIAR).write_bytes(b"damaged")
    assert Familiar.read(model) is None
    with pytest.raises(UserError, match="wrong hash"):
        ModelFolder.open(model)
