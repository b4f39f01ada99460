"""Thresholds that a stated share of normal frames reaches."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.metrics.operating_points import RATES, measured_rates, operating_points, sensitivities, threshold_at
from training.metrics.within_source import SourcedFrames

NAMES = ("normal", "erosion", "worms")


def slow_threshold(scores: NDArray[np.float32], rate: float) -> float | None:
    """Tries every score, and what lies just above it, from below."""
    known = [score for score in scores if not np.isnan(score)]
    if len(known) < round(1 / rate):
        return None
    for threshold in sorted(np.nextafter(score, np.float32(2)) for score in known):
        reached = sum(score >= threshold for score in known)
        if (reached + 1) / (len(known) + 1) <= rate + 1e-9 and threshold <= 1:
            return float(threshold)
    return None


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("digits", [1, 2, 7])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 19, 20, 99, 100, 101, 250])
def test_thresholds_are_those_of_a_slow_search(count: int, digits: int, rate: float) -> None:
    rng = np.random.default_rng([count, digits])
    scores = rng.random(count).round(digits).astype(np.float32)
    scores[rng.random(count) < 0.1] = np.nan
    assert threshold_at(scores, rate) == slow_threshold(scores, rate)


def test_a_new_normal_frame_reaches_a_threshold_as_rarely_as_stated() -> None:
    rng = np.random.default_rng(0)
    reached = []
    for _ in range(400):
        threshold = threshold_at(rng.beta(1, 4, 119).astype(np.float32), 0.05)
        assert threshold is not None
        reached.append((rng.beta(1, 4, 100) >= threshold).mean())
    assert np.mean(reached) == pytest.approx(0.05, abs=0.005)


def test_ties_at_the_highest_score_have_no_threshold() -> None:
    scores = np.repeat(np.array([1.0, 0.25], np.float32), [20, 80])
    assert threshold_at(scores, 0.1) is None
    assert threshold_at(scores[15:], 0.1) == np.nextafter(np.float32(0.25), np.float32(1))
    assert threshold_at(np.full(50, np.nan, np.float32), 0.1) is None


def two_sources() -> tuple[SourcedFrames, NDArray[np.float32]]:
    """Normal frames of Y score higher than those of X; Z has five. Of worms there are no frames."""
    source = np.repeat(["X", "Y", "Z", ""], [120, 120, 5, 30])
    labels = np.zeros(len(source), np.int64)
    labels[::4] = 1
    patients = np.array([f"{name}{k % 6}" for k, name in enumerate(source.tolist())])
    erosion = np.random.default_rng(1).random(len(source)) * 0.4 + np.where(source == "Y", 0.5, 0.0)
    scores = np.stack([1 - erosion, erosion, np.full(len(source), 0.45)], axis=1).astype(np.float32)
    return SourcedFrames(NAMES, labels, source.astype(np.str_), patients), scores


def test_each_source_has_thresholds_of_its_own() -> None:
    frames, scores = two_sources()
    points = operating_points(frames, scores)
    entries = {entry["source"]: entry for entry in points["sources"]}
    assert list(entries) == ["X", "Y", "Z", None]
    x, y, z, pooled = entries.values()
    assert (x["normal_frames"], x["normal_patients"]) == (90, 6)
    assert set(x["thresholds"]["erosion"]) == {"0.02", "0.05", "0.1"}, "90 frames do not say what 1 % of them would be"
    assert set(pooled["thresholds"]["erosion"]) == {"0.005", "0.01", "0.02", "0.05", "0.1"}
    assert x["thresholds"]["erosion"]["0.1"] < 0.41 < 0.5 < y["thresholds"]["erosion"]["0.1"]
    assert x["thresholds"]["any"]["0.1"] == pytest.approx(0.45), "the highest score of all findings"
    assert z["thresholds"] == {"erosion": {}, "worms": {}, "any": {}}
    assert "X (90 frames, 6 patients) and Y (90 frames, 6 patients). For other sources" in points["sentence"]
    assert "too few of them from Z (" in points["sentence"]
    assert "rough" not in points["sentence"]
    patients = np.where(frames.sources == "X", "P", frames.patients)
    rough = operating_points(SourcedFrames(NAMES, frames.labels, frames.sources, patients), scores)
    assert "Of fewer than 5 patients they are rough" in rough["sentence"]


def test_without_sources_all_frames_are_together() -> None:
    frames, scores = two_sources()
    unknown = SourcedFrames(NAMES, frames.labels, np.full(len(scores), ""), frames.patients)
    points = operating_points(unknown, scores)
    assert [entry["source"] for entry in points["sources"]] == [None]
    assert "without regard to their source" in points["sentence"]
    few = SourcedFrames(NAMES, frames.labels[:8], unknown.sources[:8], frames.patients[:8])
    assert operating_points(few, scores[:8])["sentence"].startswith("There are too few held-out normal frames")


def test_nothing_is_said_without_normal_frames_or_findings() -> None:
    frames, scores = two_sources()
    ill = frames.labels == 1
    no_normal = SourcedFrames(NAMES, frames.labels[ill], frames.sources[ill], frames.patients[ill])
    assert operating_points(no_normal, scores[ill]) == {}
    fold = np.arange(len(scores)) % 3
    assert measured_rates(no_normal, [scores[ill]], fold[ill]) == {}
    only = SourcedFrames(NAMES[:1], np.zeros(len(scores), np.int64), frames.sources, frames.patients)
    assert all(entry["thresholds"] == {} for entry in operating_points(only, scores[:, :1])["sources"])
    assert measured_rates(only, [scores[:, :1]], fold) == {}
    assert measured_rates(frames, [], fold) == {}


def test_a_rate_is_measured_on_the_fold_that_gave_no_threshold() -> None:
    frames, scores = two_sources()
    fold = np.unique(frames.patients, return_inverse=True)[1] % 3
    measured = measured_rates(frames, [scores, scores], fold, 200)
    rows = {(row["class"], row["source"], row["rate"]): row for row in measured["rows"]}
    assert {source for _, source, _ in rows} == {"X", "Y"}, "Z has too few"
    row = rows["erosion", "X", 0.1]
    mine = (frames.sources == "X") & (frames.labels == 0)
    track, number = scores[mine, 1], fold[mine]
    reached = [(track[number == k] >= threshold_at(track[number != k], 0.1)) for k in range(3)]
    assert row["measured"] == pytest.approx(np.concatenate(reached).mean())
    assert row["folds"] == pytest.approx([part.mean() for part in reached])
    assert row["low"] <= row["measured"] <= row["high"]
    assert row["normal_patients"] == 6
    assert ("erosion", "X", 0.01) not in rows
    assert measured["sentence"].startswith("Thresholds met their rate within a factor of two: 2 % in ")
    assert measured == measured_rates(frames, [scores], fold, 200), "two equal seeds say what one says"


def test_frames_of_few_patients_have_no_interval() -> None:
    frames, scores = two_sources()
    alone = SourcedFrames(NAMES, frames.labels, np.full(len(scores), ""), np.full(len(scores), "P"))
    row = measured_rates(alone, [scores], np.arange(len(scores)) % 2)["rows"][0]
    assert (row["source"], row["low"], row["high"], row["normal_patients"]) == (None, None, None, 1)


def test_sensitivities_are_those_of_a_slow_leave_one_patient_out() -> None:
    rng = np.random.default_rng(3)
    labels = rng.choice([0, 1], 900, p=[0.7, 0.3]).astype(np.int64)
    patients = np.array([f"P{k}" for k in rng.integers(0, 6, 900)])
    erosion = np.clip(rng.normal(0.3 + 0.3 * labels, 0.1), 0, 1).astype(np.float32)
    frames = SourcedFrames(NAMES, labels, np.full(900, "X"), patients)
    flagged = []
    for row in range(900):
        others = [erosion[k] for k in range(900) if labels[k] == 0 and patients[k] != patients[row]]
        threshold = slow_threshold(np.array(others, np.float32), 0.02)
        flagged.append(threshold is not None and float(erosion[row]) >= threshold)
    figures = sensitivities(frames, np.stack([1 - erosion, erosion, erosion], axis=1), "X", 0.02)
    assert set(figures) == {"erosion"}, "there are no worms"
    row_of = figures["erosion"]
    ill = labels == 1
    assert (row_of["frames"], row_of["patients"]) == (int(ill.sum()), 6)
    assert row_of["sensitivity"] == pytest.approx(np.mean(np.array(flagged)[ill]))
    assert row_of["normal_reached"] == pytest.approx(np.mean(np.array(flagged)[~ill]))
    assert row_of["low"] < row_of["sensitivity"] < row_of["high"]
    assert sensitivities(frames, np.zeros((900, 3), np.float32), "Y") == {}
    alone = SourcedFrames(NAMES, labels, frames.sources, np.full(900, "P"))
    assert sensitivities(alone, np.zeros((900, 3), np.float32), "X") == {}, "no other patient sets a threshold"
