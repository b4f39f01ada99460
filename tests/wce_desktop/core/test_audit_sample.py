"""`core.audit_sample`: the sample is fair and reproducible, and the bounds hold in simulated studies."""

from collections import Counter
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from training.phantom.motion import make_motion
from training.phantom.patient import PhantomConfig, make_anatomy, make_patient
from wce_desktop.core.audit_sample import LEVEL, SAMPLE_FRAMES, draw_sample, most_visits, upper_bound
from wce_desktop.core.decimation import runs

STUDIES = 1000
FRAMES = 4000
VISIT_FRAMES = 5


def reference(positive: int, count: int) -> float:
    """The share at which so few frames are drawn with a probability of 5 %, by bisection of the binomial sum."""
    low, high = positive / count, 1.0
    for _ in range(60):
        share = (low + high) / 2
        terms = (comb(count, k) * share**k * (1 - share) ** (count - k) for k in range(positive + 1))
        low, high = (share, high) if sum(terms) > 1 - LEVEL else (low, share)
    return high


@pytest.mark.parametrize(("positive", "count"), [(0, 1), (0, 300), (1, 300), (2, 20), (7, 50), (149, 150)])
def test_the_bound_is_that_of_a_slow_reference(positive: int, count: int) -> None:
    assert upper_bound(positive, count) == pytest.approx(reference(positive, count), abs=1e-9)


def test_300_frames_without_a_finding_bound_the_share_by_one_percent() -> None:
    assert upper_bound(0, SAMPLE_FRAMES) == pytest.approx(1 - 0.05 ** (1 / 300))
    assert upper_bound(0, SAMPLE_FRAMES) < 0.01
    assert upper_bound(5, 5) == upper_bound(0, 0) == 1.0
    with pytest.raises(ValueError, match="cannot be"):
        upper_bound(3, 2)


def test_the_same_seed_draws_the_same_frames_each_once() -> None:
    frames = np.flatnonzero(np.random.default_rng(1).random(5000) < 0.7)
    drawn = draw_sample(frames, 300, 7)
    assert np.array_equal(drawn, draw_sample(frames, 300, 7))
    assert not np.array_equal(drawn, draw_sample(frames, 300, 8))
    assert len(set(drawn.tolist())) == 300
    assert np.isin(drawn, frames).all()
    assert not (np.diff(drawn) > 0).all(), "the first ones are not those of the first hour"


def test_the_sample_is_spread_over_the_study() -> None:
    drawn = np.sort(draw_sample(np.arange(30_000), 300, 3))
    assert np.diff(drawn).max() < 200


@pytest.mark.parametrize("count", [0, 1, 9, 10, 500])
def test_few_frames_are_all_drawn(count: int) -> None:
    frames = np.arange(100, 110)
    drawn = draw_sample(frames, count, 0)
    assert len(drawn) == min(count, 10) == len(set(drawn.tolist()))


def test_every_frame_has_the_same_chance() -> None:
    counts = Counter[int]()
    for seed in range(8000):
        counts.update(draw_sample(np.arange(11), 4, seed).tolist())
    shares = np.array([counts[frame] for frame in range(11)]) / 8000
    assert np.abs(shares - 4 / 11).max() < 0.03


def timelines() -> list[NDArray[np.float64]]:
    """How deep the capsule lies on each frame, of phantom patients; it slips back, so that lesions come again."""
    paths = []
    for seed in range(20):
        config = PhantomConfig(seed=seed, patient=seed, frames=FRAMES)
        anatomy, patient = make_anatomy(config), make_patient(config)
        paths.append(make_motion(config, anatomy, patient.fluid_share).depth)
    return paths


def test_the_bounds_hold_in_simulated_studies() -> None:
    """In 95 % of 1,000 studies or more, the share of frames and the number of visits are within their bounds."""
    paths, random = timelines(), np.random.default_rng(35)
    shares = visits = 0
    for number in range(STUDIES):
        depth = paths[number % len(paths)]
        shows = np.zeros(len(depth), bool)
        for place in random.uniform(depth.min(), depth.max(), random.integers(0, 6)):
            shows |= (depth < place) & (depth > place - random.uniform(0.02, 1.0))  # the capsule sees what is ahead
        seen = np.repeat(random.random(len(depth) // 40 + 1) < random.uniform(0, 0.6), 40)[: len(depth)]
        unseen = np.flatnonzero(~seen)
        drawn = draw_sample(unseen, SAMPLE_FRAMES, number)
        bound = upper_bound(int(np.count_nonzero(shows[drawn])), len(drawn))
        starts, stops = runs(shows & ~seen)
        lengths = np.asarray(stops) - np.asarray(starts)
        shares += bool(shows[unseen].mean() <= bound)
        visits += int(np.count_nonzero(lengths >= VISIT_FRAMES)) <= most_visits(bound, len(unseen), VISIT_FRAMES)
    assert shares / STUDIES >= LEVEL
    assert visits / STUDIES >= LEVEL


def test_the_bound_holds_for_rare_lesions_in_parts_of_the_sample() -> None:
    """With few frames of few visits, where chance plays most, and where the reader stopped after a third."""
    random, held = np.random.default_rng(5), 0
    for number in range(STUDIES):
        shows = np.zeros(10_000, bool)
        for start in random.integers(0, 9_900, random.integers(1, 20)):
            shows[start : start + random.integers(1, 100)] = True
        drawn = draw_sample(np.arange(10_000), SAMPLE_FRAMES, number)[:100]
        held += bool(shows.mean() <= upper_bound(int(np.count_nonzero(shows[drawn])), 100))
    assert held / STUDIES >= LEVEL
