"""Tables of spans under many changes hold what a plain list holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.decimation import column_frames
from wce_desktop.core.span import Span
from wce_desktop.widgets.timeline.content import SpanTable

SPANS = st.builds(lambda start, length: Span(start, start + length), st.integers(0, 60), st.integers(1, 20))


@given(st.lists(SPANS, max_size=8), st.lists(SPANS, max_size=8), st.data())
def test_adding_and_removing_equals_a_list(before: list[Span], added: list[Span], data: st.DataObject) -> None:
    table, kept = SpanTable.of(before), [*before, *added]
    for span in added:
        table.add(span)
    for span in data.draw(st.lists(st.sampled_from(kept), unique_by=id) if kept else st.just([])):
        kept.remove(span)
        table.remove(span)
    assert sorted(zip(table.starts, table.stops, strict=True)) == [(s.start, s.stop) for s in sorted(kept)]
    first, end = column_frames(5, 60, 23)
    held = {frame for span in kept for frame in range(span.start, span.stop)}
    expected = [bool(held & set(range(a, b))) for a, b in zip(first, end, strict=True)]
    assert table.columns(5, 60, 23).tolist() == expected


def test_removing_what_is_not_there_is_an_error() -> None:
    table = SpanTable.of([Span(3, 5)])
    with pytest.raises(KeyError):
        table.remove(Span(3, 6))
    assert np.array_equal(table.starts, [3])
