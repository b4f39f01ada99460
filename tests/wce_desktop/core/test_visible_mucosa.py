"""What follows from the visible mucosa of each frame."""

import numpy as np
import pytest

from wce_desktop.core.span import Span
from wce_desktop.core.visible_mucosa import NO_VIEW, cleansing, frames_with_view, koda_of_share, proposed_koda


def test_frames_below_the_limit_show_no_mucosa_and_missing_ones_count_as_before() -> None:
    visible = np.array([0, NO_VIEW - 0.01, NO_VIEW, 1, 1, 1, np.nan], np.float32)
    assert frames_with_view(visible).tolist() == [False, False, True, True, True, True, True]


def test_a_frame_full_of_blood_is_read() -> None:
    visible, blood = np.array([0, 0, 0, 1, 1, 1], np.float32), np.array([0.5, 0.4, np.nan, 0, 0, 0], np.float32)
    assert frames_with_view(visible, blood).tolist() == [True, False, False, True, True, True]


def test_no_frame_is_left_out_of_a_study_that_hardly_shows_any() -> None:
    """As of a make of capsule whose pictures are greener."""
    assert frames_with_view(np.array([0, 0.05, 0.2, 0.6, np.nan], np.float32)).all()
    assert frames_with_view(np.full(3, np.nan, np.float32)).all()


def test_the_interval_goes_by_blocks_of_five_minutes() -> None:
    seconds = np.arange(6000.0)  # 20 blocks
    blocks = np.random.default_rng(1).uniform(0.4, 0.9, 20).astype(np.float32)
    visible = np.repeat(blocks, 300)
    visible[7] = np.nan
    colors = np.tile(np.array([[160, 100, 80], [140, 100, 80]], np.uint8), (3000, 1))
    segment = cleansing(visible, colors, seconds, Span(0, 6000))
    assert segment is not None
    assert segment.visible == pytest.approx(np.nanmean(visible))
    wide = 2 * 1.96 * blocks.std() / np.sqrt(20)
    assert segment.interval is not None
    low, high = segment.interval
    assert high - low == pytest.approx(wide, rel=0.25)
    assert low < segment.visible < high
    assert segment.cac == pytest.approx(1.5, abs=0.001)
    assert segment.adequate == pytest.approx(0.5, abs=0.001)


def test_a_segment_without_numbers_has_no_cleansing() -> None:
    nothing = np.full(10, np.nan, np.float32)
    assert cleansing(nothing, None, np.arange(10.0), Span(0, 10)) is None
    assert cleansing(np.ones(10, np.float32), None, np.arange(10.0), Span(10, 12)) is None
    plain = cleansing(np.ones(10, np.float32), None, np.arange(10.0), Span(0, 10))
    assert plain is not None
    assert plain.cac is None
    assert plain.interval is None, "too short"


@pytest.mark.parametrize(
    ("share", "grades"),
    [(0.1, (0, 0)), (0.3, (1, 0)), (0.6, (2, 1)), (0.75, (3, 2)), (0.9, (3, 2)), (0.97, (3, 3)), (1, (3, 3))],
)
def test_grades_follow_from_the_share(share: float, grades: tuple[int, int]) -> None:
    assert koda_of_share(share) == grades


def test_the_proposed_score_is_the_mean_of_the_proposed_grades() -> None:
    visible = np.array([1, 0, 0.6, np.nan], np.float32)
    assert proposed_koda(visible, (0, 1, 2, 3)) == pytest.approx((6 + 0 + 3) / 6)
    assert proposed_koda(visible, (3,)) is None
    assert koda_of_share(float("nan")) is None
