"""The prior square holds the reddest pixel; what is not red, tied or at the rim goes as it is written."""

import cv2
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from training.transforms.prior_view import PriorSquares, a_star, prior_share, prior_squares, search_area, without_rim
from training.video.field_of_view import FieldOfView

BRIGHT = torch.full((1, 64, 64, 3), 90, dtype=torch.uint8)


def test_the_rim_of_a_circle_is_left_out() -> None:
    area = search_area(BRIGHT, torch.tensor([True]), 4)[0]
    y, x = torch.meshgrid(torch.arange(64.0), torch.arange(64.0), indexing="ij")
    radius = ((x - 31.5) ** 2 + (y - 31.5) ** 2).sqrt()
    assert area[radius < 27.5].all()
    assert not area[radius > 29].any()


def test_an_octagon_is_eroded_as_opencv_does_it() -> None:
    corners = ((20, 0), (43, 0), (63, 20), (63, 43), (43, 63), (20, 63), (0, 43), (0, 20))
    octagon = FieldOfView("octagon", 64, 64, polygon=tuple((float(x), float(y)) for x, y in corners)).mask(64, 64)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    expected = cv2.erode(octagon.astype(np.uint8), disc, borderType=cv2.BORDER_CONSTANT, borderValue=0) > 0
    frames = torch.from_numpy(octagon.copy()).view(1, 64, 64, 1) * BRIGHT
    for field in (torch.from_numpy(octagon.copy()).unsqueeze(0), torch.tensor([False])):
        area = search_area(frames, field, 4)[0].numpy()
        # Diagonals are rounded to whole pixels.
        assert (area != expected).mean() < 0.02
        assert not area[~octagon].any()


def test_without_a_field_of_view_dark_pixels_are_outside() -> None:
    frames = BRIGHT.clone()
    frames[0, :, :20] = torch.tensor([5, 7, 3], dtype=torch.uint8)
    area = search_area(frames, torch.tensor([False]), 0)[0]
    assert not area[:, :20].any()
    assert area[:, 20:].all()


def test_round_and_other_frames_of_one_batch_keep_their_own_area() -> None:
    frames = BRIGHT.expand(2, -1, -1, -1)
    area = search_area(frames, torch.tensor([True, False]), 3)
    assert not area[0, 5, 5]
    assert area[1, 5, 5]
    assert torch.equal(area[:1], search_area(BRIGHT, torch.tensor([True]), 3))


def test_no_rim_changes_nothing() -> None:
    inside = torch.rand(2, 9, 9, generator=torch.Generator().manual_seed(0)) < 0.5
    assert torch.equal(without_rim(inside, 0), inside)


WHOLE = torch.ones(1, 40, 40, dtype=torch.bool)


def squares(frames: Tensor, field: Tensor = WHOLE, side: int = 12, rim_px: int = 0) -> PriorSquares:
    sides = torch.full((len(frames),), side)
    return prior_squares(frames, field.expand(len(frames), -1, -1), sides, rim_px=rim_px, least_redness=1.0)


def grey() -> Tensor:
    return torch.full((1, 40, 40, 3), 90, dtype=torch.uint8)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**31), side=st.integers(1, 40), size=st.integers(24, 50))
def test_the_square_lies_in_the_frame_and_holds_the_highest_a_star(seed: int, side: int, size: int) -> None:
    random = np.random.default_rng(seed)
    # Few values, so that there are ties.
    frames = torch.from_numpy(random.choice(np.array([30, 80, 200], np.uint8), (3, size, size, 3)))
    field = torch.from_numpy(random.random((3, size, size)) < 0.5)
    side = min(side, size)
    found = prior_squares(frames, field, torch.full((3,), side), rim_px=0, least_redness=1.0)
    for frame, inside, box, point in zip(frames, field, found.boxes.tolist(), found.points.tolist(), strict=True):
        redness = a_star(frame.unsqueeze(0))[0].where(inside, float("-inf"))
        left, top, right, bottom = box
        assert 0 <= left < right <= size
        assert 0 <= top < bottom <= size
        assert right - left == bottom - top == side
        assert float(redness[top:bottom, left:right].max()) == float(redness.max())
        assert float(redness[point[1], point[0]]) == float(redness.max())


def test_it_is_opencvs_reddest_pixel_in_the_middle_of_the_square() -> None:
    random = np.random.default_rng(3)
    smooth = cv2.resize(random.random((6, 6, 3)).astype(np.float32), (40, 40), interpolation=cv2.INTER_CUBIC)
    picture = (smooth.clip(0, 1) * [180, 90, 70] + 40).astype(np.uint8)
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    x, y = squares(torch.from_numpy(picture).unsqueeze(0)).points[0].tolist()
    assert float(lab[y, x, 1]) > float(lab[..., 1].max()) - 0.5


def test_a_saturated_stain_is_taken_in_its_middle() -> None:
    frame = grey()
    frame[0, 10:21, 8:27] = torch.tensor([255, 0, 0], dtype=torch.uint8)
    found = squares(frame)
    assert found.points.tolist() == [[17, 15]]
    assert found.boxes.tolist() == [[11, 9, 23, 21]]


def test_of_two_equal_pixels_the_upper_then_the_left_one_counts() -> None:
    frames = grey().repeat(2, 1, 1, 1)
    frames[0, 30, 10, 0] = frames[0, 10, 30, 0] = 220
    frames[1, 20, 10, 0] = frames[1, 20, 30, 0] = 220
    assert squares(frames).points.tolist() == [[30, 10], [10, 20]]


def test_near_the_edge_the_square_is_moved_inwards() -> None:
    frame = grey()
    frame[0, 2, 39] = torch.tensor([200, 30, 30], dtype=torch.uint8)
    assert squares(frame).boxes.tolist() == [[28, 0, 40, 12]]


def test_a_red_rim_is_not_taken_for_tissue() -> None:
    frame = grey()
    frame[0, :, 1] = torch.tensor([255, 0, 0], dtype=torch.uint8)
    frame[0, 25, 18] = torch.tensor([140, 70, 70], dtype=torch.uint8)
    assert squares(frame, rim_px=3).points.tolist() == [[18, 25]]
    assert squares(frame, rim_px=0).points[0, 0] == 1


@pytest.mark.parametrize("colour", [(0, 0, 0), (90, 90, 90), (20, 160, 40)])
def test_black_grey_and_green_frames_get_the_middle_and_say_so(colour: tuple[int, int, int]) -> None:
    frames = torch.tensor(colour, dtype=torch.uint8).expand(2, 40, 40, 3).clone()
    frames[1, 5, 7] = torch.tensor([200, 20, 20], dtype=torch.uint8)
    found = squares(frames)
    assert found.found.tolist() == [False, True]
    assert found.boxes.tolist() == [[14, 14, 26, 26], [1, 0, 13, 12]]
    assert found.points.tolist() == [[20, 20], [7, 5]]


def test_a_field_of_view_that_was_not_found_gets_the_middle() -> None:
    red = torch.tensor([200, 20, 20], dtype=torch.uint8).expand(1, 40, 40, 3)
    found = squares(red, torch.zeros(1, 40, 40, dtype=torch.bool))
    assert not found.found.any()
    assert found.boxes.tolist() == [[14, 14, 26, 26]]


def test_the_papers_two_sides_and_what_lies_between() -> None:
    assert prior_share(336) == pytest.approx(100 / 336)
    assert prior_share(576) == pytest.approx(150 / 576)
    assert prior_share(456) == pytest.approx(125 / 456)
    assert prior_share(200) == prior_share(336)
    assert prior_share(1080) == prior_share(576)
