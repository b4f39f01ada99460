"""What each screen column shows of scores and of seen frames, against the slow way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.decimation import MinMaxPyramid, column_frames
from wce_desktop.widgets.timeline.axis import FrameWindow
from wce_desktop.widgets.timeline.scores_paint import step_extremes
from wce_desktop.widgets.timeline.spans_paint import any_in_columns


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.floats(0, 1), st.floats(0.01, 1), st.integers(1, 80))
def test_seen_columns(flags: list[bool], start_share: float, length_share: float, columns: int) -> None:
    start = start_share * 0.99 * len(flags)
    window = FrameWindow(start, start + max(0.01, length_share * (len(flags) - start)))
    first, end = column_frames(window.start, window.stop, columns)
    expected = [any(flags[a:b]) for a, b in zip(first, end, strict=True)]
    assert any_in_columns(np.array(flags), window, columns).tolist() == expected


def test_steps_join_neighbouring_frames_but_never_across_a_gap() -> None:
    values = np.array([[0.1], [0.9], [np.nan], [0.4]], dtype=np.float32)
    low, high = step_extremes(MinMaxPyramid(values), FrameWindow(0, 4), 8)
    nan = np.nan
    np.testing.assert_allclose(low[:, 0], [0.1, 0.1, 0.1, 0.9, 0.9, nan, 0.4, 0.4], rtol=1e-6)
    np.testing.assert_allclose(high[:, 0], [0.1, 0.1, 0.9, 0.9, 0.9, nan, 0.4, 0.4], rtol=1e-6)
