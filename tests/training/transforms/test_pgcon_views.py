"""The three views: what they show, from which set, the same however a batch is cut, black and grey frames too."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
import torch
from torch import Tensor

from training.errors import UserError
from training.transforms import augment
from training.transforms.augment import Augmentation
from training.transforms.bank_views import PgconViews, PriorViews

STILL = Augmentation(rotations="none", flips=False, zoom=0.0, brightness=0.0, saturation=0.0, white_balance=0.0)
PLAIN = PriorViews(
    prior_share=0.25, tile_crop=1.0, prior_transform=STILL, distorted_transform=STILL, win_transform=STILL
)
"""Views without chance, but for the order of the tiles."""


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def tissue(count: int, size: int) -> Tensor:
    """Smooth reddish pictures."""
    coarse = torch.rand(count, 3, 5, 5, generator=seeded(4)) * torch.tensor([170.0, 90.0, 60.0]).view(1, 3, 1, 1) + 60
    smooth = torch.nn.functional.interpolate(coarse, size=size, mode="bilinear")
    return smooth.byte().permute(0, 2, 3, 1).contiguous()


def equal(one: PgconViews, other: PgconViews) -> bool:
    return all(torch.equal(getattr(one, name), getattr(other, name)) for name in vars(one))


def test_shapes_types_and_range() -> None:
    views = PriorViews()(tissue(3, 128), torch.tensor([True, False, True]), seeded())
    assert views.prior.shape == (3, 3, 120, 120)
    assert views.tiles.shape == (3, 9, 3, 64, 64)
    assert views.win.shape == (3, 3, 120, 120)
    assert views.boxes.dtype == views.order.dtype == torch.int64
    assert (views.boxes[:, 2:] - views.boxes[:, :2] == round(0.28 * 128)).all()
    assert views.found.all()
    for picture in (views.prior, views.tiles, views.win):
        assert picture.dtype == torch.float32
        assert float(picture.min()) >= 0
        assert float(picture.max()) <= 1
        assert float(picture.std()) > 0.05


def test_without_transforms_the_prior_view_is_the_resized_square() -> None:
    frames = tissue(4, 96)
    views = PLAIN(frames, torch.ones(4, dtype=torch.bool), seeded())
    for frame, box, view in zip(frames.numpy(), views.boxes.tolist(), views.prior, strict=True):
        left, top, right, bottom = box
        square = frame[top:bottom, left:right].astype(np.float32)
        expected = cv2.resize(square, (120, 120), interpolation=cv2.INTER_LINEAR) / 255
        # At its edge the view also reads the pixels beside the square.
        inner = np.abs(view.permute(1, 2, 0).numpy() - expected)[3:-3, 3:-3]
        assert inner.max() < 2e-4


def test_without_transforms_the_tiles_are_the_frame_in_the_order_told() -> None:
    frames = tissue(3, 96)
    views = replace(PLAIN, tile_size=32)(frames, torch.ones(3, dtype=torch.bool), seeded())
    assert len({tuple(order) for order in views.order.tolist()}) == 3
    for frame, order, tiles in zip(frames, views.order.tolist(), views.tiles, strict=True):
        for number, tile in zip(order, tiles, strict=True):
            row, column = divmod(number, 3)
            cell = frame[row * 32 : row * 32 + 32, column * 32 : column * 32 + 32]
            torch.testing.assert_close(tile, cell.permute(2, 0, 1) / 255, atol=1e-5, rtol=0)


def test_crops_of_tiles_lie_within_their_tile() -> None:
    frames = torch.zeros(40, 96, 96, 3, dtype=torch.uint8)
    frames[:, 32:64, 32:64] = 200
    views = replace(PLAIN, tile_crop=0.5)(frames, torch.ones(40, dtype=torch.bool), seeded())
    inner = views.tiles[:, :, 0, 4:-4, 4:-4].flatten(2)
    is_middle = views.order == 4
    assert (inner[is_middle] > 0.7).all()
    assert (inner[~is_middle] == 0).all()


def test_without_transforms_the_win_view_is_the_frame_without_the_square() -> None:
    frames = tissue(2, 120)
    views = PLAIN(frames, torch.ones(2, dtype=torch.bool), seeded())
    for frame, box, view in zip(frames, views.boxes.tolist(), views.win, strict=True):
        left, top, right, bottom = box
        frame[top:bottom, left:right] = 0
        torch.testing.assert_close(view, frame.permute(2, 0, 1) / 255, atol=1e-5, rtol=0)
        assert not view[:, top + 1 : bottom - 1, left + 1 : right - 1].any()


def test_a_frame_shown_smaller_is_averaged_not_skipped() -> None:
    stripes = torch.zeros(1, 240, 240, 3, dtype=torch.uint8)
    stripes[:, :, ::2] = 200
    view = PLAIN(stripes, torch.ones(1, dtype=torch.bool), seeded()).win
    assert float((view[:, :, 5:30, 5:-5] - 100 / 255).abs().max()) < 0.03


def test_tiles_that_overlap_the_prior_come_from_its_set_and_the_others_do_not() -> None:
    views = replace(PLAIN, distorted_transform=replace(STILL, grey=1.0))(
        tissue(8, 96), torch.ones(8, dtype=torch.bool), seeded()
    )
    is_grey = (views.tiles.amax(2) - views.tiles.amin(2)).flatten(2).amax(2) < 1e-5
    assert torch.equal(is_grey, ~views.shared)
    assert 0 < int(views.shared.sum()) < 72


def test_contrast_of_one_set_leaves_the_other_alone() -> None:
    frames, field = tissue(6, 96), torch.ones(6, dtype=torch.bool)
    plain = PLAIN(frames, field, seeded())
    views = replace(PLAIN, distorted_transform=replace(STILL, contrast=0.9))(frames, field, seeded())
    same = (views.tiles - plain.tiles).abs().flatten(2).amax(2) < 1e-4
    assert same[views.shared].all()
    assert not same[~views.shared].all()


def test_the_same_seed_draws_the_same_however_the_batch_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    frames, field = tissue(7, 96), torch.arange(7) % 2 == 0
    whole = PriorViews()(frames, field, seeded(5))
    monkeypatch.setattr(augment, "CHUNK_ELEMENTS", 2 * 3 * 96 * 96)
    cut = PriorViews()(frames, field, seeded(5))
    for name in vars(whole):
        torch.testing.assert_close(getattr(whole, name), getattr(cut, name), atol=1e-5, rtol=0)
    assert equal(cut, PriorViews()(frames, field, seeded(5)))
    assert not torch.equal(cut.prior, PriorViews()(frames, field, seeded(6)).prior)


def test_each_frame_may_have_a_square_of_its_own_size() -> None:
    shares = torch.tensor([0.26, 0.5, 1.0])
    boxes = PriorViews()(tissue(3, 100), torch.ones(3, dtype=torch.bool), seeded(), shares=shares).boxes
    assert (boxes[:, 2] - boxes[:, 0]).tolist() == [26, 50, 100]


def test_without_win_the_other_views_stay_the_same() -> None:
    frames, field = tissue(3, 96), torch.ones(3, dtype=torch.bool)
    with_win, without = PriorViews()(frames, field, seeded()), PriorViews(win=False)(frames, field, seeded())
    assert without.win.shape == (0, 3, 120, 120)
    assert torch.equal(with_win.prior, without.prior)
    assert torch.equal(with_win.tiles, without.tiles)


@pytest.mark.parametrize("colour", [(0, 0, 0), (70, 70, 70), (10, 200, 30)])
@pytest.mark.parametrize("is_round", [True, False])
def test_black_grey_and_green_frames_give_finite_views_of_the_middle(
    colour: tuple[int, int, int], is_round: bool
) -> None:
    frames = torch.tensor(colour, dtype=torch.uint8).expand(2, 48, 48, 3)
    views = PriorViews()(frames, torch.tensor([is_round] * 2), seeded())
    assert not views.found.any()
    assert views.boxes.tolist() == [[18, 18, 31, 31]] * 2
    assert all(torch.isfinite(picture).all() for picture in (views.prior, views.tiles, views.win))


def test_one_frame_is_a_batch_and_small_ones_are_refused() -> None:
    assert PriorViews()(tissue(1, 24), torch.tensor([True]), seeded()).prior.shape == (1, 3, 120, 120)
    with pytest.raises(UserError, match="Frames of 16 px are too small"):
        PriorViews()(tissue(1, 16), torch.tensor([True]), seeded())
