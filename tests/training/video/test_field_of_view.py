"""The field of view is found from frames as capsules make them: vignette, dark lumen, writing in the corners."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.videos import write_video
from training.video import FieldOfView, field_of_view, find_field_of_view, open_source, study_field_of_view

SIDE = 160


def shape_mask(kind: str, height: int = SIDE, width: int = SIDE) -> NDArray[np.bool_]:
    y, x = np.mgrid[:height, :width].astype(float)
    u, v = np.abs(x - (width - 1) / 2), np.abs(y - (height - 1) / 2)
    if kind == "circle":
        return np.asarray(np.hypot(u, v) <= 0.47 * min(height, width))
    if kind == "octagon":
        return np.asarray((u + v <= 0.82 * SIDE) & (np.maximum(u, v) <= SIDE / 2))
    return np.ones((height, width), bool)


def frames(mask: NDArray[np.bool_], count: int, clock: bool = True) -> list[NDArray[np.uint8]]:
    """Tissue with a dark lumen that wanders, inside the mask; a clock outside."""
    rng = np.random.default_rng(0)
    height, width = mask.shape
    y, x = np.mgrid[:height, :width].astype(float)
    made = []
    for number in range(count):
        cx, cy = rng.uniform(0.2, 0.8, 2) * (width, height)
        light = 1 - 0.95 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (0.25 * width) ** 2)
        frame = (light[..., None] * [200, 120, 90] + rng.normal(0, 5, (height, width, 3))).clip(0, 255)
        frame = np.where(mask[..., None], frame, rng.integers(0, 8, (height, width, 1))).astype(np.uint8)
        if clock:
            cv2.putText(frame, f"0{number % 10}:4{number % 7}", (1, 9), cv2.FONT_HERSHEY_SIMPLEX, 0.28, (240, 240, 240))
        made.append(frame)
    return made


def overlap(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    return float((a & b).sum() / (a | b).sum())


@pytest.mark.parametrize("count", [1, 5, 40])
@pytest.mark.parametrize("kind", ["circle", "octagon"])
def test_the_shape_is_found_and_the_clock_is_not_in_it(kind: str, count: int) -> None:
    mask = shape_mask(kind)
    view = find_field_of_view(frames(mask, count))
    assert count == 1 or view.kind == kind
    assert overlap(view.mask(SIDE, SIDE), mask) > (0.9 if count == 1 else 0.96)
    assert not view.mask(SIDE, SIDE)[:8, :14].any()


def test_a_round_view_in_a_wide_frame() -> None:
    mask = shape_mask("circle", 120, 200)
    view = find_field_of_view(frames(mask, 20))
    assert view.kind == "circle"
    assert overlap(view.mask(120, 200), mask) > 0.96
    x_min, y_min, side = view.box
    assert abs(side - 0.94 * 120) < 4
    assert abs(x_min - (200 - side) / 2) < 3
    assert abs(y_min - (120 - side) / 2) < 3


def test_a_full_view_and_dark_frames_are_left_whole() -> None:
    assert find_field_of_view(frames(shape_mask("full"), 10, clock=False)).kind == "full"
    assert find_field_of_view([np.zeros((40, 60, 3), np.uint8)]).box == (-0, -10, 60)
    with pytest.raises(ValueError, match="no frames"):
        find_field_of_view([])
    with pytest.raises(ValueError, match="one size"):
        find_field_of_view([np.zeros((4, 4, 3), np.uint8), np.zeros((4, 5, 3), np.uint8)])


def test_the_mask_scales_with_the_frame() -> None:
    view = FieldOfView("circle", 100, 100, (49.5, 49.5), 40)
    assert view.mask(100, 100).mean() == pytest.approx(np.pi * 0.16, abs=0.01)
    assert view.mask(37, 37).mean() == pytest.approx(np.pi * 0.16, abs=0.02)


@pytest.mark.parametrize(
    "view",
    [
        FieldOfView("circle", 100, 80, (49.5, 39.5), 40.0),
        FieldOfView("octagon", 9, 9, polygon=((2.0, 0.0), (6.0, 0.0), (8.0, 4.0), (4.0, 8.0), (0.0, 4.0))),
        FieldOfView.full(3, 4),
    ],
)
def test_json_gives_back_the_same(view: FieldOfView) -> None:
    assert FieldOfView.from_json(view.to_json()) == view


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="radius"):
        FieldOfView("circle", 10, 10)
    with pytest.raises(ValueError, match="corners"):
        FieldOfView("octagon", 10, 10)
    with pytest.raises(ValueError, match="0 x 10"):
        FieldOfView("full", 0, 10)


def test_a_study_is_sampled(tmp_path: Path) -> None:
    with open_source(write_video(tmp_path / "a.mp4", 40)) as source:
        view = study_field_of_view(source)
    assert (view.width_px, view.height_px) == (64, 64)
    assert view.mask(64, 64).any()


def test_real_capsules(shared_data: Path) -> None:
    with open_source(shared_data / "kvasir_capsule" / "clip_with_boxes.mp4") as source:
        view = study_field_of_view(source)
    assert view.kind == "octagon"
    corner = view.mask(336, 336)[:45, :45]
    assert not (corner & (np.add.outer(np.arange(45), np.arange(45)) < 45)).any()
    assert 0.88 < view.mask(336, 336).mean() < 0.97
    names = [p for p in sorted((shared_data / "capsule_bleeding" / "images").iterdir()) if p.suffix == ".jpg"]
    picture = cv2.imread(str(names[0]))
    assert picture is not None
    assert find_field_of_view([np.asarray(picture, np.uint8)]).mask(224, 224).mean() < 0.95


@pytest.mark.parametrize("stroke", [31, 45, 61])
def test_a_large_opening_is_opencvs(monkeypatch: pytest.MonkeyPatch, stroke: int) -> None:
    noise = np.random.default_rng(stroke).random((300, 420), dtype=np.float32)
    mask = (cv2.GaussianBlur(noise, (0, 0), 18) > 0.495).astype(np.uint8)
    expected = field_of_view._opened(mask, stroke)
    monkeypatch.setattr(field_of_view, "_LARGEST_KERNEL", 1)
    found = field_of_view._opened(mask, stroke)
    assert 0.05 < expected.mean() < 0.95
    edge = cv2.morphologyEx(expected, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 0
    assert np.array_equal(found[~edge], expected[~edge])


@pytest.mark.parametrize("count", [1, 2, 7, 48])
def test_what_is_lit_is_the_brighter_fifth(count: int) -> None:
    """As `np.partition` gives it."""
    pictures = list(np.random.default_rng(count).integers(0, 256, (count, 5, 8), np.uint8))
    keep = min(round(count * 0.8), count - 1)
    np.testing.assert_array_equal(field_of_view._lit(pictures), np.partition(pictures, keep, axis=0)[keep])
