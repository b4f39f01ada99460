"""Colour of a batch: what torchvision does where it can be compared, and what the eye takes for brightness stays."""

import pytest
import torch
from torch import Tensor
from torchvision.transforms.v2 import functional as theirs

from training.transforms.augment import Augmentation
from training.transforms.colour import LUMA, Colours, coloured, draw_colours, hue_matrices

STILL = {"rotations": "none", "flips": False, "zoom": 0.0, "brightness": 0.0, "saturation": 0.0, "white_balance": 0.0}


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def noise(count: int, low: int = 0, size: int = 16) -> Tensor:
    return torch.randint(low, 256, (count, size, size, 3), generator=seeded(9), dtype=torch.uint8)


def luma(images: Tensor) -> Tensor:
    """(B, 3, S, S) -> (B, S, S)."""
    return torch.einsum("bchw,c->bhw", images, torch.tensor(LUMA))


def as_is(count: int) -> Tensor:
    return torch.eye(3).repeat(count, 1, 1)


@pytest.mark.parametrize("factor", [0.6, 1.0, 1.4])
def test_contrast_is_torchvisions_where_all_is_tissue(factor: float) -> None:
    frames = noise(1, low=40).expand(3, -1, -1, -1).contiguous()
    # One colour in blocks of 4 x 4: the mean over every fourth row and column is the mean over all.
    frames = frames[:, ::4, ::4].repeat_interleave(4, 1).repeat_interleave(4, 2)
    images = coloured(frames, Colours(as_is(3), torch.full((3,), factor)))
    expected = theirs.adjust_contrast(frames.permute(0, 3, 1, 2) / 255.0, factor)
    torch.testing.assert_close(images.clamp(0, 1), expected, atol=2e-3, rtol=0)


def test_contrast_is_around_the_mean_of_the_tissue_and_leaves_the_outside_black() -> None:
    frames = torch.zeros(1, 16, 16, 3, dtype=torch.uint8)
    frames[:, 4:12, 4:12] = 100
    images = coloured(frames, Colours(as_is(1), torch.tensor([0.5])))
    assert not images[:, :, 0].any()
    torch.testing.assert_close(images[0, :, 6, 6], torch.full((3,), 100 / 255), atol=1e-5, rtol=0)


def test_contrast_follows_brightness() -> None:
    frames = torch.full((1, 8, 8, 3), 100, dtype=torch.uint8)
    images = coloured(frames, Colours(as_is(1) * 1.5, torch.tensor([0.5])))
    torch.testing.assert_close(images, torch.full_like(images, 150 / 255), atol=1e-5, rtol=0)


def test_hue_keeps_luma_and_grey_and_comes_round() -> None:
    turns = torch.tensor([0.0, 0.1, -0.3, 0.5, 1.0])
    matrices = hue_matrices(turns)
    images = coloured(noise(1).expand(5, -1, -1, -1), Colours(matrices, None))
    torch.testing.assert_close(luma(images), luma(images[:1]).expand(5, -1, -1), atol=1e-5, rtol=0)
    torch.testing.assert_close(matrices @ torch.ones(3), torch.ones(5, 3), atol=1e-5, rtol=0)
    torch.testing.assert_close(matrices[[0, 4]], as_is(2), atol=1e-5, rtol=0)
    torch.testing.assert_close(matrices[1] @ hue_matrices(-turns[1:2])[0], torch.eye(3), atol=1e-5, rtol=0)
    assert float((images[1] - images[0]).abs().max()) > 0.05


def test_a_share_of_the_frames_is_grey_also_with_white_balance() -> None:
    frames = noise(400, size=4)
    augment = Augmentation(**(STILL | {"white_balance": 0.2}), grey=0.3)  # type: ignore[arg-type]
    images = augment(frames, torch.ones(400, dtype=torch.bool), seeded())
    is_grey = (images.amax(1) - images.amin(1)).amax((1, 2)) < 1e-5
    assert 0.2 < float(is_grey.float().mean()) < 0.4
    torch.testing.assert_close(luma(images[is_grey]), luma(frames[is_grey].permute(0, 3, 1, 2) / 255.0))


def test_what_is_not_asked_for_draws_nothing() -> None:
    """So that a finetuning's batches do not change with what a pretraining has learned to ask for."""
    generator = seeded()
    draw_colours(4, 0.2, 0.05, 0.15, 0.0, 0.0, 0.0, generator)
    expected = seeded()
    torch.rand(4, 1, generator=expected)
    torch.rand(4, 3, generator=expected)
    torch.rand(4, 1, generator=expected)
    assert torch.equal(generator.get_state(), expected.get_state())


def test_each_frame_has_its_own_colours() -> None:
    colours = draw_colours(50, 0.2, 0.0, 0.2, 0.2, 0.05, 0.0, seeded())
    assert len(torch.unique(colours.matrices, dim=0)) == 50
    assert colours.contrasts is not None
    assert len(torch.unique(colours.contrasts)) == 50
    assert float((colours.contrasts - 1).abs().max()) <= 0.2
