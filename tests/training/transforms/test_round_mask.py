"""The round mask: radius 128 at 256 x 256, centred, whatever the frames are."""

import math

import numpy as np
import pytest
import torch

from training.transforms import augment as module
from training.transforms.augment import Augmentation
from training.transforms.round_mask import round_mask

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
