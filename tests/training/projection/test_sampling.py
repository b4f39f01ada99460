"""Which frames enter a map: as many as asked, none twice, rare labels kept, the rest spread over time."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from training.datasets.labels import LabelRow
from training.projection.sources import frame_labels, sample_frames


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-1, 4), min_size=0, max_size=200), st.integers(0, 220), st.integers(0, 5))
def test_as_many_as_asked_none_twice_and_every_label_has_its_part(labels: list[int], count: int, seed: int) -> None:
    given_labels = np.array(labels, np.int32)
    taken = sample_frames(given_labels, count, np.random.default_rng(seed))
    assert len(taken) == len(set(taken.tolist())) == min(count, len(labels))
    assert (np.diff(taken) > 0).all()
    kinds = {label for label in labels if label >= 0}
    for kind in kinds:
        there, kept = labels.count(kind), int((given_labels[taken] == kind).sum())
        assert kept >= min(there, count // 2 // len(kinds))


def test_two_rare_frames_stay_among_half_a_million_and_the_rest_is_even() -> None:
    labels = np.full(500_000, -1, np.int32)
    labels[[1234, 400_000]] = 0
    labels[100_000:300_000] = 1
    taken = sample_frames(labels, 2000, np.random.default_rng(0))
    assert {1234, 400_000} <= set(taken.tolist())
    assert (labels[taken] == 1).sum() >= 998
    others = taken[(labels[taken] == -1) & (taken > 300_000)]
    assert np.diff(others).max() <= 2 * 500_000 / 1000


def test_the_same_seed_takes_the_same_frames_and_another_takes_others() -> None:
    labels = np.repeat(np.array([-1, 0], np.int32), 500)
    first, again, other = (sample_frames(labels, 50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_frame_of_several_labels_counts_for_the_rarest() -> None:
    rows = [
        LabelRow(study_id="a", start=0, stop=10, label="mucosa"),
        LabelRow(study_id="a", start=4, stop=6, label="blood"),
        LabelRow(study_id="b", start=0, stop=3, label="blood"),
        LabelRow(study_id="elsewhere", start=0, stop=3, label="ulcer"),
    ]
    frames = {"a": np.arange(3, 12), "b": np.arange(5)}
    names, labels = frame_labels(rows, frames)
    assert names == ("blood", "mucosa")
    assert labels["a"].tolist() == [1, 0, 0, 1, 1, 1, 1, -1, -1]
    assert labels["b"].tolist() == [0, 0, 0, -1, -1]
