"""CAMs as pictures: scale, enlargement, colours that colour-blind eyes can order."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from training.inference.explanation import above
from wce_desktop.core.overlay import color_map, enlarge, full_scale_of, overlay_rgba

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": np.array([[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]),
    "deuteranopia": np.array([[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]),
    "tritanopia": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}


def lightness(srgb: NDArray[np.uint8], deficiency: NDArray[np.float64]) -> NDArray[np.float64]:
    """CIE L* (N,) of sRGB colours (N, 3) as such eyes see them."""
    value = srgb / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    luminance = np.clip(linear @ deficiency.T, 0, 1) @ np.array([0.2126, 0.7152, 0.0722])
    return np.asarray(116 * np.cbrt(np.maximum(luminance, 0.008856)) - 16)


@pytest.mark.parametrize("name", DEFICIENCIES)
def test_the_colours_rise_evenly_in_lightness_for_all_eyes(name: str) -> None:
    steps = np.diff(lightness(color_map()[::15], DEFICIENCIES[name]))
    assert steps.min() > 0
    assert steps.max() < 2.5 * steps.mean()


def test_the_colours_are_never_those_of_tissue() -> None:
    red, green, blue = color_map().T.astype(int)
    assert np.all(red < np.maximum(green, blue) - 30)


def test_normalise_drops_evidence_against_and_keeps_the_study_scale() -> None:
    cam = np.array([[-2.0, 0.0], [1.0, 4.0]], np.float32)
    assert above(cam, 0).tolist() == [[0, 0], [0.25, 1]]
    assert above(cam, 0, 8.0).tolist() == [[0, 0], [0.125, 0.5]]
    assert above(cam, 0, 2.0).max() == 1


@pytest.mark.parametrize("cam", [np.zeros((7, 7)), np.full((7, 7), -1.0), np.full((1, 1), np.nan)])
def test_a_map_without_evidence_draws_nothing(cam: NDArray[np.float64]) -> None:
    assert overlay_rgba(cam)[..., 3].max() == 0


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_enlarging_equals_a_cubic_of_half_pixel_centres(height: int, width: int, seed: int) -> None:
    cam = np.random.default_rng(seed).random((height, width), np.float32)
    rows, columns = (np.arange(48) + 0.5) * height / 48 - 0.5, (np.arange(48) + 0.5) * width / 48 - 0.5
    slow = np.array([[_cubic_at(cam, row, column) for column in columns] for row in rows[::12]])
    np.testing.assert_allclose(enlarge(cam, 48)[::12], np.clip(slow, 0, 1), atol=1e-5)


def _cubic_at(cam: NDArray[np.float32], row: float, column: float) -> float:
    """Keys' cubic at one point, as its definition says."""
    total = 0.0
    for at_row in range(int(np.floor(row)) - 1, int(np.floor(row)) + 3):
        for at_column in range(int(np.floor(column)) - 1, int(np.floor(column)) + 3):
            value = cam[min(max(at_row, 0), cam.shape[0] - 1), min(max(at_column, 0), cam.shape[1] - 1)]
            total += float(value) * _keys(abs(row - at_row)) * _keys(abs(column - at_column))
    return total


def _keys(distance: float) -> float:
    if distance <= 1:
        return 1.5 * distance**3 - 2.5 * distance**2 + 1
    return -0.5 * distance**3 + 2.5 * distance**2 - 4 * distance + 2 if distance < 2 else 0.0


def test_enlarging_puts_the_peak_where_other_programs_put_it() -> None:
    cam = np.zeros((7, 7), np.float32)
    cam[2, 5] = 1
    ours, theirs = enlarge(cam, 280), cv2.resize(cam, (280, 280), interpolation=cv2.INTER_LINEAR)
    assert np.abs(np.argwhere(ours > 0.9).mean(axis=0) - np.argwhere(theirs > 0.9).mean(axis=0)).max() < 1


def test_the_layer_is_transparent_outside_the_mask_and_opaque_where_the_evidence_is_strongest() -> None:
    mask = np.zeros((64, 64), bool)
    mask[:, 32:] = True
    rgba = overlay_rgba(np.ones((7, 7)), mask=mask, side_px=64)
    assert rgba.shape == (64, 64, 4)
    assert rgba[:, :32, 3].max() == 0
    assert set(rgba[:, 32:, 3].ravel().tolist()) == {255}
    np.testing.assert_array_equal(rgba[0, 40, :3], color_map()[255])


def test_opacity_follows_the_value_and_nothing_is_drawn_up_to_the_floor() -> None:
    cam = np.array([[0.0, 0.25, 0.5, 0.75, 1.0]])
    assert overlay_rgba(cam, side_px=5)[2, :, 3].tolist() == [0, 64, 128, 191, 255]
    assert overlay_rgba(cam, floor=0.5, side_px=5)[2, :, 3].tolist() == [0, 0, 0, 128, 255]
    assert overlay_rgba(np.full((4, 4), 0.8), floor=0.79)[..., 3].max() == 0, "nothing stands out"


def test_one_scale_for_a_study() -> None:
    cams = np.zeros((1000, 7, 7), np.float16)
    cams[:, 3, 3] = np.linspace(0, 10, 1000)
    assert full_scale_of(cams, 0.9) == pytest.approx(9, abs=0.05)
    assert full_scale_of(np.zeros((0, 7, 7))) is None
    assert full_scale_of(np.full((5, 7, 7), -1.0)) is None
