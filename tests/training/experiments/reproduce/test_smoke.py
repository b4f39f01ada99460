"""A whole table on a tiny phantom, with real trainings: rendered, pretrained, cross-validated, printed, kept."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.training.experiments.benchmark.small_sets import GROUPS, write_images
from training.experiments.reproduce import budgets, reproduction, tables
from training.experiments.reproduce.budgets import SMOKE
from training.experiments.reproduce.data import PhantomSet, rendered
from training.experiments.reproduce.published import find_table
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.experiments.reproduce.reproduction import reproduce
from training.runs.reporter import Cancelled, SilentReporter

TINY = PhantomSet(4, 60, 1, 40, size_px=48, positive_share=0.3)


class Told(SilentReporter):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def make_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget `smoke` with two steps at 32 px."""
    tiny = replace(
        SMOKE,
        backbone="tiny",
        input_size=32,
        pretrain_steps=2,
        finetune_steps=2,
        phantom=TINY,
        pretrain={**SMOKE.pretrain, "sequence_length": 8},
        batch_size=8,
        normal_per_study=12,
    )
    monkeypatch.setitem(budgets.BUDGETS, "smoke", tiny)


def test_a_table_from_start_to_end_and_again_without_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tiny(monkeypatch)
    table = find_table("pascual-table3")
    only = replace(table, rows=(replace(table.rows[-1], against=()),))
    monkeypatch.setattr(reproduction, "find_table", lambda _: only)
    given: dict[str, Any] = {
        "table": "pascual-table3",
        "phantom": True,
        "budget": "smoke",
        "out": tmp_path / "out",
        "cache": tmp_path / "phantom",
        "weights_cache": tmp_path / "none",
        "device": "cpu",
        "threads": 1,
    }
    command = ReproduceConfig(**given)
    first = reproduce(command, Told())
    assert first["finished"]
    assert f"{tables.RANDOM}Time-based SSL" in first["text"]
    assert "Not a comparison" in first["text"]
    again = Told()
    assert reproduce(command, again)["text"] == first["text"]
    assert not any("Rendering" in line or "Pretraining" in line for line in again.lines)


def test_images_of_a_folder_are_cross_validated_by_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tiny(monkeypatch)
    folder, table = write_images(tmp_path / "set"), find_table("laiz-table8")
    monkeypatch.setattr(reproduction, "find_table", lambda _: replace(table, rows=table.rows[1:2]))
    given: dict[str, Any] = {"images": folder / "images", "labels": folder / "labels.csv", "budget": "smoke"}
    out: dict[str, Any] = {"out": tmp_path / "out", "weights_cache": tmp_path / "none", "device": "cpu", "threads": 1}
    result = reproduce(ReproduceConfig(table=table.name, **given, **out), Told())
    assert result["finished"]
    (report,) = json.loads(Path(result["json"]).read_text(encoding="utf-8"))["reports"][f"{tables.RANDOM}margin 0.2"]
    assert report["data"]["patients"] == GROUPS
    assert "2 folds by group" in result["text"]


def test_too_few_studies_are_named_before_anything_is_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = rendered(TINY, tmp_path / "phantom", Told())
    table = find_table("pascual-table1")
    monkeypatch.setattr(reproduction, "find_table", lambda _: replace(table, rows=table.rows[:1]))
    given: dict[str, Any] = {
        "table": "pascual-table1",
        "studies": where.manifest,
        "labels": where.labels,
        "budget": "smoke",
        "out": tmp_path / "out",
        "weights_cache": tmp_path / "none",
        "device": "cpu",
        "threads": 1,
    }
    for outside, count in ((where.outside, 1), (None, 2)):  # each of two folds is trained on two of four patients
        reporter = Told()
        result = reproduce(ReproduceConfig(**given, pretrain_studies=outside), reporter)
        sentence = f"8 sequences from different studies cannot be drawn from {count}."
        assert reporter.lines[-1].endswith(f" is left out: {sentence}")
        assert sentence in result["text"]
        assert not (tmp_path / "out" / "cells").exists()


def test_an_interrupted_rendering_goes_on(tmp_path: Path) -> None:
    phantom = PhantomSet(1, 4, 1, 4, size_px=48, positive_share=0.0)
    stopping = Told()
    stopping.stop_requested = True
    with pytest.raises(Cancelled):
        rendered(phantom, tmp_path, stopping)
    where = rendered(phantom, tmp_path, Told())
    assert where.manifest.is_file()
    assert where.outside.is_file()
    again = Told()
    assert rendered(phantom, tmp_path, again) == where
    assert not again.lines


def test_another_number_is_another_set() -> None:
    assert TINY.key != replace(TINY, seed=1).key
    assert "4 labelled patients" in TINY.sentence
