"""The tables of Vats et al. 2022: rows, the paper's figures only where read, and what the benchmark found beside."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.training.experiments.benchmark.small_sets import CountingPretrain, Listener, make_smoke_tiny, write_images
from training.commands.benchmark import run_reproduce
from training.experiments.benchmark.comparison import METHODS
from training.experiments.reproduce import vats_table
from training.experiments.reproduce.published import NOT_AT_HAND, PUBLISHED, row_names
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.vats import VATS_TABLES, VatsTable
from training.experiments.reproduce.vats_table import asked, reproduce_vats, table_lines
from training.runs.reporter import SilentReporter

EVERY = list(VATS_TABLES.values())


def config_of(folder: Path, table: str, **changed: Any) -> ReproduceConfig:
    """A tiny reproduction."""
    given: dict[str, Any] = {
        "table": table,
        "images": folder / "images",
        "labels": folder / "labels.csv",
        "budget": "smoke",
        "seeds": 1,
        "out": folder / "out",
        "weights_cache": folder / "none",
        "device": "cpu",
        "threads": 1,
    }
    return ReproduceConfig(**{**given, **changed})


@pytest.mark.parametrize("table", EVERY, ids=list(VATS_TABLES))
def test_rows_have_names_of_their_own_and_methods_that_there_are(table: VatsTable) -> None:
    names = row_names(table.name)
    assert len(set(names)) == len(names) == len(table.rows)
    assert set(table.methods) <= set(METHODS)
    assert {"PGCon", "WINCon", "PIRL"} <= set(names)
    for row in table.rows:
        assert row.is_ours == row.name.startswith("ours")


def test_no_figure_of_the_paper_is_guessed() -> None:
    assert not [key for key in PUBLISHED if key[0] in VATS_TABLES]
    for line in table_lines(VATS_TABLES["vats-table2"], empty_report(), {}):
        assert line[2] in (NOT_AT_HAND, "-")


def empty_report() -> dict[str, Any]:
    """Of a benchmark in which nobody was judged."""
    absent = [{"name": name, "figures": {}, "absent": "not reached", "seeds": []} for name in METHODS]
    return {"methods": absent, "comparison": {"steps": 4}, "data": {"sentence": "none"}}


def test_a_table_from_start_to_end_shares_its_pretrainings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_smoke_tiny(monkeypatch)
    folder, made = write_images(tmp_path / "set"), CountingPretrain()
    few = tuple(row for row in VATS_TABLES["vats-table2"].rows if row.method in ("", "random", "imagenet", "simclr"))
    for name in ("vats-table2", "vats-table4"):
        table = VATS_TABLES[name]
        short = VatsTable(table.name, table.title, table.figures, few, table.shares, table.shots)
        monkeypatch.setitem(VATS_TABLES, name, short)
    read = tmp_path / "read.csv"
    read.write_text("table,row,figure,text,source\nvats-table2,ImageNet,kNN: accuracy,made up 12.3,a test\n", "utf-8")
    result = reproduce_vats(config_of(folder, "vats-table2", published=read), Listener(), made)
    assert result["finished"]
    assert not result["is_comparison"]
    for words in ("not implemented", "not at hand", "made up 12.3", "ours: SimCLR", "Searched on", "optimistic"):
        assert words in result["text"]
    assert "ImageNet's weights are not on this computer" in result["text"]
    assert Path(result["csv"]).read_text(encoding="utf-8").startswith("row,figure,paper,ours,seeds,steps,data")
    assert Path(result["json"]).is_file()
    reproduce_vats(config_of(folder, "vats-table4"), SilentReporter(), made)
    assert len(made.asked) == 1


def test_the_command_knows_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(vats_table, "reproduce_vats", lambda config, reporter: {"table": config.table})
    assert run_reproduce(config_of(tmp_path, "vats-table3"), SilentReporter()) == {"table": "vats-table3"}


def test_what_each_table_asks_for(tmp_path: Path) -> None:
    finetuned = asked(config_of(tmp_path, "vats-table3"), VATS_TABLES["vats-table3"], SilentReporter())
    assert finetuned.finetune
    assert finetuned.finetune_shares == (0.01, 0.1, 1.0)
    assert finetuned.shares == ()
    linear = asked(config_of(tmp_path, "vats-table2"), VATS_TABLES["vats-table2"], SilentReporter())
    assert linear.shares == (0.01, 0.1, 1.0)
    assert not linear.finetune
    assert linear.cells_folder == finetuned.cells_folder


def test_finetuned_figures_stand_for_each_share_the_last_step_beside_the_best() -> None:
    table = VATS_TABLES["vats-table3"]
    keys = [key for _, key in table.figures]
    for share in ("0.01", "0.1", "1"):
        for moment in ("best", "last"):
            for name in ("accuracy", "auc", "precision", "recall"):
                assert f"finetuned/{share}/{moment}/{name}" in keys
    assert len({heading for heading, _ in table.figures}) == len(table.figures) == 24
    assert any(line.startswith("best:") for line in table.said("60:40", by_groups=True))


def test_the_papers_splits_can_be_asked_for(tmp_path: Path) -> None:
    table = VATS_TABLES["vats-table2"]
    usual = asked(config_of(tmp_path, table.name), table, SilentReporter())
    assert (usual.split, usual.split_by, usual.normal_label) == ("60:40", "groups", "normal")
    config = config_of(tmp_path, table.name, split="random", parts="80:10:10", normal_label="")
    papers = asked(config, table, SilentReporter())
    assert (papers.split, papers.split_by, papers.normal_label) == ("80:10:10", "frames", "")


def test_what_is_said_of_the_split() -> None:
    table = VATS_TABLES["vats-table2"]
    usual, papers = table.said("60:40", by_groups=True), table.said("80:10:10", by_groups=False)
    assert any("ours are" in line for line in usual)
    assert any("on the test frames" in line for line in usual)
    assert any("frames at random" in line for line in papers)
    assert any("kept for selection" in line for line in papers)
    assert not any("best:" in line for line in VATS_TABLES["vats-table4"].said("60:40", by_groups=True))


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"parts": "80:10:10"}, "cross-validated in folds"), ({"normal_label": ""}, "normal_label cannot be empty")],
)
def test_other_tables_know_no_parts_and_need_normal_frames(tmp_path: Path, changed: dict[str, str], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        config_of(tmp_path, "pascual-table1", **changed)
