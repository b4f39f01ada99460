"""Scores on one scale for all classes."""

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from training.metrics.operating_points import RATES, USUAL_RATE, threshold_at
from wce_desktop.core.rates import (
    FEWEST_ABOVE,
    FEWEST_FRAMES,
    HIGHEST,
    LOWEST,
    RateScale,
    Stated,
    origin_words,
    rate_at,
    scale_of,
    standard_score,
    threshold_text,
    thresholds_of_study,
)


def scores_of(count: int, digits: int = 7, seed: int = 0) -> NDArray[np.float32]:
    odds = np.random.default_rng(seed).normal(-5, 2, count)
    return (1 / (1 + np.exp(-odds))).round(digits).astype(np.float32)


def slow_standard(scale: RateScale, name: str, score: float) -> float:
    """One score at a time: a straight line in the log-odds between the two thresholds around it."""
    rising: dict[float, float] = {0.0: 0.0}
    for rate, threshold in sorted(scale.thresholds[name].items(), reverse=True):
        if standard_score(rate) > 0:
            rising[float(np.float32(threshold))] = standard_score(rate)
    rising[1.0] = 1.0

    def log_odds(value: float) -> float:
        inside = min(max(value, 1e-7), 1 - 1e-7)
        return math.log(inside / (1 - inside))

    knots = list(rising.items())
    for (low, at), (high, to) in itertools.pairwise(knots):
        if low <= score < high:
            return at + (to - at) * (log_odds(score) - log_odds(low)) / (log_odds(high) - log_odds(low))
    return 1.0


@pytest.mark.parametrize("digits", [2, 7])
@pytest.mark.parametrize("count", [1000, 5000])
def test_standard_scores_are_those_of_a_slow_reference(count: int, digits: int) -> None:
    scores = scores_of(count, digits)
    scale = scale_of(Stated({}), {"polyp": scores})
    assert scale is not None
    standard = scale.apply("polyp", scores)
    assert standard == pytest.approx([slow_standard(scale, "polyp", float(score)) for score in scores], abs=1e-5)
    assert np.all(np.diff(standard[np.argsort(scores)]) >= 0)
    assert (standard.min() >= 0) & (standard.max() <= 1)


@pytest.mark.parametrize("digits", [2, 7])
def test_a_frame_reaches_a_rate_exactly_where_its_score_reaches_the_threshold(digits: int) -> None:
    scores = scores_of(4000, digits)
    scale = scale_of(Stated({}), {"polyp": scores})
    assert scale is not None
    for rate, threshold in scale.thresholds["polyp"].items():
        if standard_score(rate) > 0:
            flagged = scale.apply("polyp", scores) >= np.float32(standard_score(rate))
            assert np.array_equal(flagged, scores >= np.float32(threshold)), rate
            assert scale.score_at("polyp", standard_score(rate)) <= threshold
            assert scale.apply("polyp", np.array([scale.score_at("polyp", 0.37)], np.float32)) == pytest.approx(0.37)


def test_a_rate_and_its_standard_score_belong_together() -> None:
    assert (standard_score(0.05), standard_score(0.005), standard_score(0.0005)) == pytest.approx(
        (LOWEST, 0.5, HIGHEST)
    )
    for rate in RATES:
        assert rate_at(standard_score(rate)) == pytest.approx(rate)


def test_frames_without_a_score_stay_without_one() -> None:
    scores = scores_of(2000)
    scores[::7] = np.nan
    scale = scale_of(Stated({}), {"polyp": scores})
    assert scale is not None
    assert np.array_equal(np.isnan(scale.apply("polyp", scores)), np.isnan(scores))
    assert scale.thresholds["polyp"] == thresholds_of_study(scores[~np.isnan(scores)])


def test_a_study_with_lesions_has_nearly_the_thresholds_of_its_normal_frames() -> None:
    normal = scores_of(20_000)
    lesions = np.full(200, 0.99, np.float32)
    own, with_lesions = thresholds_of_study(normal), thresholds_of_study(np.concatenate([normal, lesions]))
    assert own[0.1] == threshold_at(normal, 0.1)
    for rate in (0.005,):
        reached = [float((normal >= table[rate]).mean()) for table in (own, with_lesions)]
        assert reached[0] == pytest.approx(rate, rel=0.6)
        assert 0 < reached[1] <= reached[0]
        naive = threshold_at(np.concatenate([normal, lesions]), rate)
        assert naive is not None
        assert (normal >= naive).mean() == 0, "the lesions alone are more than this share"
    assert list(own.values()) == sorted(own.values(), reverse=True)
    flat = np.repeat(np.array([0.25, 0.5], np.float32), [1900, 100])
    assert min(thresholds_of_study(flat).values()) > 0.25, "equal scores are not all flagged"


def test_a_card_counts_before_the_study_where_it_reaches_five_in_a_thousand() -> None:
    tracks = {"normal": scores_of(2000), "polyp": scores_of(2000), "blood": scores_of(2000, seed=1)}
    stated = {"polyp": {0.005: 0.3, 0.01: 0.2}, "blood": {0.1: 0.2}}
    scale = scale_of(Stated(stated), tracks)
    assert scale is not None
    assert scale.thresholds["polyp"] == stated["polyp"]
    assert scale.thresholds["blood"] == thresholds_of_study(tracks["blood"])
    assert "normal" not in scale.thresholds
    assert scale.origin == "study"
    assert scale_of(Stated({"polyp": stated["polyp"]}), {"polyp": tracks["polyp"]}) == RateScale(
        {"polyp": stated["polyp"]}, "held-out"
    )
    few = {name: track[: FEWEST_FRAMES - 1] for name, track in tracks.items()}
    assert scale_of(Stated({}), few) is None, "they cannot state a rate"
    assert scale_of(Stated({"blood": {0.1: 0.2}}), few) is None, "nor can so few held-out frames"
    scores = scores_of(10)
    assert RateScale({"polyp": {}}, "study").apply("polyp", scores) is scores


def test_thresholds_are_written_as_rates() -> None:
    scale = RateScale({"polyp": {0.005: 0.3}}, "study")
    assert threshold_text(0.5, scale) == "5 per 1,000"
    assert threshold_text(0.5, scale, is_short=True) == "5 ‰"
    assert threshold_text(HIGHEST, scale) == "0.5 per 1,000"
    assert threshold_text(1.0, scale) == "<0.5 per 1,000"
    assert threshold_text(0.0, scale) == ">50 per 1,000"
    assert threshold_text(0.62, scale) == "2.5 per 1,000"
    assert threshold_text(0.62, None) == "0.62"


def test_the_words_say_which_frames_gave_the_thresholds() -> None:
    tracks = {"polyp": scores_of(2000)}
    scale = scale_of(Stated({"polyp": {0.005: 0.3}}, 1240, 3), tracks)
    assert scale is not None
    assert scale.origin == "library"
    assert origin_words(scale).endswith("from 1,240 confirmed normal frames of 3 studies of this library.")
    assert "training did not see" in origin_words(RateScale({}, "held-out"))
    assert "estimated from this study" in origin_words(scale_of(Stated({}), tracks))
    assert origin_words(None).startswith("A score.")


def test_so_few_frames_above_that_twice_the_rate_is_rare() -> None:
    mean = 2 * FEWEST_FRAMES * USUAL_RATE
    fewer = sum(math.exp(-mean) * mean**count / math.factorial(count) for count in range(FEWEST_ABOVE))
    assert fewer < 0.03
    assert FEWEST_FRAMES == 1000
