"""What a model sees, and the way back from its map to the frame."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.video import FieldOfView, paste_map, prepare_frame

ROUND = FieldOfView("circle", 200, 120, (99.5, 59.5), 50)


def test_outside_is_zero_and_inside_is_kept() -> None:
    frame = np.full((120, 200, 3), 77, np.uint8)
    frame[:10, :30] = 255  # a clock
    prepared = prepare_frame(frame, ROUND, ROUND.box[2])
    assert prepared.shape == (ROUND.box[2],) * 2 + (3,)
    assert set(np.unique(prepared)) == {0, 77}
    assert (prepared[..., 0] > 0).mean() == pytest.approx(np.pi / 4, abs=0.02)
    assert frame[0, 0, 0] == 255  # the caller's frame is left alone


def test_scaling_is_by_area() -> None:
    frame = np.zeros((64, 64, 3), np.uint8)
    frame[::2] = 200
    small = prepare_frame(frame, FieldOfView.full(64, 64), 16)
    assert (small == 100).all()
    assert prepare_frame(frame, FieldOfView.full(64, 64), 100).shape == (100, 100, 3)


@pytest.mark.parametrize("side", [161, 224, 256, 304, 305, 320, 337, 480])
def test_scaling_gives_the_bytes_of_opencv(side: int) -> None:
    frame = np.random.default_rng(side).integers(0, 256, (side, side, 3), np.uint8)
    wanted = cv2.resize(frame, (160, 160), interpolation=cv2.INTER_AREA)
    np.testing.assert_array_equal(prepare_frame(frame, FieldOfView.full(side, side), 160), wanted)


def test_a_wide_frame_is_padded_to_a_square() -> None:
    prepared = prepare_frame(np.full((50, 100, 3), 9, np.uint8), FieldOfView.full(50, 100), 100)
    assert (prepared[25:75] == 9).all()
    assert not prepared[:25].any()
    assert not prepared[75:].any()


@given(
    x=st.integers(70, 130),
    y=st.integers(30, 90),
    scale=st.sampled_from([0.5, 1.0, 2.0]),
    size=st.sampled_from([64, 101, 224]),
)
@settings(max_examples=40, deadline=None)
def test_a_map_lands_where_the_model_saw_it(x: int, y: int, scale: float, size: int) -> None:
    """A bright spot in the frame, seen by a model that marks what is bright, is marked at the same place."""
    height, width = round(120 * scale), round(200 * scale)
    frame = np.full((height, width, 3), 10, np.uint8)
    cx, cy = int(x * scale), int(y * scale)
    if not ROUND.mask(height, width)[cy, cx]:
        return
    half = max(round(3 * scale), 1)
    frame[cy - half : cy + half + 1, cx - half : cx + half + 1] = 255
    prepared = prepare_frame(frame, ROUND, size).mean(axis=2)
    pasted = paste_map(prepared.astype(np.float32), ROUND, height, width)
    at_y, at_x = np.unravel_index(pasted.argmax(), pasted.shape)
    assert max(abs(int(at_y) - cy), abs(int(at_x) - cx)) <= half + 2
    assert pasted.dtype == np.float32
    assert not pasted[~ROUND.mask(height, width)].any()


def test_a_flat_map_fills_the_field_of_view() -> None:
    pasted = paste_map(np.ones((7, 7), np.float32), ROUND, 120, 200)
    np.testing.assert_allclose(pasted, ROUND.mask(120, 200))
