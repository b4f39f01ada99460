"""Landmarks make regions."""

from wce_desktop.core.annotation.landmark import Landmark, Region, examination, order_problem, regions
from wce_desktop.core.span import Span


def mark(region: Region, frame_index: int) -> Landmark:
    return Landmark(f"m{frame_index}", "s", region, frame_index)


def test_a_region_lasts_until_the_next_one_or_the_end() -> None:
    marks = [mark(Region.COLON, 80), mark(Region.STOMACH, 5), mark(Region.SMALL_BOWEL, 20)]
    assert regions(marks, 100) == (
        (Region.STOMACH, Span(5, 20)),
        (Region.SMALL_BOWEL, Span(20, 80)),
        (Region.COLON, Span(80, 100)),
    )


def test_no_landmarks_and_landmarks_past_the_end_make_no_region() -> None:
    assert regions([], 100) == ()
    assert regions([mark(Region.COLON, 100)], 100) == ()


def test_of_two_on_one_frame_the_later_region_counts() -> None:
    assert regions([mark(Region.SMALL_BOWEL, 3), mark(Region.STOMACH, 3)], 9) == ((Region.SMALL_BOWEL, Span(3, 9)),)


def test_nothing_lies_after_the_end_of_the_examination() -> None:
    marks = [mark(Region.OESOPHAGUS, 3), mark(Region.STOMACH, 5), mark(Region.END, 59), mark(Region.COLON, 80)]
    assert regions(marks, 100) == ((Region.OESOPHAGUS, Span(3, 5)), (Region.STOMACH, Span(5, 60)))
    assert examination(marks, 100) == Span(3, 60)
    assert examination([mark(Region.END, 99)], 100) == examination([], 100) == Span(0, 100)
    assert examination([mark(Region.OESOPHAGUS, 50), mark(Region.END, 20)], 100) is None


def test_landmarks_out_of_order_are_told() -> None:
    assert order_problem([mark(Region.COLON, 80), mark(Region.STOMACH, 5)]) == ""
    assert order_problem([mark(Region.COLON, 80), mark(Region.END, 50)]) == (
        "The last frame of the examination (51) does not lie after the first caecal frame (81)."
    )
