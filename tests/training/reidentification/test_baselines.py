"""Colours and redness against a slow count."""

import numpy as np

from training.reidentification.matching import colour_histograms, redness, redness_similarities


def test_a_histogram_is_the_root_of_the_colours_shares() -> None:
    crops = np.random.default_rng(0).integers(0, 256, (2, 4, 4, 3)).astype(np.uint8)
    found = colour_histograms(crops)
    wanted = np.zeros((2, 8, 8, 8))
    for at, crop in enumerate(crops):
        for red, green, blue in crop.reshape(-1, 3):
            wanted[at, red // 32, green // 32, blue // 32] += 1 / 16
    np.testing.assert_allclose(found, np.sqrt(wanted.reshape(2, -1)), rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-6)


def test_redness_is_the_mean_share_of_red() -> None:
    crops = np.zeros((1, 2, 2, 3), np.uint8)
    crops[0, 0, 0] = (100, 0, 0)
    crops[0, 0, 1] = (50, 25, 25)
    assert redness(crops) == (1.0 + 0.5) / 4
    dark = np.zeros_like(crops)
    pairs = np.array([[0, 1], [0, 2]])
    np.testing.assert_allclose(redness_similarities([crops, crops, dark], pairs), [1.0, 1 - 0.375])
