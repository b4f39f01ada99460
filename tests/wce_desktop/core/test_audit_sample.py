"""`core.audit_sample`: the sample is fair and reproducible, and the bounds hold in simulated studies."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from training.phantom.motion import make_motion
from training.phantom.patient import PhantomConfig, make_anatomy, make_patient
from wce_desktop.core.audit_sample import LEVEL, SAMPLE_FRAMES, draw_sample, level, most_visits, upper_bound
from wce_desktop.core.decimation import runs
from wce_desktop.core.span import SpanSet
from wce_desktop.session.completeness.frame_audit import FrameAudit

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


@dataclass(frozen=True)
class SimulatedStudy:
    """(N,) bool each: which frames show a finding, were seen, and can be read."""

    shows: NDArray[np.bool_]
    seen: NDArray[np.bool_]
    readable: NDArray[np.bool_]

    @property
    def share(self) -> float:
        """The share of the unseen readable frames that shows a finding."""
        return float(self.shows[~self.seen & self.readable].mean())

    @property
    def visits(self) -> int:
        """Runs of `VISIT_FRAMES` or more unseen frames that show one."""
        starts, stops = runs(self.shows & ~self.seen & self.readable)
        return int(np.count_nonzero(np.asarray(stops) - np.asarray(starts) >= VISIT_FRAMES))


def simulated_studies(*, unreadable: float = 0.0) -> Iterator[tuple[int, SimulatedStudy]]:
    """1,000 studies of phantom patients with 0 to 5 lesions each, of which a part was seen."""
    paths, random = timelines(), np.random.default_rng(35)
    for number in range(STUDIES):
        depth = paths[number % len(paths)]
        shows = np.zeros(len(depth), bool)
        for place in random.uniform(depth.min(), depth.max(), random.integers(0, 6)):
            shows |= (depth < place) & (depth > place - random.uniform(0.02, 1.0))  # the capsule sees what is ahead
        seen = np.repeat(random.random(len(depth) // 40 + 1) < random.uniform(0, 0.6), 40)[: len(depth)]
        readable = random.random(len(depth)) >= unreadable
        yield number, SimulatedStudy(shows, seen, readable)


def audited(study: SimulatedStudy, seed: int, most_samples: int) -> tuple[FrameAudit, float]:
    """The audit by a reader who draws a further sample while a finding is in it, and its bound on the share."""
    spans = SpanSet.from_mask(~study.seen)
    audit = FrameAudit(seed, tuple((span.start, span.stop) for span in spans))
    for samples in range(1, most_samples + 1):
        audit = replace(audit, samples=samples).with_further(SAMPLE_FRAMES)
        while gone := [frame for frame in audit.frames if not study.readable[frame]]:
            kept = tuple(frame for frame in audit.frames if frame not in gone)
            audit = replace(audit, frames=kept, unreadable=(*audit.unreadable, *gone)).with_further(len(gone))
        positive = int(np.count_nonzero(study.shows[list(audit.frames)]))
        if not positive:
            break
    return audit, upper_bound(positive, len(audit.frames), level(audit.samples))


@pytest.mark.parametrize(("most_samples", "unreadable"), [(1, 0.0), (1, 0.2), (3, 0.0)])
def test_the_bounds_hold_in_simulated_studies(most_samples: int, unreadable: float) -> None:
    """In 95 % of 1,000 studies or more, the share of frames and the number of visits are within their bounds."""
    shares = visits = 0
    for number, study in simulated_studies(unreadable=unreadable):
        audit, bound = audited(study, number, most_samples)
        shares += study.share <= bound
        visits += study.visits <= most_visits(bound, audit.unseen, VISIT_FRAMES)
    print(f"share {shares / STUDIES:.3f}, visits {visits / STUDIES:.3f}")
    assert shares / STUDIES >= LEVEL
    assert visits / STUDIES >= LEVEL


def test_drawing_on_costs_little_even_where_it_costs_most() -> None:
    """Of a share at which one sample is wrong in 5 of 100 audits, who draws up to three is wrong in fewer than 6."""
    share, random = upper_bound(0, SAMPLE_FRAMES) + 1e-6, np.random.default_rng(7)
    wrong = 0
    for positives in random.binomial(SAMPLE_FRAMES, share, (40_000, 3)).cumsum(axis=1):
        samples = 1 + (positives[0] > 0) + (positives[0] > 0 and positives[1] > 0)
        wrong += upper_bound(int(positives[samples - 1]), samples * SAMPLE_FRAMES, level(samples)) < share
    print(f"wrong {wrong / 40_000:.3f}")
    assert 0.045 < wrong / 40_000 < 0.06


def test_the_bound_holds_for_rare_lesions_in_parts_of_the_sample() -> None:
    """With few frames of few visits, where chance plays most, and where the reader stopped after a third."""
    random, held = np.random.default_rng(5), 0
    for number in range(STUDIES):
        shows = np.zeros(10_000, bool)
        for start in random.integers(0, 9_900, random.integers(1, 20)):
            shows[start : start + random.integers(1, 100)] = True
        drawn = draw_sample(np.arange(10_000), SAMPLE_FRAMES, number)[:100]
        held += bool(shows.mean() <= upper_bound(int(np.count_nonzero(shows[drawn])), 100))
    print(f"rare {held / STUDIES:.3f}")
    assert held / STUDIES >= LEVEL
