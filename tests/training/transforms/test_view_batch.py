"""Nine tiles: a permutation, together the frame, shared where they overlap."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from training.errors import UserError
from training.transforms.view_batch import check_frames, overlapping, random_order, tile_boxes

CPU = torch.device("cpu")


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**31), count=st.integers(1, 20))
def test_every_order_is_a_permutation(seed: int, count: int) -> None:
    order = random_order(count, torch.Generator().manual_seed(seed))
    assert order.shape == (count, 9)
    assert torch.equal(order.sort(1).values, torch.arange(9).expand(count, 9))


def test_every_tile_comes_to_every_place_about_as_often() -> None:
    order = random_order(9000, torch.Generator().manual_seed(0))
    counts = torch.nn.functional.one_hot(order, 9).sum(0)
    assert int(counts.min()) > 850
    assert int(counts.max()) < 1150


@given(size=st.integers(24, 400))
def test_tiles_cover_the_frame_once(size: int) -> None:
    boxes = tile_boxes(size, CPU).tolist()
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in boxes) == size * size
    assert boxes[0][:2] == [0, 0]
    assert boxes[8][2:] == [size, size]
    assert boxes[1] == [size // 3, 0, 2 * size // 3, size // 3]


@settings(deadline=None, max_examples=30)
@given(data=st.data(), size=st.integers(24, 60))
def test_tiles_that_share_a_pixel_with_the_box_are_those_that_overlap(data: st.DataObject, size: int) -> None:
    left, top = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size - 1))
    right, bottom = data.draw(st.integers(left + 1, size)), data.draw(st.integers(top + 1, size))
    tiles = tile_boxes(size, CPU)
    painted = torch.zeros(size, size, dtype=torch.bool)
    painted[top:bottom, left:right] = True
    slow = [bool(painted[y0:y1, x0:x1].any()) for x0, y0, x1, y1 in tiles.tolist()]
    assert overlapping(tiles, torch.tensor([[left, top, right, bottom]])).tolist() == [slow]


def test_a_frame_that_is_too_small_for_nine_tiles_is_refused_in_a_sentence() -> None:
    with pytest.raises(UserError, match="Frames of 20 px are too small for nine tiles"):
        check_frames(torch.zeros(2, 20, 20, 3, dtype=torch.uint8))
    assert check_frames(torch.zeros(2, 24, 24, 3, dtype=torch.uint8)) == 2


def test_what_is_no_batch_of_frames_is_a_bug() -> None:
    for bad in (torch.zeros(2, 3, 30, 30), torch.zeros(2, 30, 40, 3).byte(), torch.zeros(2, 30, 30, 3)):
        with pytest.raises(ValueError, match="frames must be"):
            check_frames(bad)
    with pytest.raises(ValueError, match="at least one frame"):
        check_frames(torch.zeros(0, 30, 30, 3, dtype=torch.uint8))
