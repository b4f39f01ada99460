"""Truth says what is in the frame, and no more."""

import numpy as np

from training.phantom.lesions import FrameTruth, Lesion, Sighting, sightings

LESION = Lesion("P01-L1", "polyp", 5.0, "sessile", 3.0, 0.0, 1)


def _seen(kind: str, is_clear: bool) -> Sighting:
    return Sighting("P01-L1", kind, (0, 0, 4, 4), 0.01, is_clear)


def test_labels_of_a_frame() -> None:
    assert FrameTruth(0, "colon", 1.0, ()).labels == ("normal",)
    assert FrameTruth(0, "colon", 1.0, (_seen("polyp", False),)).labels == ()
    assert FrameTruth(0, "colon", 1.0, (_seen("ulcer", True), _seen("blood", True))).labels == ("blood", "ulcer")
    assert FrameTruth(0, "colon", 1.0, (_seen("ulcer", True), _seen("polyp", False))).labels == ("ulcer",)


def test_box_area_and_brightness() -> None:
    numbers = np.zeros((32, 32), np.uint8)
    numbers[10:14, 20:26] = 1
    bright = np.full((32, 32), 120, np.uint8)
    inside = np.ones((32, 32), bool)
    (seen,) = sightings(numbers, bright, inside, (LESION,), 64)
    assert seen.box == (40, 20, 52, 28)
    assert seen.area_share == 24 / 1024
    assert seen.is_clear
    (dark,) = sightings(numbers, bright // 6, inside, (LESION,), 64)
    assert not dark.is_clear
    numbers[10:14, 21:26] = 0
    (small,) = sightings(numbers, bright, inside, (LESION,), 64)
    assert not small.is_clear


def test_what_lies_outside_the_field_of_view_is_not_seen() -> None:
    numbers = np.ones((16, 16), np.uint8)
    inside = np.zeros((16, 16), bool)
    inside[4:8, 4:8] = True
    (seen,) = sightings(numbers, np.full((16, 16), 99, np.uint8), inside, (LESION,), 32)
    assert seen.box == (8, 8, 16, 16)
    assert sightings(numbers, numbers, np.zeros((16, 16), bool), (LESION,), 32) == ()
