"""Spans and span sets against plain sets of numbers."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.span import Span, SpanSet

spans = st.tuples(st.integers(0, 40), st.integers(1, 8)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))
span_lists = st.lists(spans, max_size=8)


def frames(held: SpanSet) -> set[int]:
    return {frame for span in held for frame in range(span.start, span.stop)}


def plain(listed: list[Span]) -> set[int]:
    return {frame for span in listed for frame in range(span.start, span.stop)}


@pytest.mark.parametrize(("start", "stop"), [(3, 3), (4, 3), (-1, 2)])
def test_a_span_is_never_empty_and_never_negative(start: int, stop: int) -> None:
    with pytest.raises(ValueError, match="0 <= start < stop"):
        Span(start, stop)


def test_a_span_holds_its_start_but_not_its_stop() -> None:
    assert 3 in Span(3, 5)
    assert 5 not in Span(3, 5)
    assert len(Span(3, 5)) == 2


def test_touching_spans_share_no_frame() -> None:
    assert Span(0, 3).intersect(Span(3, 5)) is None
    assert not Span(0, 3).intersects(Span(3, 5))
    assert Span(0, 4).intersect(Span(3, 9)) == Span(3, 4)


@given(span_lists, spans)
def test_set_operations_agree_with_plain_sets(listed: list[Span], span: Span) -> None:
    held, expected = SpanSet(listed), plain(listed)
    one = set(range(span.start, span.stop))
    assert frames(held) == expected
    assert frames(held.union([span])) == expected | one
    assert frames(held.difference([span])) == expected - one
    assert frames(held.within(span)) == expected & one
    assert frames(held.missing_in(span)) == one - expected
    assert held.frame_count == len(expected)
    assert [held.contains(frame) for frame in range(60)] == [frame in expected for frame in range(60)]


@given(span_lists, span_lists)
def test_union_and_difference_agree_with_plain_sets(some: list[Span], others: list[Span]) -> None:
    assert frames(SpanSet(some).union(others)) == plain(some) | plain(others)
    assert frames(SpanSet(some).difference(others)) == plain(some) - plain(others)


@given(span_lists, spans)
def test_spans_stay_sorted_and_apart(listed: list[Span], span: Span) -> None:
    for held in (SpanSet(listed).union([span]), SpanSet(listed).difference([span])):
        edges = [edge for one in held for edge in (one.start, one.stop)]
        assert all(earlier < later for earlier, later in itertools.pairwise(edges))
        assert held == SpanSet(list(held))


def test_touching_spans_become_one() -> None:
    held = SpanSet([Span(0, 3)])
    assert list(held.union([Span(3, 5)])) == list(SpanSet([Span(3, 5), Span(0, 3)])) == [Span(0, 5)]
    assert list(SpanSet([Span(3, 5)]).union([Span(0, 3)])) == [Span(0, 5)]


@given(st.lists(st.booleans(), max_size=30))
def test_masks_there_and_back(values: list[bool]) -> None:
    mask = np.array(values, dtype=bool)
    np.testing.assert_array_equal(SpanSet.from_mask(mask).to_mask(len(values)), mask)


def test_a_mask_leaves_out_what_lies_past_its_end() -> None:
    assert SpanSet([Span(2, 10), Span(20, 30)]).to_mask(4).tolist() == [False, False, True, True]
