"""Frames selected together: a set for each study."""

import numpy as np
import pytest

from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import Span, SpanSet


def test_frames_are_sorted_and_counted_once() -> None:
    selection = FrameSelection({"a": [5, 3, 5, 4], "b": np.array([9])})
    assert selection.of("a").tolist() == [3, 4, 5]
    assert selection.count == 4
    assert list(selection) == [("a", 3), ("a", 4), ("a", 5), ("b", 9)]


def test_spans_join_successive_frames() -> None:
    selection = FrameSelection({"a": [0, 1, 2, 7]})
    assert selection.spans("a") == SpanSet([Span(0, 3), Span(7, 8)])
    assert selection.spans("b") == SpanSet()


def test_a_study_without_frames_is_left_out() -> None:
    selection = FrameSelection({"a": [], "b": [1]})
    assert selection.study_ids == ("b",)
    assert not FrameSelection({"a": []})


def test_equal_where_the_frames_are() -> None:
    one, same = FrameSelection({"a": [1, 2]}), FrameSelection({"a": [2, 1, 1]})
    assert one == same
    assert hash(one) == hash(same)
    assert one != FrameSelection({"a": [1]})
    assert one != FrameSelection({"b": [1, 2]})


def test_a_frame_before_the_first_is_refused() -> None:
    with pytest.raises(ValueError, match="before the first"):
        FrameSelection({"a": [-1]})


def test_what_it_holds_cannot_be_changed() -> None:
    selection = FrameSelection({"a": np.array([1, 2])})
    with pytest.raises(ValueError, match="read-only"):
        selection.of("a")[0] = 5
