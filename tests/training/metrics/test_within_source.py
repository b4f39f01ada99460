"""Each class against the normal frames of its own source."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.metrics.within_source import (
    SourcedFrames,
    mean_auc_draws,
    within_source_figures,
    within_source_sentence,
)

NAMES = ("normal", "erosion", "worms")


def looks_of_the_source() -> tuple[SourcedFrames, NDArray[np.float64]]:
    """Erosion is common in X, normal in Y; the score says how X looks and nothing else. Worms are from Z only."""
    rng = np.random.default_rng(0)
    rows = [("X", 1, 90), ("X", 0, 30), ("Y", 1, 30), ("Y", 0, 300), ("Z", 2, 10)]
    source = np.concatenate([[name] * count for name, _, count in rows])
    labels = np.concatenate([[label] * count for _, label, count in rows]).astype(np.int64)
    patients = np.array([f"{name}{k % 6}" for k, name in enumerate(source.tolist())])
    erosion = rng.random(len(labels)) * 0.3 + np.where(source == "X", 0.5, 0.1)
    worms = np.where(source == "Z", 0.2, 0.05)
    scores = np.stack([1 - erosion - worms, erosion, worms], axis=1)
    return SourcedFrames(NAMES, labels, source.astype(np.str_), patients), scores


def test_a_score_that_only_knows_the_source_is_chance_within_it() -> None:
    frames, scores = looks_of_the_source()
    figures = within_source_figures(frames, [scores], 200)
    erosion = figures["classes"]["erosion"]
    assert set(erosion["sources"]) == {"X", "Y"}
    for row in erosion["sources"].values():
        assert row["auc"] == pytest.approx(0.5, abs=0.15)
        assert row["low"] < row["auc"] < row["high"]
    assert erosion["sources"]["X"]["frames"] == 90
    assert erosion["sources"]["Y"]["normal_frames"] == 300
    assert erosion["sources"]["Y"]["normal_patients"] == 6
    mean = np.mean([row["auc"] for row in erosion["sources"].values()])
    assert erosion["mean"] == figures["mean"] == pytest.approx(mean)
    assert erosion["low"] < mean < erosion["high"]
    assert figures["by_source"]["X"]["mean"] == erosion["sources"]["X"]["auc"]
    assert set(figures["by_source"]) == {"X", "Y"}


def test_a_class_without_normal_frames_in_its_source_has_no_figure() -> None:
    frames, scores = looks_of_the_source()
    figures = within_source_figures(frames, [scores], 10)
    assert figures["classes"]["worms"] == {"sources": {}, "mean": None, "low": None, "high": None}
    assert figures["notes"] == []
    alone = frames.sources == "Z"
    only = SourcedFrames(NAMES, frames.labels[alone], frames.sources[alone], frames.patients[alone])
    figures = within_source_figures(only, [scores[alone]], 0)
    assert figures["mean"] is None
    assert within_source_sentence(figures) == ""


def test_one_patient_has_no_interval() -> None:
    frames, scores = looks_of_the_source()
    patients = np.where((frames.labels == 1) & (frames.sources == "X"), "X0", frames.patients)
    figures = within_source_figures(SourcedFrames(NAMES, frames.labels, frames.sources, patients), [scores], 50)
    row = figures["classes"]["erosion"]["sources"]["X"]
    assert (row["low"], row["high"], row["patients"]) == (None, None, 1)
    assert figures["notes"] == ["Erosion from X: too few patients for an interval (1 with it, 6 with normal frames)."]


def test_without_sources_there_is_nothing_and_frames_of_unknown_source_take_no_part() -> None:
    frames, scores = looks_of_the_source()
    nothing = SourcedFrames(NAMES, frames.labels, np.full(len(frames.labels), ""), frames.patients)
    assert within_source_figures(nothing, [scores]) == {}
    assert within_source_sentence({}) == ""
    some = np.where(frames.sources == "X", frames.sources, "")
    figures = within_source_figures(SourcedFrames(NAMES, frames.labels, some, frames.patients), [scores], 0)
    assert list(figures["classes"]["erosion"]["sources"]) == ["X"]
    assert figures["notes"] == ["340 frames have no source and are in none of these figures."]


def test_seeds_are_averaged_and_the_sentence_names_each_source() -> None:
    frames, scores = looks_of_the_source()
    perfect = scores.copy()
    perfect[:, 1] = frames.labels == 1
    figures = within_source_figures(frames, [scores, perfect], 0)
    alone = within_source_figures(frames, [scores], 0)
    for source in "XY":
        both, first = (each["classes"]["erosion"]["sources"][source]["auc"] for each in (figures, alone))
        assert both == pytest.approx((1 + first) / 2)
    sentence = within_source_sentence(figures)
    assert sentence.startswith(f"AUC against normal frames of the same source: mean {figures['mean']:.3f}; erosion X ")


def test_folds_that_learned_opposite_looks_are_not_compared_with_each_other() -> None:
    """In each fold the ranking is perfect, and the scores of the second fold are all higher."""
    labels = np.array([1, 0, 1, 0])
    fold = np.array([0, 0, 1, 1])
    scores = np.array([[0.7, 0.3], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8]])
    patients = np.array(list("abcd"))
    frames = SourcedFrames(("normal", "erosion"), labels, np.full(4, "X"), patients)
    assert within_source_figures(frames, [scores], 0, fold=fold)["mean"] == 1.0
    assert within_source_figures(frames, [scores], 0)["mean"] == 0.75
    apart = SourcedFrames(("normal", "erosion"), np.array([1, 1, 0, 0]), np.full(4, "X"), patients)
    figures = within_source_figures(apart, [scores], 20, fold=fold)
    assert figures["mean"] is None
    assert figures["classes"]["erosion"]["sources"]["X"]["auc"] is None
    assert within_source_sentence(figures) == ""


def test_the_draws_of_the_mean_are_those_of_the_figures() -> None:
    rng = np.random.default_rng(4)
    labels = np.tile([0, 1, 2], 40)
    sources = np.repeat(["A", "B"], 60)
    patients = np.array([f"{sources[at]}{at // 10}" for at in range(120)])
    frames = SourcedFrames(("normal", "blood", "polyp"), labels, sources, patients)
    tracks = [rng.random((120, 3)) for _ in range(2)]
    draws = mean_auc_draws(frames, tracks, 100, 3)
    figures = within_source_figures(frames, tracks, 100, 3)
    assert draws[0] == pytest.approx(figures["mean"])
    assert np.quantile(draws[1:], (0.025, 0.975)) == pytest.approx((figures["low"], figures["high"]))
    none = SourcedFrames(("normal", "blood"), np.zeros(4, np.int64), np.full(4, "A"), np.array(list("pqrs")))
    assert np.isnan(mean_auc_draws(none, [np.zeros((4, 2))], 10)[0])
