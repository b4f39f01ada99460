"""The tables of Xiang et al. 2023: names as in the paper, both tables on a tiny phantom, trainings kept."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.commands.evaluate import run_reproduce
from training.experiments.reproduce.data import OUTSIDE_PATIENT, PhantomSet, RenderedPhantom
from training.experiments.reproduce.published import row_names, shipped_figures
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.tables import RANDOM
from training.experiments.reproduce.xiang_cells import METHODS, XiangSetting, stage_settings
from training.experiments.reproduce.xiang_rows import (
    ABSENT,
    FIGURES,
    INTERVAL,
    NOT_BUILT,
    PAPER,
    SMALL,
    SMOKE,
    TABLE2,
    TABLE3,
    TRAINED,
    XIANG_BUDGETS,
    XIANG_TABLES,
    XiangBudget,
    XiangTable,
    departures,
)
from training.experiments.reproduce.xiang_table import changed, differences, table_lines
from training.methods.registry import PRETRAINING
from training.models.clip_config import ClipEncoderConfig
from training.pretraining.config import pretrain_config
from training.retrieval.paired_clips import ClipSettings
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")

EVERY = list(XIANG_TABLES.values())


@pytest.mark.parametrize("table", EVERY, ids=list(XIANG_TABLES))
def test_rows_and_columns_are_those_of_the_shipped_csv(table: XiangTable) -> None:
    known = [(row, figure) for name, row, figure in shipped_figures() if name == table.name]
    rows = [row.name for row in table.rows if not row.is_ours]
    assert known == [(row, figure) for row in rows for figure in FIGURES]
    assert row_names(table.name) == [row.name for row in table.rows]
    assert all(row.name.startswith("ours") == row.is_ours for row in table.rows)


@pytest.mark.parametrize("table", EVERY, ids=list(XIANG_TABLES))
def test_shipped_figures_are_those_that_were_read(table: XiangTable, shared_published: Path) -> None:
    with (shared_published / f"{table.name}.csv").open(encoding="utf-8", newline="") as file:
        read = {(line["table"], line["row"], line["column"]): line["value"] for line in csv.DictReader(file)}
    assert read == {key: known.text for key, known in shipped_figures().items() if key[0] == table.name}


@pytest.mark.parametrize("table", EVERY, ids=list(XIANG_TABLES))
def test_nothing_of_ours_stands_under_a_name_of_the_paper(table: XiangTable) -> None:
    for row in table.rows:
        assert row.is_ours == (row.key not in (ABSENT, NOT_BUILT))
        if row.key in TRAINED:
            assert row.name.startswith(RANDOM)


def test_the_ablation_has_all_four_encoders() -> None:
    assert tuple(row.key for row in TABLE3.rows if row.key in TRAINED) == TRAINED
    assert [row.key for row in TABLE2.rows if row.key in TRAINED] == ["mae-crl"]


def test_no_patient_trains_and_is_evaluated() -> None:
    for budget in XIANG_BUDGETS.values():
        assert budget.phantom.patients <= OUTSIDE_PATIENT
        assert budget.phantom.passes == 2
        assert budget.clips.length == budget.encoder.frames


def test_the_paper_budget_has_videomaes_sizes() -> None:
    assert PAPER.encoder == ClipEncoderConfig()
    assert (dict(PAPER.mae), dict(PAPER.crl)) == ({}, {})
    assert len(departures(PAPER, "others")) == 1
    assert any("input_size 32 (224)" in sentence for sentence in departures(SMALL, "others"))
    assert "as the paper's do" in departures(PAPER, "same")[0]


@pytest.mark.parametrize("budget", list(XIANG_BUDGETS.values()), ids=list(XIANG_BUDGETS))
def test_the_trainings_of_every_budget_are_valid(budget: XiangBudget, tmp_path: Path) -> None:
    setting = XiangSetting(given(tmp_path, tmp_path, "xiang-table3"), budget, NOWHERE, SilentReporter())
    for stage, method in METHODS.items():
        made = pretrain_config(studies=Path("-"), out=tmp_path / "run", method=method, **stage_settings(setting, stage))
        assert PRETRAINING[made.method].encodes_clips
        assert made.encoder_config() == budget.encoder  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"images": Path("images"), "labels": Path("l.csv")}, "images belongs to the tables of labelled frames"),
        ({"studies": Path("m.json")}, "need their labels"),
        ({"phantom": True, "pairs": Path("p.csv")}, "pairs belongs to studies"),
        ({"phantom": True, "hours": 1.0}, "hours"),
        ({"phantom": True, "gallery": "none"}, "all"),
        ({"phantom": True, "clip_length": 0}, "greater"),
    ],
)
def test_what_a_table_cannot_be_made_of_is_refused(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ReproduceConfig(table="xiang-table3", **asked).check_used(asked)


def test_settings_of_clips_are_for_these_tables_only() -> None:
    asked: dict[str, Any] = {"phantom": True, "gallery": "lesions"}
    with pytest.raises(ValueError, match="gallery belongs to the xiang tables, not to table=laiz-table6"):
        ReproduceConfig(table="laiz-table6", **asked).check_used(asked)


NOWHERE = RenderedPhantom(Path("-"), Path("-"), Path("-"))
TINY = replace(
    SMOKE,
    phantom=PhantomSet(2, 60, 2, 40, size_px=48, positive_share=0.4, passes=2),
    encoder=ClipEncoderConfig(frames=4, input_size=32, cube_size=16, width=16, blocks=1, heads=2),
    clips=ClipSettings(length=4, stride=4, fewest_shown=2),
    mae={**SMOKE.mae, "steps": 2},
    crl={**SMOKE.crl, "steps": 2},
)


class Told(SilentReporter):
    """Remembers what was worked on; asks for a stop at a log line."""

    def __init__(self, stop_at: str = "") -> None:
        self.works: list[str] = []
        self._stop_at, self._stops = stop_at, False

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        return self._stops

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.works.append(what)

    def log(self, line: str) -> None:
        self._stops = self._stops or bool(self._stop_at and self._stop_at in line)


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
    monkeypatch.setitem(XIANG_BUDGETS, "smoke", TINY)
    first = run_reproduce(given(tmp_path, cache, "xiang-table3"), SilentReporter())
    assert first["finished"]
    for text in ("Not a comparison", f"{RANDOM}BL+MAE+CRL", ABSENT, "2 + 2", "Differences in mAP"):
        assert text in first["text"]
    page = Path(first["page"]).read_text(encoding="utf-8")
    assert f"{RANDOM}BL+MAE+CRL, seed 0" in page
    assert page.count("data:image/png") == page.count("Query ") * (4 + 4 * 5), "four frames; four encoders, five clips"
    assert page.count(">same<") + page.count(">other<") == page.count("Query ") * 20
    told = Told()
    second = run_reproduce(given(tmp_path, cache, "xiang-table2"), told)
    assert second["finished"]
    assert not told.works, "the trainings of the first table are kept"
    with Path(second["csv"]).open(encoding="utf-8", newline="") as file:
        lines = {(line["row"], line["figure"]): line for line in csv.DictReader(file)}
    assert lines["TCA", "mAP"]["paper"] == "0.278"
    assert lines["TCA", "mAP"]["ours"] == NOT_BUILT
    assert lines["Colo-SCRL", "mAP"]["ours"] == ABSENT
    ours = lines[f"{RANDOM}Colo-SCRL", "mAP"]
    assert 0 < float(ours["ours"]) <= 1
    assert float(ours["chance"]) == float(lines["ours: chance", "mAP"]["ours"])
    assert float(ours["gallery"]) > float(ours["relevant"]) >= 1
    again = run_reproduce(given(tmp_path, cache, "xiang-table3"), told)
    assert again["text"] == first["text"]
    assert not told.works
    only = run_reproduce(given(tmp_path, cache, "xiang-table2", gallery="lesions"), told)
    assert not any("steps" in work or "epoch" in work for work in told.works), "the encoders are those of before"
    assert "the clips that show a lesion" in only["text"]


def test_a_stop_keeps_what_is_done(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(XIANG_BUDGETS, "smoke", TINY)
    stopped = run_reproduce(given(tmp_path, cache, "xiang-table3"), Told(stop_at="crl, seed"))
    assert not stopped["finished"]
    assert "not reached" in stopped["text"]
    finished = run_reproduce(given(tmp_path, cache, "xiang-table3"), SilentReporter())
    assert finished["finished"]


def test_the_clips_that_were_asked_for(tmp_path: Path) -> None:
    asked = given(tmp_path, tmp_path, "xiang-table3", gallery="lesions", clip_length=16, clip_stride=3)
    made = changed(SMALL, asked)
    assert made.clips == ClipSettings(length=16, stride=3, gallery="lesions")
    assert made.encoder.frames == 16
    assert changed(SMALL, given(tmp_path, tmp_path, "xiang-table3")) == SMALL


def test_the_paper_budget_sees_every_fourth_frame_of_studies(tmp_path: Path) -> None:
    """VideoMAE's step for Kinetics; a phantom has fewer frames a second."""
    assert changed(PAPER, given(tmp_path, tmp_path, "xiang-table3")) == PAPER
    where = {"phantom": False, "studies": Path("m.json"), "labels": Path("l.csv")}
    asked = given(tmp_path, tmp_path, "xiang-table3", **where, budget="paper")
    made = changed(PAPER, asked)
    assert (made.clips.length, made.clips.stride, made.encoder, made.frame_step) == (64, 32, PAPER.encoder, 4)
    setting = XiangSetting(asked, made, NOWHERE, SilentReporter())
    published = pretrain_config(studies=Path("-"), out=tmp_path / "run", method="videomae")
    settings = stage_settings(setting, "mae")
    assert {name: settings[name] for name in ("sequence_length", "frame_step")} == {
        name: getattr(published, name) for name in ("sequence_length", "frame_step")
    }
    every = changed(PAPER, asked.model_copy(update={"clip_step": 1}))
    assert (every.clips, every.frame_step) == (PAPER.clips, 1)


VALUES = {"R@1": [1.0, 0.0, 0.0], "R@5": [1.0, 1.0, 0.0], "R@10": [1.0, 1.0, 1.0], "mAP": [0.8, 0.4, 0.3]}
UNTRAINED_CELL: Mapping[str, Any] = {
    "patients": ["P1", "P2", "P2"],
    "gallery": [10, 20, 20],
    "relevant": [1, 2, 3],
    "left_out": 4,
    "chance": {name: [0.1, 0.1, 0.1] for name in VALUES},
    "values": {"time": VALUES, "histogram": VALUES, "colour-mean": VALUES, "redness": VALUES},
}


def cell(key: str, seed: int, better: float) -> Mapping[str, Any]:
    values = {name: [value + better for value in each] for name, each in VALUES.items()}
    return {"key": key, "seed": seed, "steps": [3, 4] if key == "mae-crl" else [3], "values": values}


def test_figures_of_made_up_values(tmp_path: Path) -> None:
    cells = [cell(key, seed, 0.1 * seed + (0.2 if key == "mae-crl" else 0)) for seed in (0, 1) for key in TRAINED[1:]]
    setting = XiangSetting(given(tmp_path, tmp_path, "xiang-table3"), SMOKE, NOWHERE, SilentReporter())
    lines = {(line[0], line[1]): line for line in table_lines(setting, TABLE3, UNTRAINED_CELL, cells)}
    assert lines["BL+MAE+CRL", "R@1 (%)"][2:5] == ("22.6", ABSENT, "-")
    ours = f"{RANDOM}BL+MAE+CRL"
    assert lines[ours, "mAP"][2:9] == ("-", "0.750 ± 0.071 (2)", "0.100", "16.7", "2.0", "2", "3 + 4")
    assert lines[ours, "R@1 (%)"][3:5] == ("58.3 ± 7.1 (2)", "10.0")
    assert lines[ours, INTERVAL][3] == "0.600 to 1.050"
    assert lines[f"{RANDOM}BL", "mAP"][3] == "not reached"
    assert lines["ours: ImageNet Lite0, mean of frames", "mAP"][3] == ABSENT
    assert lines["ours: time in the study", "R@5 (%)"][3] == "66.7"
    assert lines["ours: chance", "mAP"][3] == "0.100"
    found = {less: text for _, less, text in differences(TABLE3, UNTRAINED_CELL, cells)}
    assert found[f"{RANDOM}BL+MAE"] == "+0.200 [+0.200 to +0.200]"
    assert found["ours: colour histogram"].startswith("+0.250")
    assert f"{RANDOM}BL" not in found
    assert np.isclose(0.75 - 0.1, float(found["ours: chance"].split()[0]))
