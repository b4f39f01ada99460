"""The tables of Intrator et al. 2023: names as in the paper, both tables on a tiny phantom, trainings kept."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from training.commands.benchmark import run_reproduce
from training.experiments.reproduce import intrator
from training.experiments.reproduce.intrator import (
    INTRATOR_BUDGETS,
    INTRATOR_TABLES,
    PAPER,
    SMALL,
    SMOKE,
    TABLE1,
    TABLE2,
    UNTRAINED,
    IntratorTable,
    departures,
    rows_of,
)
from training.experiments.reproduce.intrator_table import table_lines
from training.experiments.reproduce.phantom_set import OUTSIDE_PATIENT, PhantomSet
from training.experiments.reproduce.published import row_names, shipped_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.tables import RANDOM
from training.reidentification.config import RESNET50_V2
from training.reidentification.matching import TECHNIQUES
from training.runs.reporter import SilentReporter

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
        ({"studies": Path("m.json"), "labels": Path("l.csv")}, "phantom alone"),
        ({"phantom": True, "hours": 1.0}, "hours"),
    ],
)
def test_what_a_table_cannot_be_made_of_is_refused(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        ReproduceConfig(table="intrator-table1", **asked)


TINY = replace(
    SMOKE,
    backbone="tiny",
    crop_px=32,
    phantom=PhantomSet(3, 70, 4, 40, size_px=48, positive_share=0.4),
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


def test_both_tables_from_start_to_end_and_the_second_without_training(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(intrator.INTRATOR_BUDGETS, "smoke", TINY)
    first = run_reproduce(given(tmp_path, cache, "intrator-table1"), SilentReporter())
    assert first["finished"]
    assert "Not a comparison" in first["text"]
    assert f"{RANDOM}multi-view Joint Embedding" in first["text"]
    weights = sorted(path.name for path in (tmp_path / "out" / "cells").rglob("*.safetensors"))
    assert weights == ["multi-view.safetensors", "single-frame.safetensors"]
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
    again = run_reproduce(given(tmp_path, cache, "intrator-table1"), told)
    assert again["text"] == first["text"]
    assert not told.works


UNTRAINED_CELL: Mapping[str, Any] = {
    "procedures": ["P1"] * 3,
    "findings": ["A", "A", "B"],
    "pairs": [[0, 1], [0, 2], [1, 2]],
    "is_same": [True, False, False],
    "similarities": {"histogram": [0.9, 0.1, 0.2], "redness": [0.1, 0.2, 0.3]},
}


def figures_of(table: IntratorTable, tmp_path: Path) -> dict[tuple[str, str], str]:
    """Row and figure -> what is printed of ours, from cells that are made up."""
    from training.experiments.reproduce.intrator_cells import Setting
    from training.experiments.reproduce.phantom_set import RenderedPhantom

    names = {name: [0.9, 0.2, 0.95] if name == "min" else [0.9, 0.2, 0.1] for name in TECHNIQUES}
    trained = [{"seed": seed, "steps": [2, 3], "similarities": names} for seed in (0, 1)]
    budget = replace(SMOKE, backbone="efficientnet_lite0")
    config = given(tmp_path, tmp_path, table.name, download=True)
    setting = Setting(config, budget, RenderedPhantom(tmp_path, tmp_path, tmp_path), SilentReporter())
    return {(line[0], line[1]): line[3] for line in table_lines(setting, table, UNTRAINED_CELL, trained)}


def test_figures_of_made_up_similarities(tmp_path: Path) -> None:
    first = figures_of(TABLE1, tmp_path)
    assert first["multi-view Joint Embedding", "AUROC"] == "1.000 ± 0.000 (2)"
    assert first["single-frame Min", "AUROC"] == "0.500 ± 0.000 (2)"
    assert first["ours: redness", "AUROC"] == "0.000"
    assert first["ours: chance", "AUPRC"] == "0.333"
    assert first["ours: ImageNet Lite0, averaging", "AUROC"] == "weights absent"
    second = figures_of(TABLE2, tmp_path)
    assert second["Tracking", "FR"] == "1.500"
    assert second["Tracking", "Fragmented Polyps Ratio"] == "0.500"
    assert second["Tracking and ReID", "FR"] == "1.000 ± 0.000 (2)"
    assert second["Tracking and ReID", "share of different pairs joined"] == "0.000 ± 0.000 (2)"
