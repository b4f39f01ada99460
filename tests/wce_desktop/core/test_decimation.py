"""Decimation against the slow and obvious way, at every length and zoom."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wce_desktop.core.decimation import MeanColors, MinMaxPyramid, column_frames, covered_columns, runs

TRACKS = arrays(np.float32, st.integers(0, 70), elements=st.one_of(st.floats(0, 1, width=32), st.just(float("nan"))))
WINDOWS = st.tuples(st.floats(-20, 80), st.floats(0.01, 100), st.integers(0, 90))


def slow_columns(values: np.ndarray, start: float, stop: float, columns: int) -> tuple[list[float], list[float]]:
    low, high = [], []
    for column in range(columns):
        left = start + column * (stop - start) / columns
        right = start + (column + 1) * (stop - start) / columns
        first = math.floor(left)
        end = math.ceil(stop) if column == columns - 1 else math.floor(right)
        inside = [float(values[i]) for i in range(first, max(end, first + 1)) if 0 <= i < len(values)]
        known = [value for value in inside if not math.isnan(value)]
        low.append(min(known, default=math.nan))
        high.append(max(known, default=math.nan))
    return low, high


@given(TRACKS, WINDOWS)
def test_columns_equal_the_slow_reference(values: np.ndarray, window: tuple[float, float, int]) -> None:
    start, length, columns = window
    low, high = MinMaxPyramid(values).columns(start, start + length, columns)
    expected_low, expected_high = slow_columns(values, start, start + length, columns)
    np.testing.assert_array_equal(low, np.array(expected_low, dtype=np.float32))
    np.testing.assert_array_equal(high, np.array(expected_high, dtype=np.float32))


@given(st.integers(1, 5000), st.integers(1, 400), st.data())
def test_a_peak_of_one_frame_is_never_lost(count: int, columns: int, data: st.DataObject) -> None:
    peak = data.draw(st.integers(0, count - 1))
    values = np.zeros(count, dtype=np.float32)
    values[peak] = 1.0
    _, high = MinMaxPyramid(values).columns(0, count, columns)
    assert high.max() == 1.0
    assert abs(int(np.argmax(high)) - peak * columns / count) <= max(1.0, columns / count)


@given(st.floats(-50, 50), st.floats(0.01, 200), st.integers(1, 90))
def test_every_frame_belongs_to_a_column(start: float, length: float, columns: int) -> None:
    first, end = column_frames(start, start + length, columns)
    held = {frame for low, high in zip(first, end, strict=True) for frame in range(low, high)}
    assert held >= set(range(math.floor(start), math.ceil(start + length)))
    assert np.all(np.diff(first) >= 0)
    assert np.all(np.diff(end) >= 0)


@given(
    st.lists(st.tuples(st.integers(-5, 90), st.integers(1, 30)), max_size=12),
    st.floats(-20, 80),
    st.floats(0.01, 100),
    st.integers(0, 90),
)
def test_covered_columns_equal_the_slow_reference(
    spans: list[tuple[int, int]], start: float, length: float, columns: int
) -> None:
    spans.sort()
    starts = np.array([first for first, _ in spans], dtype=np.int64)
    reach = np.maximum.accumulate(np.array([first + count for first, count in spans], dtype=np.int64))
    frames = {frame for first, count in spans for frame in range(first, first + count)}
    column_first, column_end = column_frames(start, start + length, columns)
    expected = [bool(frames & set(range(a, b))) for a, b in zip(column_first, column_end, strict=True)]
    assert covered_columns(starts, reach, start, start + length, columns).tolist() == expected


@given(arrays(np.uint8, st.tuples(st.integers(1, 40), st.just(3))), st.integers(1, 60))
def test_mean_colors_equal_the_slow_reference(colors: np.ndarray, columns: int) -> None:
    first, end = column_frames(0, len(colors), columns)
    expected = [np.rint(colors[a:b].astype(np.float64).mean(axis=0)) for a, b in zip(first, end, strict=True)]
    np.testing.assert_array_equal(MeanColors(colors).columns(0, len(colors), columns), np.array(expected))


def test_mean_colors_go_on_beyond_the_ends() -> None:
    colors = MeanColors(np.array([[10, 20, 30], [200, 100, 50]], dtype=np.uint8))
    assert colors.columns(-4, 6, 5).tolist() == [[10, 20, 30]] * 2 + [[105, 60, 40]] + [[200, 100, 50]] * 2


@given(arrays(np.bool_, st.integers(0, 40)))
def test_runs_put_together_give_the_mask(mask: np.ndarray) -> None:
    again = np.zeros_like(mask)
    for start, stop in zip(*runs(mask), strict=True):
        assert start < stop
        assert stop == len(mask) or not mask[stop]
        again[start:stop] = True
    np.testing.assert_array_equal(again, mask)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_short_tracks(count: int) -> None:
    pyramid = MinMaxPyramid(np.full(count, 0.5, dtype=np.float64))
    low, high = pyramid.columns(0, 4, 4)
    assert len(pyramid) == count
    assert low.dtype == high.dtype == np.float32
    assert np.isnan(high).tolist() == [False] * count + [True] * (4 - count)


@given(st.integers(0, 40), st.integers(0, 4), st.integers(1, 50))
def test_several_tracks_at_once_equal_each_alone(count: int, tracks: int, columns: int) -> None:
    values = np.random.default_rng(count).random((count, tracks)).astype(np.float32)
    low, high = MinMaxPyramid(values).columns(0, max(count, 1), columns)
    assert low.shape == high.shape == (columns, tracks)
    for track in range(tracks):
        alone = MinMaxPyramid(values[:, track]).columns(0, max(count, 1), columns)
        np.testing.assert_array_equal((low[:, track], high[:, track]), alone)


def test_wrong_shapes_and_windows_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\(2, 2, 1\)"):
        MinMaxPyramid(np.zeros((2, 2, 1)))
    with pytest.raises(ValueError, match="stop > start"):
        MinMaxPyramid(np.zeros(5)).columns(3, 3, 10)
    with pytest.raises(ValueError, match="negative"):
        column_frames(0, 1, -1)
    with pytest.raises(ValueError, match=r"\(0, 3\)"):
        MeanColors(np.zeros((0, 3), dtype=np.uint8))
