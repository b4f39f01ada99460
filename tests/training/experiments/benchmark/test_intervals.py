"""Intervals from drawing groups, and differences to a baseline on the same draws."""

import numpy as np
import pytest
from numpy.typing import NDArray

from training.experiments.benchmark.intervals import EvaluatedFrames, against_normal, intervals
from training.experiments.benchmark.page import interval_rows

GROUPS, EACH = 12, 10


def frames() -> EvaluatedFrames:
    """Of each group half normal, and the others of two classes."""
    labels = np.tile([0, 0, 0, 0, 0, 1, 1, 1, 2, 2], GROUPS)
    groups = np.repeat([f"g{number}" for number in range(GROUPS)], EACH)
    return EvaluatedFrames(("normal", "blood", "polyp"), labels, groups, np.full(len(labels), ""))


def scores(labels: NDArray[np.int64], strength: float, seed: int | list[int]) -> NDArray[np.float64]:
    """Random scores that favour the right class."""
    drawn = np.random.default_rng(seed).random((len(labels), 3)) + strength * np.eye(3)[labels]
    shares: NDArray[np.float64] = drawn / drawn.sum(axis=1, keepdims=True)
    return shares


def test_a_better_method_is_above_the_baseline_with_its_whole_interval() -> None:
    given = frames()
    strengths = {"imagenet": 0.0, "simclr": 0.8, "pirl": 0.0}
    made = {
        name: {seed: {"linear/1": scores(given.labels, each, [seed, len(name)])} for seed in range(4)}
        for name, each in strengths.items()
    }
    result = intervals(given, made, bootstraps=200)
    better, alike = (result[name]["linear/1"]["auc_normal"] for name in ("simclr", "pirl"))
    assert better["low"] <= better["value"] <= better["high"]
    assert better["less"]["baseline"] == "imagenet"
    assert better["less"]["low"] > 0.05
    assert alike["less"]["low"] < 0 < alike["less"]["high"]
    assert "less" not in result["imagenet"]["linear/1"]["accuracy"]
    hits = [(track["linear/1"].argmax(axis=1) == given.labels).mean() for track in made["simclr"].values()]
    assert result["simclr"]["linear/1"]["accuracy"]["value"] == pytest.approx(np.mean(hits))


def test_equal_scores_differ_by_nothing_in_every_draw() -> None:
    given = frames()
    same = {0: {"knn/projection": scores(given.labels, 0.3, 5)}}
    less = intervals(given, {"random": same, "pgcon": same}, bootstraps=50)["pgcon"]["knn/projection"]["accuracy"][
        "less"
    ]
    assert less == {"value": 0.0, "low": 0.0, "high": 0.0, "baseline": "random"}


def test_without_scores_there_are_no_intervals() -> None:
    assert intervals(frames(), {"random": {0: {}}}, bootstraps=10) == {}
    assert interval_rows({"methods": [{"name": "random", "intervals": {}}]}) == []


def test_each_class_is_compared_with_normal_alone() -> None:
    both = against_normal(np.array([[0.2, 0.6, 0.2], [0.0, 0.0, 1.0]]))
    assert both[0].tolist() == pytest.approx([0.5, 0.75, 0.5])
    assert both[1].tolist() == pytest.approx([0.5, 0.5, 1.0])
