"""Figures of a table: intervals over groups, misses, and which frames a row is about."""

from typing import Any

import numpy as np
import pytest

from training.experiments.explanations.config import EvaluateExplanationsConfig, Way
from training.experiments.explanations.figures import area, figures, over_groups, table
from training.experiments.explanations.frame_evaluation import EvaluatedFrame, EvaluatedOverlay


def config(**changes: Any) -> EvaluateExplanationsConfig:
    """Settings without files."""
    given: dict[str, Any] = {"images": "i", "labels": "l", "boxes": "b", "out": "o", "folds": 2, "bootstraps": 200}
    return EvaluateExplanationsConfig(**(given | changes))


def evaluated(name: str, hit: float | None, **changes: Any) -> EvaluatedOverlay:
    """One map."""
    told: dict[str, Any] = {"group": name[0], "explain": "cam", "sampled": False, "recognised": True, "kind": "blood"}
    told |= {"iou": 0.5, "curve": None} | changes
    frame = EvaluatedFrame(
        name, told["group"], 0, told["kind"], "blood", 0.9, told["recognised"], told["sampled"], 0.25, "m"
    )
    way: Way = told["explain"]
    shares = {0.2: 0.1, 0.5: told["iou"]}
    return EvaluatedOverlay(frame, way, np.ones((2, 2), np.float32), hit, None, shares, told["curve"], told["curve"])


def test_a_map_that_shows_nothing_is_a_miss_and_counted() -> None:
    found = figures(config(), [evaluated("a1", 1.0), evaluated("a2", None), evaluated("b1", 0.0), evaluated("b2", 1.0)])
    assert found["pointing"]["value"] == 0.5
    assert found["empty"] == 1
    assert found["over_chance"]["value"] == 0.25
    assert found["chance"]["value"] == 0.25


def test_every_group_once_beside_every_frame_once() -> None:
    mine = [evaluated(f"a{k}", 1.0) for k in range(9)] + [evaluated("b0", 0.0)]
    found = figures(config(), mine)["pointing"]
    assert found["value"] == 0.9
    assert found["group_mean"] == 0.5
    assert (found["low"], found["high"]) == (0.0, 1.0)  # either group may be all that is drawn


def test_the_interval_is_that_of_drawing_groups_one_by_one() -> None:
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 12, 80).astype(str)
    values = rng.random(80)
    found = over_groups(values, groups, 4000, seed=1)
    names, slow = np.unique(groups), []
    for _ in range(4000):
        drawn = rng.choice(names, len(names))
        slow.append(np.concatenate([values[groups == name] for name in drawn]).mean())
    assert found["low"] == pytest.approx(np.percentile(slow, 2.5), abs=0.02)
    assert found["high"] == pytest.approx(np.percentile(slow, 97.5), abs=0.02)


def test_one_group_has_no_interval() -> None:
    found = over_groups(np.array([0.0, 1.0]), np.array(["a", "a"]), 100, seed=0)
    assert (found["value"], found["low"], found["high"]) == (0.5, None, None)


def test_iou_counts_at_its_threshold() -> None:
    found = figures(config(), [evaluated("a", 1.0, iou=0.5), evaluated("b", 1.0, iou=0.29)])
    assert found["iou"]["value"] == pytest.approx(0.395)
    assert (found["iou_at_30"]["value"], found["iou_at_50"]["value"]) == (0.5, 0.5)
    assert found["iou_by_threshold"] == {"0.2": pytest.approx(0.1), "0.5": pytest.approx(0.395)}


def test_a_way_that_was_tried_on_the_sample_has_no_row_for_all_frames() -> None:
    curve = [1.0, 0.0]
    mine = [evaluated("a", 1.0), evaluated("b", 0.0, sampled=True, recognised=False, curve=curve)]
    mine.append(evaluated("b", 1.0, sampled=True, recognised=False, explain="score-cam", curve=curve))
    found = table(config(explain=("cam", "score-cam")), mine)
    assert {subset: sorted(rows) for subset, rows in found.items()} == {
        "all": ["cam"],
        "all recognised": ["cam"],
        "sample": ["cam", "score-cam"],
        "sample recognised": [],
    }
    assert found["all"]["cam"]["frames"] == 2
    assert "deletion" not in found["all"]["cam"]
    assert found["sample"]["score-cam"]["deletion"]["value"] == 0.5


def test_the_area_of_a_straight_line() -> None:
    assert area([1.0, 0.75, 0.5]) == pytest.approx(0.75)
