"""Indicators: shares of the field of view, the same for every size of frame, with no torch."""

import subprocess
import sys

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.indicators import INDICATORS, shares

MUCOSA, BILE, DARK = (200, 100, 80), (120, 125, 30), (30, 14, 10)


def frame(left: tuple[int, ...], right: tuple[int, ...], size: int = 160) -> NDArray[np.uint8]:
    """A round frame of two colours, black outside."""
    result = np.zeros((size, size, 3), np.uint8)
    result[:, : size // 2], result[:, size // 2 :] = left, right
    result[round_view(size) == 0] = 0
    return result


def round_view(size: int) -> NDArray[np.uint8]:
    return np.asarray(np.hypot(*(np.mgrid[:size, :size] - (size - 1) / 2)) < size / 2, np.uint8)


@pytest.mark.parametrize("size", [96, 160, 224, 336])
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [(MUCOSA, MUCOSA, 1), (MUCOSA, BILE, 0.5), (MUCOSA, DARK, 0.5), (BILE, BILE, 0), (DARK, DARK, 0)],
)
def test_fluid_and_darkness_cover_mucosa(
    size: int, left: tuple[int, ...], right: tuple[int, ...], expected: float
) -> None:
    share = shares(("visible_mucosa",), frame(left, right, size)[None], round_view(size))[:, 0]
    assert share == pytest.approx([expected], abs=0.12)


def test_a_frame_without_field_of_view_has_no_share() -> None:
    assert np.isnan(shares(tuple(INDICATORS), frame(MUCOSA, MUCOSA)[None], np.zeros((160, 160), np.uint8))).all()


def test_values_of_stored_files_stay_as_they_are() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (3, 160, 160, 3)).astype(np.uint8)
    smooth = np.stack([cv2.GaussianBlur(image, (0, 0), 6) for image in noise]).astype(float)
    images = np.clip((smooth - 128) * (2, 1, 1) + (120, 85, 60), 0, 255).astype(np.uint8) * round_view(160)[..., None]
    expected = [[0.1341, 0.0685], [0.1555, 0.1256], [0.1194, 0.0655]]
    np.testing.assert_allclose(shares(("visible_mucosa", "blood"), images, round_view(160)), expected, atol=1e-4)


@pytest.mark.parametrize("name", INDICATORS)
def test_every_indicator_is_a_share_for_each_frame(name: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (3, 96, 96, 3)).astype(np.uint8) * round_view(96)[..., None]
    result = shares((name,), noise, round_view(96))
    assert result.shape == (3, 1)
    assert ((result >= 0) & (result <= 1)).all()
    np.testing.assert_allclose(result[1:2], shares((name,), noise[1:2], round_view(96)), rtol=1e-5)


def test_a_name_of_another_version_has_no_shares() -> None:
    table = shares(("visible_mucosa", "of another version"), frame(MUCOSA, MUCOSA)[None], round_view(160))
    assert table[0, 0] == pytest.approx(1, abs=0.05)
    assert np.isnan(table[0, 1])


def test_it_needs_no_torch() -> None:
    code = "import sys, training.indicators; sys.exit(len({'torch', 'cv2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_blood_is_redder_than_the_frame_and_not_in_the_shade() -> None:
    pool, fold = frame(MUCOSA, MUCOSA), frame(MUCOSA, MUCOSA)
    pool[60:100, 60:100], fold[60:100, 60:100] = (190, 25, 20), (60, 12, 10)
    plain, bleeding, shaded = shares(("blood",), np.stack([frame(MUCOSA, MUCOSA), pool, fold]), round_view(160))[:, 0]
    assert bleeding > 0.9
    assert plain < 0.3
    assert shaded < bleeding - 0.05
