"""The blood indicator: marked frames only in the small bowel, and the next mark past the last one."""

import numpy as np

from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.blood import marked_frames, next_mark

VALUES = np.array([0.9, 0.1, 0.5, np.nan, 0.7, 0.8, 0.2, 0.6], np.float32)


def test_marks_are_of_the_whole_study_without_landmarks() -> None:
    assert np.flatnonzero(marked_frames(VALUES, ())).tolist() == [0, 2, 4, 5, 7]


def test_marks_are_of_the_small_bowel_once_it_is_known() -> None:
    marks = [Landmark("a", "s", Region.SMALL_BOWEL, 2), Landmark("b", "s", Region.COLON, 5)]
    assert np.flatnonzero(marked_frames(VALUES, marks)).tolist() == [2, 4]
    assert np.flatnonzero(marked_frames(VALUES, marks[1:])).tolist() == [0, 2, 4, 5, 7]


def test_the_next_mark_starts_over() -> None:
    marked = marked_frames(VALUES, ())
    assert [next_mark(marked, frame) for frame in (0, 2, 4, 7)] == [2, 4, 7, 0]
    assert next_mark(np.zeros(3, np.bool_), 0) is None
