"""Augmentation: a batch at once, exact where it can be, black where nothing is seen."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from training.compute.round_mask import round_mask
from training.transforms import augment as module
from training.transforms.augment import LUMA, Augmentation

CPU = torch.device("cpu")


@pytest.mark.parametrize("size", [7, 32, 256])
def test_what_lies_within_half_the_side_is_kept(size: int) -> None:
    mask = round_mask(size, CPU)
    for y, x in ((0, 0), (0, size // 2), (size // 2, 0), (size // 2, size // 2), (size // 7, size // 7)):
        inside = math.hypot(x - (size - 1) / 2, y - (size - 1) / 2) <= size / 2
        assert float(mask[y, x]) == inside
    assert torch.equal(mask, mask.flip(0))
    assert torch.equal(mask, mask.T)


def test_the_paper_size_has_radius_128() -> None:
    assert float(round_mask(256, CPU).sum()) == pytest.approx(math.pi * 128**2, rel=1e-3)


def test_with_the_mask_every_frame_is_round_and_turns_freely() -> None:
    frames = torch.full((6, 32, 32, 3), 200, dtype=torch.uint8)
    frames[:, :, 16:] = 100
    not_round = torch.zeros(6, dtype=torch.bool)
    plain = Augmentation("free", False, 0.0, 0.0, 0.0, 0.0)
    images = Augmentation("free", False, 0.0, 0.0, 0.0, 0.0, round_mask=True)(
        frames, not_round, torch.Generator().manual_seed(0)
    )
    inside = round_mask(32, CPU).bool()
    assert not images[:, :, ~inside].any()
    assert bool((images[:, :, inside] > 0.1).all())
    quarter = plain(frames, not_round, torch.Generator().manual_seed(0))
    assert bool((quarter[:, :, 0, 0] > 0.1).all())
    assert not np.allclose(images[:, :, inside], quarter[:, :, inside])


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = torch.randint(0, 256, (5, 16, 16, 3), generator=torch.Generator().manual_seed(1), dtype=torch.uint8)
    augment = Augmentation(contrast=0.2, hue=0.05, grey=0.2, round_mask=True)
    whole = augment(frames, torch.ones(5, dtype=torch.bool), torch.Generator().manual_seed(0))
    monkeypatch.setattr(module, "CHUNK_ELEMENTS", 1)
    pieces = augment(frames, torch.ones(5, dtype=torch.bool), torch.Generator().manual_seed(0))
    torch.testing.assert_close(pieces, whole)


def test_places_to_read_at_are_those_of_affine_grid() -> None:
    maps = torch.randn(3, 2, 3, generator=torch.Generator().manual_seed(0))
    expected = torch.nn.functional.affine_grid(maps, [3, 3, 9, 9], align_corners=False)
    torch.testing.assert_close(module.reading_grid(maps, 9), expected, atol=1e-5, rtol=0)


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
