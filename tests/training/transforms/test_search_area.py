"""Where red is looked for: inside, and away from the rim."""

import cv2
import numpy as np
import torch

from training.transforms.search_area import search_area, without_rim
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
