"""A sample of unseen frames: even in time, reproducible, and its bound holds on simulated studies."""

import math

import numpy as np
import pytest

from wce_desktop.core.annotation import ReportPart
from wce_desktop.core.unseen_sample import UnseenSample, draw_sample, sample_of, upper_bound


def test_one_frame_is_drawn_from_each_part_and_the_same_again_from_the_same_seed() -> None:
    frames = np.arange(1000, 4000, 3)
    drawn = draw_sample(frames, 100, 7)
    assert (np.diff(drawn) > 0).all()
    assert np.isin(drawn, frames).all()
    assert np.array_equal((drawn - 1000) // 30, np.arange(100))
    assert np.array_equal(drawn, draw_sample(frames, 100, 7))
    assert not np.array_equal(drawn, draw_sample(frames, 100, 8))


def test_each_frame_is_drawn_equally_often() -> None:
    counts = np.zeros(12)
    for seed in range(2000):
        counts[draw_sample(np.arange(12), 4, seed)] += 1
    assert counts == pytest.approx(np.full(12, 2000 / 3), rel=0.15)


def test_of_few_frames_all_are_drawn() -> None:
    assert draw_sample(np.arange(5, 12), 300, 0).tolist() == list(range(5, 12))
    assert draw_sample(np.arange(0), 300, 0).tolist() == []


def binomial_tail(positive: int, count: int, share: float) -> float:
    """The probability of at most so many."""
    return sum(math.comb(count, k) * share**k * (1 - share) ** (count - k) for k in range(positive + 1))


@pytest.mark.parametrize(("positive", "count"), [(0, 1), (0, 300), (1, 300), (7, 120), (99, 100)])
def test_at_the_bound_so_few_are_as_unlikely_as_stated(positive: int, count: int) -> None:
    assert binomial_tail(positive, count, upper_bound(positive, count)) == pytest.approx(0.05, rel=1e-6)


def test_the_rule_of_three() -> None:
    assert upper_bound(0, 300) == pytest.approx(1 - 0.05 ** (1 / 300))
    assert upper_bound(0, 300) < 0.01
    assert upper_bound(4, 4) == 1.0
    with pytest.raises(ValueError, match="5 of 4"):
        upper_bound(5, 4)


@pytest.mark.parametrize(("visits", "longest"), [(1, 200), (3, 40), (12, 25), (60, 60), (200, 6)])
def test_the_bound_holds_in_95_of_100_simulated_studies(visits: int, longest: int) -> None:
    """Lesions are visits of successive frames, as in a study, so frames are not independent of each other."""
    rng = np.random.default_rng(visits)
    held = 0
    for seed in range(1000):
        shows = np.zeros(20_000, bool)
        for start, length in zip(rng.integers(0, 19_000, visits), rng.integers(1, longest + 1, visits), strict=True):
            shows[start : start + length] = True
        drawn = draw_sample(np.arange(20_000), 300, seed)
        held += shows.mean() <= upper_bound(int(shows[drawn].sum()), len(drawn))
    assert held >= 950


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"frames": [], "total": 3, "small bowel": True, "finished": False},
        {"frames": [1, -2], "total": 3, "small bowel": True, "finished": False},
        {"frames": [1, "2"], "total": 3, "small bowel": True, "finished": False},
        {"frames": [1, 2], "total": 1, "small bowel": True, "finished": False},
        {"frames": [1, 2], "total": 9, "small bowel": 1, "finished": False},
    ],
)
def test_what_another_program_wrote_is_no_sample(content: dict[str, object]) -> None:
    assert sample_of(ReportPart.new(study_id="s", kind="sample", content=content)) is None


def test_a_sample_is_read_as_it_was_written() -> None:
    sample = UnseenSample((3, 8), 40, True, True)
    assert sample_of(ReportPart.new(study_id="s", kind="sample", content=sample.content)) == sample
    assert sample_of(None) is None
