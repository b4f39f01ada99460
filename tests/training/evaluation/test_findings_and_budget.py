"""Findings detected, the review budget, and the dataset report, on cases worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.evaluation.sets import evaluation_set_of, scores_of
from training.evaluation.evaluate_config import evaluate_config
from training.evaluation.findings_and_budget import (
    LAIZ_NOTE,
    SHARES,
    SIZES,
    budget_report,
    finding_report,
    flag_track,
    highest_scores,
    reviewed_at,
    size_of,
)
from training.evaluation.guidelines import guidelines
from training.evaluation.report import dataset_report

# Patient A: 20 normal frames (rows 0-19), two findings (20-23). Patient B: 20 normal (24-43), one finding (44, 45).
ROWS = [("A", 0, 20, 0), ("A", 20, 24, 1), ("B", 0, 20, 0), ("B", 20, 22, 1)]
FINDINGS = [("small", 4.0, "sessile", [20, 21]), ("big", 12.0, "sessile", [22, 23]), ("hidden", None, "", [44, 45])]
NORMAL = [k / 100 for k in range(20)]  # 0.00 to 0.19
A = scores_of(range(24), [*NORMAL, 0.05, 0.185, 0.9, 0.1], fold=0)
B = scores_of(range(24, 46), [*NORMAL, 0.15, 0.175], fold=1)


def test_a_finding_is_detected_when_one_frame_passes_its_own_folds_threshold() -> None:
    report = finding_report(evaluation_set_of(ROWS, FINDINGS), [A, B])
    # 95 % of 20: one normal frame may be flagged, so the threshold lies just above 0.18; 90 %: above 0.17; 80 %: 0.15.
    assert report["all"]["detected"] == {"0.95": pytest.approx(2 / 3), "0.90": 1.0, "0.80": 1.0}
    sizes = {row["size"]: row for row in report["by_size"]}
    assert list(sizes) == ["small (2-6 mm)", "large (12+ mm)", "not stated"]
    assert sizes["not stated"]["detected"]["0.95"] == 0.0
    every = {"0.95": 1.0, "0.90": 1.0, "0.80": 1.0}
    assert sizes["small (2-6 mm)"] == {"size": "small (2-6 mm)", "findings": 1, "detected": every}
    shapes = {row["morphology"]: row["findings"] for row in report["by_morphology"]}
    assert shapes == {"sessile": 2, "undefined": 1}
    assert [row["findings"] for row in report["by_size_and_morphology"]] == [1, 1, 1]
    assert report["notes"] == [LAIZ_NOTE]
    detected = [row["detected"] for row in report["curve"]]
    assert detected == sorted(detected, reverse=True)


def test_thresholds_belong_to_folds() -> None:
    """The same scores with B's normal frames scoring higher: what passed in one fold does not in the other."""
    high = scores_of(range(24, 46), [*[k / 100 + 0.5 for k in range(20)], 0.15, 0.175], fold=1)
    report = finding_report(evaluation_set_of(ROWS, FINDINGS), [A, high])
    assert report["all"]["detected"]["0.80"] == pytest.approx(2 / 3)


def test_with_two_seeds_each_finding_counts_once_for_each() -> None:
    again = scores_of(range(24), [*NORMAL, 0.0, 0.0, 0.0, 0.0], fold=0, seed=1)
    report = finding_report(evaluation_set_of(ROWS, FINDINGS[:2]), [A, again])
    assert (report["findings"], report["all"]["findings"], report["seeds"]) == (2, 2, 2)
    assert report["all"]["detected"]["0.95"] == pytest.approx(0.5)


def test_without_findings_nothing_is_said_of_them() -> None:
    data = evaluation_set_of(ROWS)
    assert finding_report(data, [A, B]) == {}
    assert highest_scores(data, A).findings == ()
    assert [row["finding_sensitivity"] for row in budget_report(data, [A, B])["rows"]] == [None] * len(SHARES)


def test_the_review_budget_worked_by_hand() -> None:
    report = budget_report(evaluation_set_of(ROWS, FINDINGS), [A, B])
    rows = {row["share"]: row for row in report["rows"]}
    # A has 24 frames: rows 22 (0.9), 19 (0.19), 21 (0.185), ...: 5 % are one frame, 10 % two, 15 % three.
    # B has 22 frames: 0.19, 0.18, 0.175 (row 45), 0.17, 0.16, 0.15 (normal before the finding's 0.15), ...
    assert rows[0.03]["frame_sensitivity"] == 0.0
    assert rows[0.05]["frame_sensitivity"] == pytest.approx(1 / 6)
    assert rows[0.05]["finding_sensitivity"] == pytest.approx(1 / 3)
    assert rows[0.15]["finding_sensitivity"] == 1.0
    assert rows[0.15]["frame_sensitivity"] == pytest.approx(3 / 6)
    assert rows[0.3]["frame_sensitivity"] == pytest.approx(3 / 6)
    assert rows[1.0] == {"share": 1.0, "frame_sensitivity": 1.0, "finding_sensitivity": 1.0}
    assert (report["patients"], report["studies"], report["findings"]) == (2, 2, 3)
    assert "2 patients" in report["sentence"]
    assert "fewer than 100 frames" in report["sentence"]


@given(
    track=st.lists(st.integers(0, 5), min_size=1, max_size=30),
    seed=st.integers(0, 999),
)
def test_reviewing_equals_going_down_the_list(track: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    positive, weight = rng.random(len(track)) < 0.3, rng.integers(1, 5, len(track)).astype(float)
    weight[positive] = 1.0
    needed = reviewed_at(np.array(track, dtype=float), positive, weight)
    for row in range(len(track)):
        above = [
            other
            for other in range(len(track))
            if track[other] > track[row] or (track[other] == track[row] and not positive[other] and positive[row])
        ]
        assert needed[row] >= (weight[above].sum() + weight[row]) / weight.sum() - 1e-12
    assert needed.max() == pytest.approx(1.0)
    assert len(np.unique(needed)) == len(needed)


def test_thinned_normal_frames_stand_for_those_that_were_left_out() -> None:
    """One of two positives lies above 10 normal frames that stand for 100."""
    needed = reviewed_at(
        np.array([0.9, *np.linspace(0.4, 0.6, 10), 0.1]),
        np.array([True, *[False] * 10, True]),
        np.array([1, *[10] * 10, 1]),
    )
    assert needed[0] == pytest.approx(1 / 102)
    assert needed[-1] == pytest.approx(1.0)


def test_sizes_fall_into_the_bins_of_the_paper() -> None:
    data = evaluation_set_of(ROWS, [(str(s), s, "", [20]) for s in (1.5, 6.0, 7.0, 11.0, 12.0)])
    found = [size_of(finding) for finding in data.findings]
    assert found == [SIZES[0], SIZES[0], SIZES[1], SIZES[1], SIZES[2]]
    assert SIZES == ("small (2-6 mm)", "medium (7-11 mm)", "large (12+ mm)")


def test_the_dataset_report_counts_procedures_findings_and_frames() -> None:
    data = evaluation_set_of([*ROWS, ("C", 0, 30, 0)], FINDINGS)
    report = dataset_report(data)
    assert (report["procedures"], report["procedures_with_pathology"], report["patients"]) == (3, 2, 3)
    assert report["frames"] == {"normal": 70, "polyp": 6}
    assert report["findings_per_procedure"]["highest"] == 2
    assert report["frames_per_finding"]["median"] == 2
    assert report["procedures_by_findings"] == [{"findings": n, "procedures": 1} for n in (0, 1, 2)]
    assert [row["findings"] for row in report["findings_by_frames"]] == [3, 0, 0, 0, 0, 0]
    assert report["size_by_morphology"] == [
        {"size": "small (2-6 mm)", "sessile": 1, "undefined": 0, "total": 1},
        {"size": "large (12+ mm)", "sessile": 1, "undefined": 0, "total": 1},
        {"size": "not stated", "sessile": 0, "undefined": 1, "total": 1},
        {"size": "total", "sessile": 2, "undefined": 1, "total": 3},
    ]
    assert [row["findings"] for row in report["studies"]] == [2, 1, 0]


@pytest.mark.parametrize(
    ("frames", "name"), [(1, "1-2"), (2, "1-2"), (3, "3-4"), (6, "5-6"), (7, "7-10"), (20, "11-20"), (21, "21+")]
)
def test_frames_of_a_finding_fall_into_the_bins_of_the_paper(frames: int, name: str) -> None:
    data = evaluation_set_of([("A", 0, 30, 0), ("A", 30, 60, 1)], [("one", None, "", range(30, 30 + frames))])
    found = {row["frames"]: row["findings"] for row in dataset_report(data)["findings_by_frames"]}
    assert list(found) == ["1-2", "3-4", "5-6", "7-10", "11-20", "21+"]
    assert [each for each, count in found.items() if count] == [name]


RECALL = {f"sensitivity_at_{level}": {"mean": 0.5} for level in (95, 90, 80)}


def test_the_papers_seven_guidelines_each_with_its_number() -> None:
    data = evaluation_set_of([*ROWS, ("C", 0, 30, 0)], FINDINGS)
    config = evaluate_config(studies="m.json", labels="l.csv", out="out")
    rows = guidelines(config, dataset_report(data), {"low": 0.5, "high": 0.75}, RECALL)
    assert len(rows) == 7
    assert all(row["text"] and row["number"] for row in rows)
    assert [row["is_met"] for row in rows] == [True, True, True, False, True, True, True]
    assert "2 of 3 procedures" in rows[0]["number"]
    assert rows[3]["number"].startswith("11.7 normal frames to one; 20 in the procedure with the fewest")
    assert rows[5]["number"] == "0.500 at 95 %, 0.500 at 90 %, 0.500 at 80 %"
    unseen = guidelines(config.model_copy(update={"shown": 0}), dataset_report(data), {"low": None}, {})
    assert [(unseen[k]["is_met"], unseen[k]["number"]) for k in (5, 6)] == [
        (False, "not defined"),
        (False, "no frames shown"),
    ]


def test_2_000_normal_frames_in_each_procedure_are_enough() -> None:
    data = evaluation_set_of([("A", 0, 2000, 0), ("A", 2000, 2004, 1), ("B", 0, 2500, 0)])
    config = evaluate_config(studies="m.json", labels="l.csv", out="out")
    assert guidelines(config, dataset_report(data), {"low": None}, RECALL)[3]["is_met"]


def test_a_split_at_random_and_images_without_findings_miss_the_points_on_them() -> None:
    at_random = evaluate_config(images="i", labels="l.csv", out="out", split="random", folds=3)
    rows = guidelines(at_random, dataset_report(evaluation_set_of(ROWS)), {"low": None, "high": None}, RECALL)
    assert [row["is_met"] for row in rows] == [False, False, False, False, True, True, True]


def test_the_budget_ranks_frames_as_a_threshold_flags_them() -> None:
    scores = np.array([[0.4, 0.3, 0.3], [0.5, 0.5, 0.0]], dtype=np.float32)
    assert flag_track(scores).argmax() == 1  # 0.5 passes a threshold of 0.4 that 0.3 and 0.3 do not
