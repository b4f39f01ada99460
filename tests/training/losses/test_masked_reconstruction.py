import math

import pytest
import torch

from training.losses.masked_reconstruction import (
    masked_reconstruction_loss,
    normalised_cubes,
    pixels_of_normalised,
)


def cubes() -> torch.Tensor:
    return torch.rand(2, 3, 12, generator=torch.Generator().manual_seed(1))


def test_normalisation_equals_a_slow_loop_by_cube_and_channel() -> None:
    found, given = normalised_cubes(cubes()), cubes()
    for clip in range(2):
        for cube in range(3):
            for channel in range(3):
                pixels = [float(given[clip, cube, 3 * place + channel]) for place in range(4)]
                mean = sum(pixels) / 4
                deviation = math.sqrt(sum((pixel - mean) ** 2 for pixel in pixels) / 3)  # VideoMAE's is unbiased
                for place, pixel in enumerate(pixels):
                    expected = (pixel - mean) / (deviation + 1e-6)
                    assert float(found[clip, cube, 3 * place + channel]) == pytest.approx(expected, abs=1e-4)


def test_a_cube_of_one_colour_becomes_zero() -> None:
    assert torch.equal(normalised_cubes(torch.full((1, 1, 12), 0.25)), torch.zeros(1, 1, 12))


def test_pixels_come_back() -> None:
    torch.testing.assert_close(pixels_of_normalised(normalised_cubes(cubes()), cubes()), cubes())


def test_loss_equals_a_slow_loop_over_masked_cubes() -> None:
    found, targets = cubes(), normalised_cubes(cubes())
    squares = [
        (float(found[clip, cube, place]) - float(targets[clip, cube, place])) ** 2
        for clip in range(2)
        for cube in range(3)
        for place in range(12)
    ]
    assert float(masked_reconstruction_loss(found, targets)) == pytest.approx(sum(squares) / len(squares), rel=1e-5)
