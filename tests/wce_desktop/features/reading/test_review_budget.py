"""The review budget: read from a report, never more than was measured; the threshold that shows the top frames."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.wce_desktop.sessions import add_study, make_session, open_study
from wce_desktop.features.reading.review_budget import (
    budget_of,
    highest_scores,
    read_budget,
    threshold_of_top,
)

REPORT: dict[str, Any] = {
    "folds": 5,
    "review_budget": {
        "patients": 12,
        "rows": [
            {"share": 0.05, "frame_sensitivity": 0.9, "finding_sensitivity": 1.0},
            {"share": 0.01, "frame_sensitivity": 0.61, "finding_sensitivity": 0.84},
            {"share": 0.02, "frame_sensitivity": 0.7, "finding_sensitivity": None},
        ],
    },
}


def test_a_budget_never_promises_more_than_was_measured() -> None:
    budget = read_budget(REPORT)
    assert budget is not None
    assert budget.at(0.005) is None
    assert [budget.at(share).share for share in (0.01, 0.019, 0.05, 0.5)] == [0.01, 0.01, 0.05, 0.05]  # type: ignore[union-attr]
    assert budget.sentence(0.015) == (
        "The top 1 % held 84 % of the findings and 61 % of the frames with a finding (cross-validation, 12 patients)."
    )
    assert (
        budget.sentence(0.02) == "The top 2 % held 70 % of the frames with a finding (cross-validation, 12 patients)."
    )
    assert budget.sentence(0.001) == "Cross-validation did not measure shares below 1 %."


def test_few_patients_are_told() -> None:
    budget = read_budget({"review_budget": {**REPORT["review_budget"], "patients": 3}})
    assert budget is not None
    assert budget.sentence(0.01).endswith("(cross-validation, 3 patients). Too few patients for a reliable estimate.")
    budget = read_budget({"review_budget": {**REPORT["review_budget"], "median_frames": 60.0}})
    assert budget is not None
    assert budget.sentence(0.01).endswith("Too few labelled frames for a reliable estimate: 60 a study.")
    assert budget.sentence(0.05).endswith("(cross-validation, 12 patients).")


@pytest.mark.parametrize(
    "report",
    [
        {},
        {"review_budget": None},
        {"review_budget": {"patients": 3, "rows": []}},
        {"review_budget": {"patients": 3, "rows": [{"share": "many"}]}},
        {"review_budget": {"rows": [{"share": 0.1}]}},
    ],
)
def test_a_report_without_a_budget_gives_none(report: dict[str, Any]) -> None:
    assert read_budget(report) is None


def test_the_newest_finished_cross_validation_of_this_model_counts(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    model = session.current_model
    assert model is not None
    assert budget_of(session.library, model) is None
    for number, (state, patients) in enumerate((("done", 7), ("done", 12), ("failed", 9))):
        run = session.library.runs.add(f"Cross-validation {number}", base_model_id="m1", kind="evaluate")
        report = {"review_budget": {**REPORT["review_budget"], "patients": patients}}
        (run.folder / "report.json").write_text(json.dumps(report), "utf-8")
        session.library.runs.finish(run.run_id, state, {})  # type: ignore[arg-type]
    other = session.library.runs.add("Another model's", base_model_id="m2", kind="evaluate")
    (other.folder / "report.json").write_text(json.dumps(REPORT), "utf-8")
    session.library.runs.finish(other.run_id, "done", {})
    budget = budget_of(session.library, model)
    assert budget is not None
    assert budget.patients == 12
    session.library.close()


def test_the_top_frames_are_those_with_the_highest_score_of_any_class(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    open_study(session, add_study(session, tmp_path))
    reading = session.reading
    assert reading is not None
    assert np.isnan(highest_scores(reading)[50])
    for share, count in ((1 / 59, 1), (2 / 59, 2), (5 / 59, 5), (6 / 59, 6), (0.0001, 1)):
        threshold = threshold_of_top(reading, share)
        assert threshold is not None
        session.scores.set_threshold(threshold)
        assert reading.flags.flagged().sum() == count
    assert threshold_of_top(reading, 1.0) == pytest.approx(0.1)
    assert reading.flags.embeddings is not None
    reading.flags.embeddings.close()
    reading.flags.set_scores(None, None)
    assert threshold_of_top(reading, 0.1) is None
    session.close_study()
    session.library.close()
