"""Augmentation: a batch at once, exact where it can be, black where nothing is seen."""

import numpy as np
import pytest
import torch
from torch import Tensor

from training.transforms.augment import LUMA, Augmentation

STILL = Augmentation(rotations="none", flips=False, zoom=0.0, brightness=0.0, saturation=0.0, white_balance=0.0)


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def noise(count: int, size: int = 16) -> Tensor:
    return torch.randint(0, 256, (count, size, size, 3), generator=seeded(9), dtype=torch.uint8)


def flags(count: int, value: bool) -> Tensor:
    return torch.full((count,), value)


def test_nothing_asked_for_changes_nothing() -> None:
    frames = noise(3)
    images = STILL(frames, flags(3, True), seeded())
    assert images.shape == (3, 3, 16, 16)
    assert images.dtype == torch.float32
    torch.testing.assert_close(images, frames.permute(0, 3, 1, 2) / 255.0, atol=2e-6, rtol=0)


def test_quarter_turns_and_mirrors_are_exact_and_all_eight_come() -> None:
    frame = noise(1)
    augment = Augmentation("quarter", True, 0.0, 0.0, 0.0, 0.0)
    images = augment(frame.expand(200, -1, -1, -1), flags(200, True), seeded()).permute(0, 2, 3, 1) * 255.0
    flat = frame[0].numpy()
    eight = [np.rot90(side, k) for side in (flat, flat[:, ::-1]) for k in range(4)]
    found = [[k for k, one in enumerate(eight) if np.abs(image - one).max() < 0.01] for image in images.numpy()]
    assert all(len(match) == 1 for match in found)
    assert {match[0] for match in found} == set(range(8))


def test_free_angles_only_where_the_view_is_round() -> None:
    frame = torch.zeros(1, 32, 32, 3, dtype=torch.uint8)
    frame[:, 4:8, 10:22] = 200
    augment = Augmentation("free", False, 0.0, 0.0, 0.0, 0.0)
    is_round = torch.arange(40) % 2 == 0
    images = augment(frame.expand(40, -1, -1, -1), is_round, seeded())
    # Interpolation leaves in-between values at slanted edges only.
    between = ((images > 0.02) & (images < 0.76)).flatten(1).any(1)
    assert not between[~is_round].any()
    assert between[is_round].float().mean() > 0.9


def test_colour_is_nudged_frame_by_frame_and_black_stays_black() -> None:
    frames = torch.zeros(64, 8, 8, 3, dtype=torch.uint8)
    frames[:, 2:6, 2:6] = torch.tensor([120, 60, 40], dtype=torch.uint8)
    augment = Augmentation("none", False, 0.0, 0.2, 0.15, 0.05)
    images = augment(frames, flags(64, True), seeded())
    assert not images[:, :, 0].any()
    inside = images[:, :, 4, 4] * 255.0
    assert len(torch.unique(inside[:, 0])) > 60
    assert float(inside[:, 0].min()) > 120 * 0.8 * 0.95 - 15
    assert float(inside[:, 0].max()) < 120 * 1.2 * 1.05 + 15
    assert (inside[:, 0] > inside[:, 1]).all()


def test_saturation_keeps_grey_and_brightness_of_the_eye() -> None:
    frames = torch.full((32, 4, 4, 3), 100, dtype=torch.uint8)
    frames[16:] = torch.tensor([150, 80, 30], dtype=torch.uint8)
    images = Augmentation("none", False, 0.0, 0.0, 0.5, 0.0)(frames, flags(32, True), seeded()) * 255.0
    torch.testing.assert_close(images[:16], torch.full_like(images[:16], 100.0), atol=0.01, rtol=0)
    luma = (images[16:] * torch.tensor(LUMA).view(1, 3, 1, 1)).sum(1)
    expected = 150 * LUMA[0] + 80 * LUMA[1] + 30 * LUMA[2]
    torch.testing.assert_close(luma, torch.full_like(luma, expected), atol=0.05, rtol=0)


def test_the_same_seed_gives_the_same_batch() -> None:
    frames = noise(5)
    augment = Augmentation()
    first = augment(frames, flags(5, True), seeded(4))
    assert torch.equal(first, augment(frames, flags(5, True), seeded(4)))
    assert not torch.equal(first, augment(frames, flags(5, True), seeded(5)))
    assert first.is_contiguous(memory_format=torch.channels_last)


def test_values_stay_in_range() -> None:
    images = Augmentation(brightness=0.9)(noise(20), flags(20, True), seeded())
    assert float(images.min()) >= 0.0
    assert float(images.max()) == 1.0


@pytest.mark.parametrize("shape", [(2, 3, 8, 8), (8, 8, 3), (2, 8, 9, 3)])
def test_wrong_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"\(B, S, S, 3\)"):
        Augmentation()(torch.zeros(shape, dtype=torch.uint8), flags(shape[0], True), seeded())
