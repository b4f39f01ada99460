"""PIRL's views: a square anywhere, tiles that are all treated alike."""

import pytest
import torch

from tests.training.transforms.test_pgcon_views import STILL, seeded, tissue
from training.errors import UserError
from training.transforms.bank_views import PirlViews, random_squares


def test_squares_lie_in_the_frame_and_have_areas_of_the_range() -> None:
    boxes = random_squares(4000, 100, 0.2, seeded())
    sides = boxes[:, 2] - boxes[:, 0]
    assert torch.equal(sides, boxes[:, 3] - boxes[:, 1])
    assert int(boxes.min()) == 0
    assert int(boxes.max()) == 100
    assert int(sides.min()) in (45, 46)
    assert int(sides.max()) >= 99
    # Of even areas, not of even sides.
    assert abs(float((sides.float() / 100).square().mean()) - 0.6) < 0.02


def test_views_have_the_shapes_of_the_prior_ones_and_no_win() -> None:
    views = PirlViews()(tissue(3, 96), torch.ones(3, dtype=torch.bool), seeded())
    assert views.prior.shape == (3, 3, 120, 120)
    assert views.tiles.shape == (3, 9, 3, 64, 64)
    assert views.win.shape == (0, 3, 120, 120)
    assert not views.found.any()
    assert not torch.equal(views.boxes[0], views.boxes[1])


def test_no_tile_is_told_by_its_set() -> None:
    grey = PirlViews(transform=STILL.__class__(**{**vars(STILL), "grey": 1.0}))
    views = grey(tissue(4, 96), torch.ones(4, dtype=torch.bool), seeded())
    assert float((views.tiles.amax(2) - views.tiles.amin(2)).max()) < 1e-5
    assert torch.equal(views.order.sort(1).values, torch.arange(9).expand(4, 9))


def test_the_view_shows_its_box_and_the_seed_decides() -> None:
    frames = torch.zeros(3, 90, 90, 3, dtype=torch.uint8)
    frames[..., 0] = torch.arange(90, dtype=torch.uint8)  # a ramp from left to right
    views = PirlViews(transform=STILL)(frames, torch.ones(3, dtype=torch.bool), seeded())
    middle = views.prior[:, 0, 60, 59:61].mean(1) * 255
    torch.testing.assert_close(middle, (views.boxes[:, 0] + views.boxes[:, 2] - 1) / 2, atol=0.6, rtol=0)
    again = PirlViews(transform=STILL)(frames, torch.ones(3, dtype=torch.bool), seeded())
    assert torch.equal(again.prior, views.prior)
    assert torch.equal(again.tiles, views.tiles)


def test_too_small_frames_are_refused() -> None:
    with pytest.raises(UserError, match="too small for nine tiles"):
        PirlViews()(tissue(1, 20), torch.tensor([True]), seeded())
