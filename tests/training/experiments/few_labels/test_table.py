"""Figures over splits and draws."""

import numpy as np
import pytest

from training.experiments.engine import interval
from training.experiments.few_labels.config import FewLabelsConfig
from training.experiments.few_labels.table import make_report, text_table

CONFIG = FewLabelsConfig.checked(
    images="images", labels="labels.csv", out="out", rows=("imagenet:linear",), counts=(40,)
)


def cell(split: int, draw: int, auc: float, sensitivity: float = 0.5) -> dict[str, object]:
    """A finished training."""
    return {
        "row": "imagenet:linear", "count": 40, "split": split, "draw": draw, "auc": auc, "sensitivity": sensitivity,
        "labels": 40, "seconds": 2.0,
    }  # fmt: skip


def test_a_draw_is_the_mean_over_the_splits() -> None:
    report = make_report(CONFIG, [cell(0, 0, 0.9), cell(1, 0, 0.7), cell(0, 1, 1.0), cell(1, 1, 0.8)], 4)
    (row,) = report["rows"]
    assert row["auc"]["mean"] == pytest.approx(0.85)
    assert row["auc"]["deviation"] == pytest.approx(np.std([0.8, 0.9], ddof=1))
    assert (row["auc"]["worst_draw"], row["auc"]["worst_training"]) == pytest.approx((0.8, 0.7))
    low, high = row["auc"]["interval"]
    assert 0.7 <= low < 0.85 < high <= 1.0
    assert report["finished"]
    assert "| imagenet:linear " in text_table(report)
    assert "0.850 [" in text_table(report)


def test_an_interval_needs_two_trainings_and_narrows_with_equal_ones() -> None:
    assert interval(np.array([[0.9]])) is None
    assert interval(np.full((3, 2), 0.9)) == pytest.approx((0.9, 0.9))


def test_a_draw_that_was_not_finished_is_left_out() -> None:
    report = make_report(CONFIG, [cell(0, 0, 0.9), cell(1, 0, 0.7), cell(0, 1, 0.1)], 4)
    assert report["rows"][0]["auc"]["mean"] == pytest.approx(0.8)
    assert (report["rows"][0]["trainings"], report["finished"]) == (2, False)


def test_rows_are_compared_with_the_first_one_split_by_split() -> None:
    config = FewLabelsConfig.checked(
        images="images", labels="labels.csv", out="out", rows=("imagenet:linear", "imagenet:tl-ba"), counts=(40,)
    )
    first = [cell(0, 0, 0.9), cell(1, 0, 0.7), cell(0, 1, 0.8), cell(1, 1, 0.6)]
    second = [{**each, "row": "imagenet:tl-ba", "auc": each["auc"] + gain} for each, gain in zip(  # type: ignore[operator]
        [*first, cell(0, 2, 0.5), cell(1, 2, 0.5)], (0.05, 0.05, 0.05, -0.03, 0.4, 0.4), strict=True
    )]  # fmt: skip
    one, other = make_report(config, [*first, *second], 10)["rows"]
    assert one["less_first"] is None
    assert other["less_first"]["mean"] == pytest.approx(0.03)  # the third draw has no first row
    assert other["less_first"]["higher"] == 3
    assert "+0.030 [" in text_table({"rows": [one, other]})
    assert make_report(config, [*first[:1], *second[:1]], 2)["rows"][1]["less_first"]["interval"] is None
    assert make_report(config, second, 5)["rows"][0]["less_first"] is None
