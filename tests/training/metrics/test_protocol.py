"""The figures of a fold, against scikit-learn and against cases worked by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    f1_score,
    matthews_corrcoef,
    recall_score,
    roc_auc_score,
    roc_curve,
)

from training.metrics.detector import pooled_auc
from training.metrics.protocol import (
    DEGREES,
    GRID,
    average_precision,
    class_table,
    curve_report,
    draw,
    fold_figures,
    imbalance_report,
    mean_and_deviation,
    on_grid,
    table_figures,
)

CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=60).filter(
    lambda rows: len({positive for positive, _ in rows}) == 2
)


@given(rows=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_the_two_by_two_table_equals_scikit_learn(rows: list[tuple[bool, bool]]) -> None:
    truth, said = np.array([a for a, _ in rows]), np.array([b for _, b in rows])
    found = table_figures(truth, said)
    assert found["accuracy"] == pytest.approx(accuracy_score(truth, said))
    if truth.any():
        assert found["sensitivity"] == pytest.approx(recall_score(truth, said))
    else:
        assert found["sensitivity"] is None
    if truth.any() or said.any():
        assert found["f1"] == pytest.approx(f1_score(truth, said))
    if 0 < truth.sum() < len(truth) and 0 < said.sum() < len(said):
        assert found["mcc"] == pytest.approx(matthews_corrcoef(truth, said))


def test_the_table_worked_by_hand() -> None:
    """3 hits, 1 miss, 2 false alarms, 4 left alone."""
    truth = np.array([1, 1, 1, 1, 0, 0, 0, 0, 0, 0], dtype=bool)
    said = np.array([1, 1, 1, 0, 1, 1, 0, 0, 0, 0], dtype=bool)
    found = table_figures(truth, said)
    assert found["accuracy"] == pytest.approx(0.7)
    assert found["sensitivity"] == pytest.approx(3 / 4)
    assert found["specificity"] == pytest.approx(4 / 6)
    assert found["f1"] == pytest.approx(6 / 9)
    assert found["mcc"] == pytest.approx((3 * 4 - 2 * 1) / np.sqrt(5 * 4 * 6 * 5))


def test_several_classes_each_against_normal_and_any_against_normal() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 120)
    scores = rng.dirichlet([1, 1, 1], 120)
    scores[np.arange(120), labels] += 0.4
    scores /= scores.sum(axis=1, keepdims=True)
    figures, table = fold_figures(labels, scores), class_table(("normal", "polyp", "ulcer"), labels, scores)
    said = scores.argmax(axis=1)
    assert figures["auc"] == pytest.approx(roc_auc_score(labels > 0, 1 - scores[:, 0]))
    assert figures["p0"] == pytest.approx(accuracy_score(labels, said))
    assert figures["mcc"] == pytest.approx(matthews_corrcoef(labels > 0, said > 0))
    assert list(table) == ["polyp", "ulcer", "normal"]
    against = labels != 1
    assert table["ulcer"]["auc"] == pytest.approx(roc_auc_score(labels[against] == 2, scores[against, 2]))
    assert table["normal"]["auc"] == pytest.approx(roc_auc_score(labels == 0, scores[:, 0]))
    for number, name in ((0, "normal"), (1, "polyp"), (2, "ulcer")):
        assert table[name]["f1"] == pytest.approx(f1_score(labels == number, said == number))
        assert table[name]["mcc"] == pytest.approx(matthews_corrcoef(labels == number, said == number))


def test_mean_and_deviation_leave_out_what_could_not_be_said() -> None:
    assert mean_and_deviation([0.2, None, 0.6]) == {
        "mean": pytest.approx(0.4),
        "deviation": pytest.approx(np.std([0.2, 0.6], ddof=1)),
        "values": 2,
    }
    assert mean_and_deviation([0.5])["deviation"] is None
    assert mean_and_deviation([None])["mean"] is None


@given(rows=CASES)
def test_average_precision_equals_scikit_learn(rows: list[tuple[bool, int]]) -> None:
    truth, track = np.array([p for p, _ in rows]), np.array([s / 6 for _, s in rows])
    assert average_precision(truth, track) == pytest.approx(average_precision_score(truth, track))


@given(rows=CASES)
def test_the_curve_lies_on_scikit_learns_points(rows: list[tuple[bool, int]]) -> None:
    truth, track = np.array([p for p, _ in rows]), np.array([s / 6 for _, s in rows])
    curve = on_grid(truth, track)
    assert curve is not None
    assert (np.diff(curve) >= -1e-12).all()
    false, true, _ = roc_curve(truth, track, drop_intermediate=False)
    for rate in np.unique(false):
        place = rate * (GRID - 1)
        if abs(place - round(place)) < 1e-9:
            assert curve[round(place)] == pytest.approx(true[false == rate].max())


def test_curves_of_all_trainings_have_a_mean() -> None:
    labels = np.array([0, 0, 1, 1])
    perfect = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9]])
    report = curve_report([(labels, perfect), (labels, perfect[::-1])])
    assert report["mean"][0] == pytest.approx(0.5)
    assert report["deviation"][0] == pytest.approx(np.std([0, 1], ddof=1), abs=1e-5)  # n - 1, as of all figures
    assert set(curve_report([(labels, perfect)])["deviation"]) == {0.0}
    assert len(report["trainings"]) == 2
    assert curve_report([(np.zeros(4, dtype=np.int64), perfect)])["mean"] == []


@settings(max_examples=25, deadline=None)
@given(rows=CASES, seed=st.integers(0, 99))
def test_the_bootstrap_over_patients_equals_drawing_frames_by_hand(rows: list[tuple[bool, int]], seed: int) -> None:
    """Slow and obvious: put together the frames of each drawn patient and ask scikit-learn."""
    truth, track = np.array([p for p, _ in rows]), np.array([s / 6 for _, s in rows])
    patients = np.array([f"P{k % 5}" for k in range(len(rows))])
    found = pooled_auc(truth, [track], patients, 20, seed)
    assert found.value == pytest.approx(roc_auc_score(truth, track))
    names = np.unique(patients)
    drawn = np.random.default_rng(seed).multinomial(len(names), np.full(len(names), 1 / len(names)), size=20)
    known = []
    for counts in drawn:
        chosen = np.concatenate([np.tile(np.flatnonzero(patients == n), c) for n, c in zip(names, counts, strict=True)])
        if len(set(truth[chosen].tolist())) == 2:
            known.append(roc_auc_score(truth[chosen], track[chosen]))
    if known:
        assert (found.low, found.high) == pytest.approx(tuple(np.quantile(known, [0.025, 0.975])))
    else:
        assert found.low is None


def test_the_pooled_auc_of_several_seeds_is_their_mean() -> None:
    truth = np.array([False, False, True, True])
    good, bad = np.array([0.1, 0.2, 0.8, 0.9]), np.array([0.9, 0.8, 0.2, 0.1])
    found = pooled_auc(truth, [good, bad], np.array(["A", "B", "A", "B"]), 0, 0)
    assert found == (0.5, None, None)


def test_imbalance_is_as_asked_for_and_never_repeats_a_frame() -> None:
    positive = np.array([True] * 8 + [False] * 60)
    for degree in (1, 10, 25, 50):
        chosen = draw(positive, degree, np.random.default_rng(0))
        assert chosen is not None
        assert len(np.unique(chosen)) == len(chosen)
        assert (~positive[chosen]).sum() == degree * positive[chosen].sum()
    assert draw(positive, 100, np.random.default_rng(0)) is None


def test_average_precision_falls_with_imbalance_and_auc_does_not() -> None:
    rng = np.random.default_rng(1)
    labels = (np.arange(2200) < 200).astype(np.int64)
    track = np.clip(rng.normal(0.35 + 0.3 * labels, 0.2), 0, 1)
    rows = imbalance_report([(labels, np.stack([1 - track, track], axis=1))], repeats=10, seed=0)
    assert [row["degree"] for row in rows] == list(DEGREES)
    assert [row["draws"] for row in rows] == [10] * 5
    assert rows[0]["average_precision"]["mean"] > rows[2]["average_precision"]["mean"] + 0.2
    assert abs(rows[0]["auc"]["mean"] - rows[2]["auc"]["mean"]) < 0.03


def test_a_rejected_class_counts_for_its_own_ranking_only() -> None:
    labels = np.array([0, 0, 1, 1, 2])
    scores = np.array([[0.9, 0.05, 0.05], [0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.5, 0.4, 0.1], [0.1, 0.1, 0.8]])
    names = ("normal", "polyp", "ulcer")
    before = class_table(names, labels, scores)
    after = class_table(names, labels, scores, np.array([1]), np.array([[0.3, 0.6, 0.1]]))
    assert before["polyp"]["auc"] == 1.0
    assert after["polyp"]["auc"] == pytest.approx(5 / 6)
    assert after["polyp"]["f1"] == before["polyp"]["f1"]
    assert {name: row for name, row in after.items() if name != "polyp"} == {
        name: row for name, row in before.items() if name != "polyp"
    }


def test_a_frame_with_two_classes_counts_once_and_is_no_negative_of_either() -> None:
    """Frame 1 is a polyp and an ulcer, and is decided as a polyp."""
    labels, frame = np.array([0, 1, 2, 2]), np.array([0, 1, 1, 2])
    scores = np.array([[0.8, 0.1, 0.1], [0.1, 0.6, 0.3], [0.1, 0.6, 0.3], [0.1, 0.2, 0.7]])
    figures = fold_figures(labels, scores, frame)
    assert figures["p0"] == 1.0
    assert figures["accuracy"] == 1.0
    table = class_table(("normal", "polyp", "ulcer"), labels, scores, frame=frame)
    assert table["polyp"]["f1"] == 1.0
    assert table["ulcer"]["sensitivity"] == 0.5
    assert table["ulcer"]["specificity"] == 1.0
    assert table["ulcer"]["auc"] == table["normal"]["auc"] == 1.0
    doubled = np.array([0, 1, 1, 2])
    same = fold_figures(np.array([0, 1, 1, 1]), scores, doubled)
    assert same["auc"] == fold_figures(np.array([0, 1, 1]), scores[[0, 1, 3]])["auc"]
