"""Which tracklets train, against the sentence of the paper read tracklet by tracklet."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.reidentification.tables import table_of
from training.errors import UserError
from training.reidentification.config import TrackletFilter, kept_for_training
from training.reidentification.run_settings import PRESETS

ROW = st.tuples(st.sampled_from("abc"), st.integers(0, 50), st.integers(1, 6), st.integers(0, 30))


@settings(max_examples=100, deadline=None)
@given(rows=st.lists(ROW, max_size=12))
def test_tracklets_equal_those_of_a_slow_reference(rows: list[tuple[str, int, int, int]]) -> None:
    table = table_of(
        [(procedure, start, start + half_seconds / 2) for procedure, start, half_seconds, _ in rows],
        [detections for *_, detections in rows],
    )
    longest: dict[str, int] = {}
    for at, (procedure, _, half_seconds, detections) in enumerate(rows):
        is_dropped = half_seconds < 2 or detections < 15
        if not is_dropped and (procedure not in longest or half_seconds > rows[longest[procedure]][2]):
            longest[procedure] = at
    if longest:
        assert kept_for_training(table, TrackletFilter()).tolist() == sorted(longest.values())
    else:
        with pytest.raises(UserError, match="lasts 1 s with 15 confident detections"):
            kept_for_training(table, TrackletFilter())


def test_the_capsules_filter_keeps_three_frames() -> None:
    table = table_of([("a", 0, 1.0), ("a", 2, 3.5), ("b", 0, 1.0)], [2, 3, 3])
    capsule = TrackletFilter(**{name: PRESETS["small"][name] for name in ("shortest_seconds", "fewest_detections")})
    assert kept_for_training(table, capsule).tolist() == [1, 2]
    with pytest.raises(UserError, match="None of 3 tracklets"):
        kept_for_training(table, TrackletFilter())


def test_all_tracklets_of_a_procedure_where_that_is_asked_for() -> None:
    table = table_of([("a", 0, 2), ("a", 3, 9), ("b", 0, 0.5)])
    assert kept_for_training(table, TrackletFilter()).tolist() == [1]
    assert kept_for_training(table, TrackletFilter(longest_only=False)).tolist() == [0, 1]


def test_a_second_of_frames_is_a_second() -> None:
    assert kept_for_training(table_of([("a", 0.7, 0.7 + 30 * (1 / 30) - 1e-12)]), TrackletFilter()).tolist() == [0]


def test_confidence_is_a_setting() -> None:
    table = table_of([("a", 0, 2)], [15])
    assert kept_for_training(table, TrackletFilter(confidence=0.8)).tolist() == [0]
    with pytest.raises(UserError):
        kept_for_training(table, TrackletFilter(confidence=0.95))
