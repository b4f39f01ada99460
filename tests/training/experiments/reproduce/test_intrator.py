"""The tables of Intrator et al. 2023: names as in the paper, all tables on a tiny phantom, trainings kept."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from training.commands.evaluate import run_reproduce
from training.experiments.reproduce.data import OUTSIDE_PATIENT, PhantomSet
from training.experiments.reproduce.intrator_rows import (
    GAIN,
    INTRATOR_BUDGETS,
    INTRATOR_TABLES,
    LESS,
    PAPER,
    SMALL,
    SMOKE,
    TABLE1,
    TABLE2,
    TABLE3,
    TABLE4,
    UNTRAINED,
    VOTE_GAIN,
    IntratorTable,
    departures,
    rows_of,
)
from training.experiments.reproduce.intrator_table import table_lines
from training.experiments.reproduce.intrator_values import Values, auc_interval, auc_table, rate_interval
from training.experiments.reproduce.pages.intrator import precision_recall_curve, roc_curve
from training.experiments.reproduce.published import row_names, shipped_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.tables import RANDOM
from training.reidentification.config import RESNET50_V2
from training.reidentification.fragmentation import ClassifierTraining
from training.reidentification.matching import TECHNIQUES
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")

EVERY = list(INTRATOR_TABLES.values())


@pytest.mark.parametrize("table", EVERY, ids=list(INTRATOR_TABLES))
def test_rows_and_columns_are_those_of_the_shipped_csv(table: IntratorTable) -> None:
    known = [(row, figure) for name, row, figure in shipped_figures() if name == table.name]
    rows = [row.name for row in table.rows if not row.is_ours]
    assert known == [(row, figure) for row in rows for figure in table.figures]
    assert row_names(table.name) == [row.name for row in table.rows]
    assert all(row.name.startswith("ours: ") == row.is_ours for row in table.rows)


@pytest.mark.parametrize("table", EVERY, ids=list(INTRATOR_TABLES))
def test_shipped_figures_are_those_that_were_read(table: IntratorTable, shared_published: Path) -> None:
    with (shared_published / f"{table.name}.csv").open(encoding="utf-8", newline="") as file:
        read = {(line["table"], line["row"], line["column"]): line["value"] for line in csv.DictReader(file)}
    assert read == {key: known.text for key, known in shipped_figures().items() if key[0] == table.name}


def test_the_techniques_stand_in_the_papers_order() -> None:
    assert tuple(row.key for row in TABLE1.rows if row.key not in UNTRAINED) == TECHNIQUES


@pytest.mark.parametrize("table", EVERY, ids=list(INTRATOR_TABLES))
def test_random_weights_never_stand_under_a_name_of_the_paper(table: IntratorTable) -> None:
    assert rows_of(table, weights_there=True) == table.rows
    rows = rows_of(table, weights_there=False)
    for row in rows:
        if row.key and row.key not in UNTRAINED:
            assert row.is_ours
            assert row.name.startswith(RANDOM)
    paper = [row.name for row in table.rows if not row.is_ours]
    assert [row.name for row in rows if not row.is_ours] == paper


def test_the_paper_budget_has_the_papers_settings() -> None:
    encoders = PAPER.encoders
    assert (PAPER.backbone, encoders.optimizer, encoders.learning_rate) == (RESNET50_V2, "lars", 0.01)
    assert (encoders.procedures, encoders.frame_steps, encoders.tracklet_steps, encoders.views) == (1024, 5000, 5000, 8)
    assert PAPER.kept.longest_only
    assert not any("Settings that differ" in sentence for sentence in departures(PAPER))
    assert any("optimizer adamw (lars)" in sentence for sentence in departures(SMALL))
    assert any("longest" in sentence for sentence in departures(SMOKE))


def test_no_patient_trains_and_is_evaluated() -> None:
    assert all(budget.phantom.patients <= OUTSIDE_PATIENT for budget in INTRATOR_BUDGETS.values())


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"studies": Path("m.json"), "labels": Path("l.csv")}, "give phantom, or studies and boxes"),
        ({"phantom": True, "hours": 1.0}, "hours"),
    ],
)
def test_what_a_table_cannot_be_made_of_is_refused(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ReproduceConfig(table="intrator-table1", **asked).check_used(asked)


TINY = replace(
    SMOKE,
    backbone="tiny",
    crop_px=32,
    phantom=PhantomSet(2, 60, 3, 40, size_px=48, positive_share=0.5, frames_per_second=10, alike=True),
    classifier=ClassifierTraining(epochs=1, hidden=8),
    evaluated=SMOKE.evaluated.model_copy(update={"fewest_detections": 2}),
    kept=SMOKE.kept.model_copy(update={"fewest_detections": 3}),
    encoders=SMOKE.encoders.model_copy(update={"frame_steps": 2, "tracklet_steps": 2, "views": 2, "procedures": 4}),
)


class Told(SilentReporter):
    def __init__(self) -> None:
        self.works: list[str] = []

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.works.append(what)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("phantom")


def given(folder: Path, cache: Path, table: str, **changed: Any) -> ReproduceConfig:
    common: dict[str, Any] = {"phantom": True, "budget": "smoke", "device": "cpu", "threads": 1}
    where = {"out": folder / "out", "cache": cache, "weights_cache": folder / "none"}
    return ReproduceConfig(table=table, **{**common, **where, **changed})


def test_all_tables_from_start_to_end_with_one_training(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(INTRATOR_BUDGETS, "smoke", TINY)
    monkeypatch.setattr("training.experiments.reproduce.intrator_values.BOOTSTRAPS", 20)
    first = run_reproduce(given(tmp_path, cache, "intrator-table1"), SilentReporter())
    assert first["finished"]
    assert "Not a comparison" in first["text"]
    assert f"{RANDOM}multi-view Joint Embedding" in first["text"]
    weights = sorted(path.name for path in (tmp_path / "out" / "cells").rglob("*.safetensors"))
    assert weights == ["multi-view.safetensors", "single-frame.safetensors"]
    page = Path(first["page"]).read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    for words in ("Annotation: 1 tracklet<", "Tracking: ", "Re-identification: "):
        assert words in page
    crops = len(list((tmp_path / "out" / "cells").rglob("crop-*.png")))
    assert page.count("data:image/png") == 3 * crops > 0, "the same frames three times, of other borders"
    monkeypatch.setattr("training.experiments.reproduce.pages.intrator.figures", lambda *_: [])  # drawing takes longest
    told = Told()
    second = run_reproduce(given(tmp_path, cache, "intrator-table2"), told)
    assert not told.works, "the trainings of the first table are kept"
    for text in ("Tracking and ReID", "1.86", "average linkage"):
        assert text in second["text"]
    with Path(second["csv"]).open(encoding="utf-8", newline="") as file:
        lines = {(line["row"], line["figure"]): line for line in csv.DictReader(file)}
    assert lines["Tracking", "FR"]["paper"] == "3.3"
    assert float(lines["Tracking", "FR"]["ours"]) >= 1.0
    assert lines["Tracking and ReID", "FR"]["ours"] == "weights absent", "tiny has no ImageNet weights"
    third = run_reproduce(given(tmp_path, cache, "intrator-table3"), told)
    assert "Non-Adenoma FR" in third["text"]
    again = run_reproduce(given(tmp_path, cache, "intrator-table1"), told)
    assert again["text"] == first["text"]
    assert not told.works
    fourth = run_reproduce(given(tmp_path, cache, "intrator-table4"), told)
    assert f"{RANDOM}Tracking" in fourth["text"], "the classifier has no ImageNet weights either"
    assert "training the frame classifier" in told.works
    assert not any("encoder" in work for work in told.works)


UNTRAINED_CELL: Mapping[str, Any] = {
    "procedures": ["P1"] * 3,
    "findings": ["A", "A", "B"],
    "is_positive": [True, True, False],
    "starts": [0.0, 3.0, 6.0],
    "stops": [2.0, 4.0, 9.0],
    "pairs": [[0, 1], [0, 2], [1, 2]],
    "is_same": [True, False, False],
    "similarities": {"histogram": [0.9, 0.1, 0.2], "redness": [0.1, 0.2, 0.3]},
}
MADE_UP = {name: [0.9, 0.2, 0.95] if name == "min" else [0.9, 0.2, 0.1] for name in TECHNIQUES}
TRAINED_CELLS = [
    {"seed": seed, "steps": [2, 3], "similarities": MADE_UP, "inside": [[1.0, 0.5], [0.5, 1.0]]} for seed in (0, 1)
]
CLASSIFIER_CELLS = [{"seed": seed, "scores": [[0.9, 0.7], [0.2], [0.4, 0.4]]} for seed in (0, 1)]


def figures_of(table: IntratorTable, tmp_path: Path) -> dict[tuple[str, str], str]:
    """Row and figure -> what is printed of ours, from cells that are made up."""
    from training.experiments.reproduce.data import RenderedPhantom
    from training.experiments.reproduce.intrator_cells import IntratorSetting

    budget = replace(SMOKE, backbone="efficientnet_lite0")
    config = given(tmp_path, tmp_path, table.name, download=True)
    setting = IntratorSetting(config, budget, RenderedPhantom(tmp_path, tmp_path, tmp_path), SilentReporter())
    values = Values(table, UNTRAINED_CELL, TRAINED_CELLS, CLASSIFIER_CELLS)
    return {(line[0], line[1]): line[3] for line in table_lines(setting, values, shipped_figures())}


def test_figures_of_made_up_similarities(tmp_path: Path) -> None:
    first = figures_of(TABLE1, tmp_path)
    assert first["multi-view Joint Embedding", "AUROC"] == "1.000 ± 0.000 (2)"
    assert first["single-frame Min", "AUROC"] == "0.500 ± 0.000 (2)"
    assert first["single-frame Min", LESS] == "not defined", "of one procedure every draw is the same"
    assert first["multi-view Joint Embedding", LESS] == "-"
    assert first["ours: redness", "AUROC"] == "0.000"
    assert first["ours: time between them", "AUROC"] == "1.000", "gaps of 1, 4 and 2 s"
    assert first["ours: chance", "AUPRC"] == "0.333"
    assert first["ours: ImageNet Lite0, averaging", "AUROC"] == "weights absent"
    second = figures_of(TABLE2, tmp_path)
    assert second["Tracking", "FR"] == "1.500"
    assert second["Tracking", "Fragmented Polyps Ratio"] == "0.500"
    assert second["Tracking and ReID", "FR"] == "1.000 ± 0.000 (2)"
    assert second["Tracking and ReID", GAIN] == "not defined"
    assert second["Tracking and ReID", "share of different pairs joined"] == "0.000 ± 0.000 (2)"


def test_classes_and_votes_of_made_up_cells(tmp_path: Path) -> None:
    third = figures_of(TABLE3, tmp_path)
    assert [third["Annotation", figure] for figure in TABLE3.figures] == ["2", "1.000", "1", "1.000", "1", "1.000"]
    assert [third["Tracking", figure] for figure in TABLE3.figures] == ["3", "1.500", "2", "2.000", "1", "1.000"]
    assert third["ReID", "Adenoma FR"] == "1.000 ± 0.000 (2)"
    fourth = figures_of(TABLE4, tmp_path)
    assert fourth["Annotation", "AUC"] == "1.000 ± 0.000 (2)", "0.6 of all frames of A lies above 0.4 of B"
    assert fourth["Tracking", "AUC"] == "0.500 ± 0.000 (2)", "0.2 of the second tracklet lies below it"
    assert fourth["ReID", "AUC"] == "1.000 ± 0.000 (2)"
    assert fourth["ReID", VOTE_GAIN] == "not defined"


def test_curves_end_where_all_pairs_are_taken_in() -> None:
    is_same, scores = np.array([True, False, True, False]), np.array([0.9, 0.5, 0.5, 0.1])
    assert roc_curve(is_same, scores) == ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0])
    assert precision_recall_curve(is_same, scores) == ([0.5, 1.0, 1.0], [1.0, pytest.approx(2 / 3), 0.5])


def test_intervals_equal_a_slow_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.experiments.reproduce.intrator_values.BOOTSTRAPS", 40)
    rng = np.random.default_rng(4)
    whose = np.array(["a", "b", "c"])[rng.integers(0, 3, 60)]
    is_positive = rng.random(60) < 0.4
    good, poor = (is_positive * weight + rng.normal(size=60) for weight in (2.0, 0.5))
    tables = [auc_table(is_positive, scores, whose, ["a", "b", "c"]) for scores in (good, poor)]
    found = auc_interval(tables[:1], tables[1:])
    wanted, draws = np.random.default_rng(0), []
    for row in wanted.multinomial(3, np.full(3, 1 / 3), size=40):
        rows = np.concatenate([np.repeat(np.flatnonzero(whose == name), n) for name, n in zip("abc", row, strict=True)])
        truth = is_positive[rows]
        if truth.any() and not truth.all():
            draws.append(roc_auc_score(truth, good[rows]) - roc_auc_score(truth, poor[rows]))
    low, high = np.quantile(draws, [0.025, 0.975])
    assert found == pytest.approx((roc_auc_score(is_positive, good) - roc_auc_score(is_positive, poor), low, high))


def test_a_gain_is_what_findings_are_split_into_less() -> None:
    findings = np.array([2.0, 2.0])
    found = rate_interval([(np.array([2.0, 3.0]), findings)], [(np.array([4.0, 5.0]), findings)])
    assert found == pytest.approx((1.0, 1.0, 1.0)), "each procedure has two fragments less of two findings"
