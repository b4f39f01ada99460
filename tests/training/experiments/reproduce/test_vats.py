"""The tables of Vats et al. 2022: rows, the paper's figures only where read, and what the benchmark found beside."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.training.experiments.benchmark.small_sets import CountingPretrain, Listener, make_smoke_tiny, write_images
from training.commands.evaluate import run_reproduce
from training.experiments.benchmark.comparison import METHODS
from training.experiments.reproduce import vats_table
from training.experiments.reproduce.published import published_figures, row_names
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.vats import VATS_TABLES, DataSet, VatsTable
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


def test_the_papers_figures_stand_beside_what_is_not_there() -> None:
    lines = table_lines(VATS_TABLES["vats-table2"], empty_report(), published_figures(), "cad-cap")
    assert ("PGCon", "accuracy, kNN", "68.0 % (CAD-CAP)", "not reached", "-", "-", "-") in lines
    assert ("Vats et al. (supervised)", "accuracy, kNN", "58.7 % (CAD-CAP)", "not implemented", "-", "-", "-") in lines


def test_a_figure_of_the_paper_stands_beside_ours_where_the_data_are_the_same() -> None:
    report = empty_report()
    paths = [f"linear/1/{moment}/accuracy" for moment in ("best", "last")]
    figures = {path: {"mean": 0.5, "deviation": None} for path in paths}
    report["methods"] = [{"name": "random", "figures": figures, "absent": "", "seeds": [0]}]
    table, published = VATS_TABLES["vats-table3"], published_figures()

    def of_random(data_set: DataSet) -> dict[str, tuple[str, str]]:
        lines = table_lines(table, report, published, data_set)
        return {line[1]: (line[2], line[3]) for line in lines if line[0] == "Random R50"}

    kid = of_random("fs-kid")
    assert kid["accuracy, linear, FS-KID, best"] == ("24.5 %", "50.0 %")
    assert kid["accuracy, linear, FS-KID, last"] == ("-", "50.0 %")
    assert kid["accuracy, linear, OSF-Kvasir, best"] == ("56.8 %", "other data")
    assert "accuracy, linear, these data 100 %, best" not in kid
    other = of_random("")
    assert other["accuracy, linear, FS-KID, best"] == ("24.5 %", "other data")
    assert other["accuracy, linear, these data 100 %, best"] == ("-", "50.0 %")
    assert "accuracy, linear, FS-KID, last" not in other


def test_knn_on_other_data_does_not_stand_beside_the_papers_cad_cap() -> None:
    report = empty_report()
    figures = {"knn/projection/accuracy": {"mean": 0.5, "deviation": None}}
    report["methods"] = [{"name": "pgcon", "figures": figures, "absent": "", "seeds": [0]}]
    table, published = VATS_TABLES["vats-table2"], published_figures()

    def of_pgcon(data_set: DataSet) -> list[tuple[str, ...]]:
        lines = table_lines(table, report, published, data_set)
        return [line[1:4] for line in lines if line[0] == "PGCon"]

    assert of_pgcon("cad-cap") == [("accuracy, kNN", "68.0 % (CAD-CAP)", "50.0 %")]
    assert of_pgcon("") == [
        ("accuracy, kNN", "68.0 % (CAD-CAP)", "other data"),
        ("accuracy, kNN, these data", "-", "50.0 %"),
    ]


@pytest.mark.parametrize(("table", "data_set"), [("vats-table2", "osf-kvasir"), ("vats-table4", "fs-kid")])
def test_a_data_set_that_the_table_has_no_figures_of_is_refused(tmp_path: Path, table: str, data_set: str) -> None:
    with pytest.raises(ValidationError, match=f"{table} has no figures of {data_set}; it has those of .*cad-cap"):
        config_of(tmp_path, table, data_set=data_set)


def empty_report() -> dict[str, Any]:
    """Of a benchmark in which no method was evaluated."""
    absent = [{"name": name, "figures": {}, "absent": "not reached", "seeds": []} for name in METHODS]
    return {"methods": absent, "comparison": {"steps": 4}, "data": {"sentence": "none"}}


def test_a_table_from_start_to_end_shares_its_pretrainings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_smoke_tiny(monkeypatch)
    folder, made = write_images(tmp_path / "set"), CountingPretrain()
    for name in ("vats-table2", "vats-table3"):
        few = tuple(row for row in VATS_TABLES[name].rows if row.key in ("", "random", "imagenet", "simclr"))
        monkeypatch.setitem(VATS_TABLES, name, replace(VATS_TABLES[name], rows=few))
    read = tmp_path / "read.csv"
    text = "table,row,figure,text,source\nvats-table2,others' systems,kNN: accuracy,made up 12.3,a test\n"
    read.write_text(text, "utf-8")
    result = reproduce_vats(config_of(folder, "vats-table2", published=read), Listener(), made)
    assert result["finished"]
    assert not result["is_comparison"]
    for words in (
        "not implemented",
        "made up 12.3",
        "The paper's figures: a test.",
        "ours: SimCLR",
    ):
        assert words in result["text"]
    assert "ImageNet's weights are not on this computer" in result["text"]
    assert Path(result["csv"]).read_text(encoding="utf-8").startswith("row,figure,paper,ours,seeds,steps,data")
    assert Path(result["json"]).is_file()
    linear = reproduce_vats(config_of(folder, "vats-table3", data_set="fs-kid"), SilentReporter(), made)
    assert "optimistic" in linear["text"]
    assert len(made.asked) == 1


def test_the_command_knows_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(vats_table, "reproduce_vats", lambda config, reporter: {"table": config.table})
    assert run_reproduce(config_of(tmp_path, "vats-table3"), SilentReporter()) == {"table": "vats-table3"}


def test_what_each_table_asks_for(tmp_path: Path) -> None:
    finetuned = asked(config_of(tmp_path, "vats-table4"), VATS_TABLES["vats-table4"], SilentReporter())
    assert (finetuned.finetune, finetuned.finetune_shares, finetuned.shares) == (True, (1.0,), ())
    knn = asked(config_of(tmp_path, "vats-table2"), VATS_TABLES["vats-table2"], SilentReporter())
    assert (knn.finetune, knn.shares, knn.shots) == (False, (), ())
    assert knn.cells_folder == finetuned.cells_folder


@pytest.mark.parametrize(
    ("data_set", "shares", "parts"),
    [("", (0.01, 0.1, 1.0), "60:40"), ("fs-kid", (1.0,), "60:40"), ("cad-cap", (0.01, 0.1, 1.0), "80:10:10")],
)
def test_a_data_set_has_its_shares_and_its_split(
    tmp_path: Path, data_set: DataSet, shares: tuple[float, ...], parts: str
) -> None:
    table = VATS_TABLES["vats-table3"]
    made = asked(config_of(tmp_path, table.name, data_set=data_set), table, SilentReporter())
    assert (made.shares, made.split) == (shares, parts)
    other = asked(config_of(tmp_path, table.name, data_set=data_set, parts="60:40"), table, SilentReporter())
    assert other.split == "60:40"


def test_finetuned_figures_are_accuracy_auc_precision_and_recall() -> None:
    table = VATS_TABLES["vats-table4"]
    paths = {figure.path for figure in table.figures}
    assert paths == {
        f"finetuned/1/{moment}/{name}"
        for moment in ("best", "last")
        for name in ("accuracy", "auc", "precision", "recall")
    }
    assert len({figure.key for figure in table.figures}) == len(table.figures) == 3 * 8
    assert any(line.startswith("best:") for line in table.said("60:40", by_groups=True))


def test_the_papers_splits_can_be_asked_for(tmp_path: Path) -> None:
    table = VATS_TABLES["vats-table2"]
    usual = asked(config_of(tmp_path, table.name), table, SilentReporter())
    assert (usual.split, usual.split_by, usual.normal_label) == ("60:40", "groups", "normal")
    config = config_of(tmp_path, table.name, split="random", parts="80:10:10", normal_label="")
    papers = asked(config, table, SilentReporter())
    assert (papers.split, papers.split_by, papers.normal_label) == ("80:10:10", "frames", "")


def test_what_is_said_of_the_split() -> None:
    table = VATS_TABLES["vats-table3"]
    usual, papers = table.said("60:40", by_groups=True), table.said("80:10:10", by_groups=False)
    assert any("Ours are by patient" in line for line in usual)
    assert any("on the test frames" in line for line in usual)
    assert any("divided at random" in line for line in papers)
    assert all(any("does not say how frames are divided" in line for line in said) for said in (usual, papers))
    assert any("does not say from which weights" in line for line in usual)
    assert any("R50 is a ResNet-50" in line for line in usual)
    assert any("kept for selection" in line for line in papers)
    assert not any("best:" in line for line in VATS_TABLES["vats-table2"].said("60:40", by_groups=True))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"parts": "80:10:10"}, "parts belongs to the vats tables"),
        ({"normal_label": ""}, "normal_label cannot be empty"),
        ({"data_set": "cad-cap"}, "data_set belongs to the vats tables"),
    ],
)
def test_other_tables_know_no_parts_and_need_normal_frames(tmp_path: Path, changed: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        config_of(tmp_path, "pascual-table1", **changed).check_used(changed)


def test_a_table_pretrains_on_one_folder_and_evaluates_on_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_smoke_tiny(monkeypatch)
    few = tuple(row for row in VATS_TABLES["vats-table2"].rows if row.key in ("random", "simclr"))
    monkeypatch.setitem(VATS_TABLES, "vats-table2", replace(VATS_TABLES["vats-table2"], rows=few))
    evaluated, other = write_images(tmp_path / "set"), write_images(tmp_path / "kvasir", each=4) / "images"
    here = reproduce_vats(config_of(evaluated, "vats-table2"), SilentReporter())
    config = config_of(evaluated, "vats-table2", pretrain_images=(other,))
    result = run_reproduce(config, SilentReporter())
    said, before = (" ".join(each["text"].split()) for each in (result, here))
    assert re.search(r"labelled frames of 5 groups; pretrained on \d+ images of images", said)
    assert re.search(r"each pretraining here is on \d+ images of images, and nothing of the test part", said)
    assert "training frames of the data of this table" in before
    cells = [path.name.rpartition("-")[0] for path in (evaluated / "out" / "cells").iterdir() if path.is_dir()]
    assert cells.count("pretrain-simclr") == 2, "pretrained anew"
    assert run_reproduce(config, SilentReporter())["text"] == result["text"]
