"""Calibration of a class's scores on patients that it was not fitted to."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from training.metrics.calibration import BINS, Platt, calibrated_by, calibration, expected_error
from training.metrics.within_source import SourcedFrames

Array = NDArray[Any]


def frames_of(patients: int = 12, each: int = 200, slope: float = 2.0, seed: int = 0) -> tuple[SourcedFrames, Array]:
    """Frames whose scores are too sure by `slope`: the class is on as many as half-hearted scores would say."""
    random = np.random.default_rng(seed)
    odds = random.normal(-1, 1.5, patients * each)
    labels = (random.random(len(odds)) < 1 / (1 + np.exp(-odds))).astype(np.int64)
    track = 1 / (1 + np.exp(-slope * (odds + 1)))
    people = np.repeat([f"P{number}" for number in range(patients)], each)
    frames = SourcedFrames(("normal", "polyp"), labels, np.full(len(odds), "X"), people)
    return frames, np.stack([1 - track, track], axis=1).astype(np.float32)


def slow_error(scores: Array, positive: Array) -> float:
    total = 0.0
    for low in range(BINS):
        mine = [k for k, score in enumerate(scores) if min(int(score * BINS), BINS - 1) == low]
        if mine:
            total += abs(sum(scores[k] for k in mine) - sum(positive[k] for k in mine))
    return total / len(scores)


def test_the_error_is_that_of_a_slow_reference() -> None:
    random = np.random.default_rng(1)
    scores, positive = np.append(random.random(300), [0, 1]), random.random(302) < 0.4
    assert expected_error(scores, positive) == pytest.approx(slow_error(scores, positive))


def test_scores_that_are_too_sure_come_right_and_keep_their_order() -> None:
    frames, scores = frames_of()
    row = calibration(frames, [scores])["classes"]["polyp"]
    assert row["slope"] == pytest.approx(0.5, abs=0.08)
    assert row["intercept"] == pytest.approx(-1, abs=0.15)
    assert row["error"] < 0.03 < row["error_before"]
    assert sum(count for *_, count in row["bins"]) == row["frames"] == 2400
    assert row["patients"] == 12
    platt = Platt(row["slope"], row["intercept"])
    rising = np.linspace(1e-4, 1 - 1e-4, 500)
    assert np.all(np.diff(platt.apply(rising)) > 0)
    assert np.isnan(platt.apply(np.array([np.nan]))[0])


def test_ranks_against_the_truth_still_rise_with_the_score() -> None:
    frames, scores = frames_of()
    row = calibration(frames, [1 - scores])["classes"]["polyp"]
    assert 0 < row["slope"] <= 0.01


def test_a_class_that_is_calibrated_keeps_its_scores() -> None:
    frames, _ = frames_of()
    # Of the labels nothing is known but their share, which every score says.
    track = np.full(len(frames.labels), frames.labels.mean(), np.float32)
    row = calibration(frames, [np.stack([1 - track, track], axis=1)])["classes"]["polyp"]
    assert (row["slope"], row["intercept"]) == (1.0, 0.0)
    assert row["error"] == row["error_before"]


def test_it_is_measured_on_other_patients() -> None:
    # One patient has all frames of the class: nobody else's frames say how to calibrate them.
    frames, scores = frames_of()
    alone = SourcedFrames(
        frames.names, np.where(frames.patients == "P0", frames.labels, 0), frames.sources, frames.patients
    )
    assert calibration(alone, [scores]) == {}


def test_a_fold_is_calibrated_by_the_others_and_seeds_count_alike() -> None:
    frames, scores = frames_of()
    fold = np.arange(len(frames.labels)) // 800
    one, two = (calibration(frames, tracks, fold)["classes"]["polyp"] for tracks in ([scores], [scores, scores]))
    assert one["error"] == pytest.approx(two["error"], abs=2e-3)
    assert one["frames"] == two["frames"]


def test_the_sentence_names_patients_and_sources() -> None:
    said = str(calibration(*frames_of()[:1], [frames_of()[1]])["sentence"])
    assert said.startswith(
        "Calibrated scores were measured on 12 held-out patients from X; expected calibration error: polyp 0.0"
    )


@pytest.mark.parametrize("row", [None, {}, {"slope": -1, "intercept": 0}, {"slope": "x", "intercept": 0}])
def test_a_card_that_says_nothing_usable_calibrates_nothing(row: object) -> None:
    assert calibrated_by({"calibration": {"classes": {"polyp": row}}}, "polyp") is None
    assert calibrated_by({}, "polyp") is None


def test_a_card_calibrates() -> None:
    card = {"calibration": {"classes": {"polyp": {"slope": 1.0, "intercept": 0.0}}}}
    platt = calibrated_by(card, "polyp")
    assert platt is not None
    assert platt.apply(np.array([0.25]))[0] == pytest.approx(0.25)
