"""The verdict: which differences count, and what is said first."""

from typing import Any

import pytest

from training.metrics.figures import is_lost, verdict


def row(auc: float | None, sensitivity: float | None, positives: int = 40, patients: int = 8) -> dict[str, Any]:
    return {
        "auc": auc,
        "sensitivity_at": {"0.95": sensitivity},
        "positives": positives,
        "patients_with_positives": patients,
    }


def told(old: dict[str, dict[str, Any]], new: dict[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    first = next(iter(new))
    together = {"old": old[first], "new": new[first]}
    return {"classes": list(new), "old": old, "new": new, "any": together, "split": "patients", **more}


UP = {"auc": [0.02, 0.2], "sensitivity": [-0.1, 0.4]}
DOWN = {"auc": [-0.2, -0.02], "sensitivity": [-0.4, 0.1]}
NONE = {"auc": [-0.02, 0.02], "sensitivity": [-0.1, 0.1]}
GOOD, MIDDLING = row(0.95, 0.9), row(0.9, 0.85)


@pytest.mark.parametrize(
    ("intervals", "kind", "sentence"),
    [
        ({"blood": UP, "polyp": NONE}, "better", "Better for blood, the same otherwise."),
        ({"blood": UP}, "better", "Better for blood; not enough patients to evaluate polyp."),
        ({"blood": NONE, "polyp": NONE}, "same", "The same for blood and polyp."),
        ({"polyp": NONE}, "same", "The same for polyp; not enough patients to evaluate blood."),
        ({"blood": UP, "polyp": DOWN}, "worse", "Worse: AUC for polyp fell from 0.95 to 0.90. Better for blood."),
    ],
)
def test_each_class_is_judged_by_its_interval(intervals: dict[str, Any], kind: str, sentence: str) -> None:
    comparison = told({"blood": MIDDLING, "polyp": GOOD}, {"blood": GOOD, "polyp": row(0.9, 0.9)}, intervals=intervals)
    assert verdict(comparison) == {"kind": kind, "sentence": sentence}


def test_a_clear_loss_counts_with_few_patients_and_a_rise_does_not() -> None:
    few = {"patients": 2}
    comparison = told({"polyp": row(0.99, 0.95, **few)}, {"polyp": row(0.8, 0.2, **few)})
    assert verdict(comparison) == {"kind": "worse", "sentence": "Worse: sensitivity for polyp fell from 0.95 to 0.20."}
    reverse = told({"polyp": row(0.8, 0.2, **few)}, {"polyp": row(0.99, 0.95, **few)})
    assert verdict(reverse)["sentence"] == "Cannot be told: only 2 patients with a finding were held out."


def test_a_fall_on_a_handful_of_frames_is_no_clear_loss() -> None:
    comparison = told({"polyp": row(0.9, 0.9, 12)}, {"polyp": row(0.85, 0.6, 12)})
    assert verdict(comparison)["kind"] == "unknown"


def test_a_difference_that_is_sure_and_tiny_is_none() -> None:
    sure = {"auc": [0.001, 0.003], "sensitivity": [0.0, 0.0]}
    comparison = told({"polyp": row(0.98, 0.9)}, {"polyp": row(0.982, 0.9)}, intervals={"polyp": sure})
    assert verdict(comparison)["kind"] == "same"


def test_a_class_without_labels_that_lost_its_flags_is_named_first() -> None:
    unlabelled = {
        "angiectasia": {"frames": 900, "old_flagged": 96, "new_flagged": 0, "agreement": 0.1},
        "polyp": {"frames": 900, "old_flagged": 222, "new_flagged": 0, "agreement": 0.0},
        "ulcer": {"frames": 900, "old_flagged": 40, "new_flagged": 20, "agreement": None},
    }
    comparison = told({"blood": row(0.99, 0.9)}, {"blood": row(0.8, 0.5)}, unlabelled=unlabelled)
    assert verdict(comparison)["sentence"] == (
        "Worse: flags for polyp fell from 222 frames to 0; flags for angiectasia fell from 96 frames to 0; "
        "sensitivity for blood fell from 0.90 to 0.50."
    )


@pytest.mark.parametrize(("old", "new", "lost"), [(222, 0, True), (10, 5, False), (10, 4, True), (4, 0, False)])
def test_a_class_is_lost_when_less_than_half_of_its_flags_are_left(old: int, new: int, lost: bool) -> None:
    assert is_lost(old, new) == lost


def test_all_findings_together_decide_where_no_class_can_be_told() -> None:
    rows = {"blood": row(0.8, 0.7, patients=4), "polyp": row(0.8, 0.7, patients=4)}
    comparison = told(rows, rows, intervals={"any": UP})
    comparison["any"] = {"old": row(0.8, 0.7), "new": row(0.95, 0.9)}
    assert verdict(comparison)["sentence"] == "Better for all findings together."


def test_why_nothing_can_be_told() -> None:
    rows = {"polyp": row(0.9, 0.9)}
    assert verdict(told(rows, rows, split="time"))["sentence"] == "Cannot be told: no patient could be held out."
    assert verdict(told(rows, rows))["sentence"] == "Cannot be told: the models were compared by an older version."
