"""Noise goes on without a seam from piece to piece and around the tube."""

import numpy as np
import pytest

from training.phantom.surface import NoiseField
from training.phantom.texture import tile


@pytest.mark.parametrize(("along", "around"), [(4, 4), (5, 8), (10, 16)])
def test_pieces_and_sides_join(along: int, around: int) -> None:
    noise = NoiseField(7, 200, 320)
    first, second = noise.piece("a", -1, along, around), noise.piece("a", 0, along, around)
    inner = np.abs(np.diff(first, axis=0)).max()
    assert np.abs(second[0] - first[-1]).max() <= 1.5 * inner
    sideways = np.abs(np.diff(first, axis=1)).max()
    assert np.abs(first[:, 0] - first[:, -1]).max() <= 1.5 * sideways


def test_names_numbers_and_seeds_give_other_noise() -> None:
    noise = NoiseField(7, 80, 64)
    piece = noise.piece("a", 3, 4, 8)
    assert np.array_equal(piece, NoiseField(7, 80, 64).piece("a", 3, 4, 8))
    for other in (noise.piece("b", 3, 4, 8), noise.piece("a", 4, 4, 8), NoiseField(8, 80, 64).piece("a", 3, 4, 8)):
        assert abs(np.corrcoef(piece.ravel(), other.ravel())[0, 1]) < 0.5


def test_noise_keeps_its_range() -> None:
    values = np.stack([NoiseField(1, 80, 64).piece("a", number, 5, 8) for number in range(20)])
    assert np.abs(values).max() < 1.6
    assert abs(values.mean()) < 0.1
    assert 0.2 < values.std() < 0.7


def test_a_tile_is_normal_and_periodic() -> None:
    values = tile(np.random.default_rng(0), 60, 90, 2.0)
    assert values.std() == pytest.approx(1, abs=1e-3)
    assert np.abs(values[0] - values[-1]).max() <= 1.5 * np.abs(np.diff(values, axis=0)).max()
