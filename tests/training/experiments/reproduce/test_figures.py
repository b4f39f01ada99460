"""Reading figures off reports, and comparing rows fold by fold."""

from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.experiments.engine import aligned
from training.experiments.reproduce.figures import (
    CANNOT,
    NOT_IN_DATA,
    Measured,
    Paired,
    difference_name,
    heading,
    keys_of,
    measured,
    pair_table,
    paired,
)
from training.experiments.reproduce.outcome import shortened
from training.experiments.reproduce.tables import RANDOM, Row, Training


def report(seed: int, aucs: list[float | None]) -> dict[str, Any]:
    rows = {"findings": 10, "detected": {"0.95": 0.3, "0.80": 0.6}}
    return {
        "classes": ["normal", "polyp", "blood"],
        "folds_detail": [
            {"fold": n, "seed": seed, "figures": {"auc": auc}, "classes": {"polyp": {"f1": 0.5}, "blood": {"f1": None}}}
            for n, auc in enumerate(aucs)
        ],
        "findings": {
            "all": rows,
            "by_size": [{"size": "small (2-6 mm)", **rows}],
            "by_morphology": [{"morphology": "sessile", **rows}],
            "by_size_and_morphology": [{"size": "small (2-6 mm)", "morphology": "sessile", **rows}],
        },
    }


def test_mean_and_deviation_over_folds_and_seeds() -> None:
    found = measured([report(0, [0.8, 0.9]), report(1, [0.7, None])], "auc")
    assert found.values == {(0, 0): 0.8, (0, 1): 0.9, (1, 0): 0.7}
    assert found.spread.mean == pytest.approx(mean([0.8, 0.9, 0.7]))
    assert found.spread.deviation == pytest.approx(stdev([0.8, 0.9, 0.7]))
    assert found.sentence() == "80.0 ± 10.0 % (3)"


def test_a_figure_that_nobody_could_say() -> None:
    assert measured([report(0, [None])], "auc").sentence() == CANNOT
    assert measured([report(0, [0.5])], "auc").sentence() == "50.0 % (1)"
    assert measured([report(0, [0.5])], "no such figure").spread.mean is None


def test_figures_of_classes_and_findings() -> None:
    reports = [report(0, [0.8]), report(1, [0.8])]
    assert keys_of(("p0", "f1"), reports) == ("p0", "f1:polyp", "f1:blood", "f1:normal")
    assert measured(reports, "f1:polyp").spread.mean == 0.5
    assert measured(reports, "f1:blood").spread.mean is None
    assert keys_of(("findings",), reports) == ("findings:all", "findings:small (2-6 mm)", "findings:sessile")
    assert measured(reports, "findings:small (2-6 mm)").sentence() == "30.00 % at 95 %; 60.00 % at 80 % (of 10)"
    assert measured(reports, "found_95").values == {(0, -1): 0.3, (1, -1): 0.3}


def test_what_only_the_paper_has_keeps_its_line() -> None:
    known = ("f1:inflammation", "f1:normal", "mcc:inflammation")
    assert keys_of(("f1",), [report(0, [0.8])], known) == ("f1:polyp", "f1:blood", "f1:normal", "f1:inflammation")
    assert keys_of(("f1",), [], known) == ("f1:inflammation", "f1:normal")
    assert measured([report(0, [0.8])], "f1:inflammation").sentence() == NOT_IN_DATA
    assert measured([report(0, [0.8])], "findings:pedunculated").sentence() == NOT_IN_DATA


def test_every_heading_has_the_same_format() -> None:
    assert keys_of(("f1", "findings"), []) == ("f1", "findings")
    assert heading("f1") == "F1"
    assert heading("f1:polyp") == "F1, polyp"
    assert heading("findings:sessile") == "findings detected, sessile"
    assert heading("auc:finetuned, CAD-CAP, best") == "AUC, finetuned, CAD-CAP, best"


ROWS = (Row("a", Training("tl-ba")), Row("b", Training("tl-bh"), against=("a", "absent")))


@given(st.dictionaries(st.integers(0, 3), st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1))
def test_differences_are_those_of_common_trainings(values: dict[int, tuple[float, float]]) -> None:
    ours = Measured({(seed, 0): pair[0] for seed, pair in values.items()} | {(9, 0): 0.5})
    theirs = Measured({(seed, 0): pair[1] for seed, pair in values.items()} | {(8, 0): 0.5})
    (pair,) = paired(ROWS, {"a": {"auc": theirs}, "b": {"auc": ours}}, ["auc"])
    assert (pair.row, pair.against) == ("b", "a")
    assert pair.spread.mean == pytest.approx(mean(mine - other for mine, other in values.values()))
    assert pair.better == sum(mine > other for mine, other in values.values())
    assert len(pair.differences) == len(values)


def test_nothing_in_common_is_no_comparison() -> None:
    found = {"a": {"auc": Measured({(0, 0): 0.5})}, "b": {"auc": Measured({(1, 0): 0.5})}}
    assert paired(ROWS, found, ["auc"]) == []
    assert paired(ROWS, {"b": {"auc": Measured({(1, 0): 0.5})}}, ["auc"]) == []


def test_the_sentence_of_a_comparison() -> None:
    pair = Paired("b", "a", "auc", {(0, 0): 0.1, (0, 1): -0.3})
    assert pair.sentence() == "-10.0 ± 28.3 %, better in 1 of 2"
    assert Paired("b", "a", "auc", {(0, 0): 0.1}).sentence() == "+10.0 %, better in 1 of 1"
    columns, rows = pair_table([pair])
    assert columns == ("difference", "AUC")
    assert rows == [("b - a", pair.sentence())]
    assert difference_name(f"{RANDOM}x", f"{RANDOM}y") == "x - y (ours, random weights)"


def test_a_row_that_says_the_same_of_every_figure_takes_one_line() -> None:
    lines = [("x", "AUC", "-", "weights absent"), ("x", "F1", "-", "weights absent"), ("y", "AUC", "-", "1")]
    assert shortened([*lines, ("y", "F1", "-", "2")]) == [
        ("x", "all", "-", "weights absent"),
        ("y", "AUC", "-", "1"),
        ("", "F1", "-", "2"),
    ]
    assert aligned(("a", "b"), [("long", "x")]).splitlines() == ["| a    | b |", "| ---- | - |", "| long | x |"]
