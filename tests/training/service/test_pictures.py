"""Regions and pictures as a model sees them, against the obvious way."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.errors import UserError
from training.service.requests import Box
from training.service.workbench import Picture, image_of, prepared_region
from training.video import FieldOfView

HEIGHT, WIDTH = 60, 80
VIEW = FieldOfView("circle", WIDTH, HEIGHT, (40.0, 30.0), 28.0)
FRAME = np.random.default_rng(0).integers(1, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)


def slow_square(frame: NDArray[np.uint8], view: FieldOfView, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """Pixel by pixel: the smallest square around a box of whole pixels, black outside the field of view."""
    left, top, right, bottom = box
    side = max(right - left, bottom - top)
    x0, y0 = (left + right - side) // 2, (top + bottom - side) // 2
    mask = view.mask(*frame.shape[:2])
    out = np.zeros((side, side, 3), np.uint8)
    for y in range(side):
        for x in range(side):
            at = (y0 + y, x0 + x)
            if 0 <= at[0] < frame.shape[0] and 0 <= at[1] < frame.shape[1] and mask[at]:
                out[y, x] = frame[at]
    return out


@settings(max_examples=60, deadline=None)
@given(st.integers(0, WIDTH - 8), st.integers(0, HEIGHT - 8), st.integers(8, WIDTH), st.integers(8, HEIGHT))
def test_a_region_is_the_square_around_it(left: int, top: int, width: int, height: int) -> None:
    right, bottom = min(left + width, WIDTH), min(top + height, HEIGHT)
    if not VIEW.mask(HEIGHT, WIDTH)[top:bottom, left:right].any():
        return
    side = max(right - left, bottom - top)
    found = prepared_region(Picture(FRAME, VIEW), (left, top, right, bottom), side)
    np.testing.assert_array_equal(found, slow_square(FRAME, VIEW, (left, top, right, bottom)))


def test_it_is_scaled_to_what_the_model_takes() -> None:
    found = prepared_region(Picture(FRAME, VIEW), (30.2, 20.7, 49.1, 35), 64)
    wanted = cv2.resize(slow_square(FRAME, VIEW, (30, 20, 50, 35)), (64, 64), interpolation=cv2.INTER_LINEAR)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "box", [(30, 20, 34, 40), (30, 20, 20, 40), (-50, 10, -10, 40), (200, 200, 300, 300), (0, 0, 9, 9)]
)
def test_a_region_without_tissue_is_refused(box: Box) -> None:
    with pytest.raises(UserError, match="too small or shows no tissue"):
        prepared_region(Picture(FRAME, VIEW), box, 64)


def test_a_picture_from_disk_has_a_field_of_view_of_its_own(tmp_path: Path) -> None:
    y, x = np.mgrid[:200, :200]
    drawn = np.where((np.hypot(x - 100, y - 100) < 80)[..., None], np.uint8(180), np.uint8(0)).repeat(3, axis=2)
    path = tmp_path / "gr\u00fcn.png"
    path.write_bytes(cv2.imencode(".png", drawn)[1].tobytes())
    picture = image_of(path)
    assert picture.frame.shape == (200, 200, 3)
    assert picture.view.kind == "circle"
    assert picture.view.radius == pytest.approx(80, abs=2)


@pytest.mark.parametrize(("name", "words"), [("none.png", "does not exist"), ("text.png", "cannot be read")])
def test_what_is_no_picture_is_a_sentence(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(UserError, match=words):
        image_of(tmp_path / name)


def test_a_kind_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99))
    with pytest.raises(UserError, match=r"a\.jpg is of a kind that cannot be read: HEIC"):
        image_of(tmp_path / "a.jpg")
