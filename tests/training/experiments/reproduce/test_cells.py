"""Cells: trained once, taken up after a stop, made anew when anything that decides them changes."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.experiments.reproduce.fakes import FakeEngine, StoppableReporter, write_tables
from training.errors import UserError
from training.experiments.engine import Cells
from training.experiments.reproduce.budgets import SMALL
from training.experiments.reproduce.cells import Setting, run_cell
from training.experiments.reproduce.data import studies_data
from training.experiments.reproduce.tables import Training
from training.runs.reporter import Cancelled, SilentReporter

TIME = Training("tl-ba", "random", "time-triplet")
PLAIN = Training("tl-ba", "random")


def setting_of(folder: Path, unlabelled: int = 2) -> Setting:
    manifest, labels = write_tables(folder / "data", unlabelled=unlabelled)
    data = studies_data(manifest, labels, None, (), folder / "out")
    return Setting("pascual", SMALL, data, Cells(folder / "out" / "cells", "cpu", 1), {"download": False})


def test_a_cell_is_trained_once(tmp_path: Path) -> None:
    fake = FakeEngine()
    setting = setting_of(tmp_path)
    first = run_cell(setting, TIME, 0, fake.engine(), SilentReporter())
    assert run_cell(setting, TIME, 0, fake.engine(), SilentReporter()) == first
    assert len(fake.evaluated) == len(fake.pretrained) == 1


def test_all_that_changes_a_figure_is_part_of_a_cell(tmp_path: Path) -> None:
    fake = FakeEngine()
    setting = setting_of(tmp_path)
    run_cell(setting, PLAIN, 0, fake.engine(), SilentReporter())
    run_cell(replace(setting, weights={"download": True}), PLAIN, 0, fake.engine(), SilentReporter())
    assert len(fake.evaluated) == 1
    others = (
        (setting, PLAIN, 1),
        (setting, Training("tl-ba", "random", settings={"margin": 0.5}), 0),
        (setting, Training("tl-bh", "random"), 0),
        (replace(setting, budget=replace(SMALL, finetune_steps=300)), PLAIN, 0),
        (replace(setting, data=replace(setting.data, digest="other")), PLAIN, 0),
        (replace(setting, cells=replace(setting.cells, threads=2)), PLAIN, 0),
    )
    for changed, training, seed in others:
        run_cell(changed, training, seed, fake.engine(), SilentReporter())
    assert len(fake.evaluated) == 1 + len(others)
    assert len({fields["out"] for fields in fake.evaluated}) == len(fake.evaluated)


def test_rows_share_a_pretraining_and_it_never_sees_a_labelled_patient(tmp_path: Path) -> None:
    fake = FakeEngine()
    setting = setting_of(tmp_path)
    for method in ("tl-ba", "cross-entropy"):
        run_cell(setting, Training(method, "random", "time-triplet"), 0, fake.engine(), SilentReporter())
    (fields,) = fake.pretrained
    assert fields["held_out_patients"] == ("P0", "P1", "P2", "P3")
    assert fields["step_every"] == round(SMALL.pretrain_steps * 4300 / 21_000)
    assert {evaluated["init"] for evaluated in fake.evaluated} == {str(fields["out"])}


def test_a_stopped_cell_is_taken_up(tmp_path: Path) -> None:
    reporter = StoppableReporter()
    fake = FakeEngine(reporter, stop_at=1)
    setting = setting_of(tmp_path)
    with pytest.raises(Cancelled):
        run_cell(setting, PLAIN, 0, fake.engine(), reporter)
    run_cell(setting, PLAIN, 0, fake.engine(), reporter)
    assert [fields["resume"] for fields in fake.evaluated] == [False, True]
    assert fake.evaluated[0]["out"] == fake.evaluated[1]["out"]


def test_a_damaged_cell_is_made_again(tmp_path: Path) -> None:
    fake = FakeEngine()
    setting = setting_of(tmp_path)
    run_cell(setting, PLAIN, 0, fake.engine(), SilentReporter())
    (kept,) = setting.cells.folder.glob("*/cell.json")
    kept.write_text('{"result": ', encoding="utf-8")
    run_cell(setting, PLAIN, 0, fake.engine(), SilentReporter())
    assert len(fake.evaluated) == 2


def test_without_outside_studies_each_fold_pretrains_for_itself(tmp_path: Path) -> None:
    fake = FakeEngine()
    setting = setting_of(tmp_path, unlabelled=0)
    run_cell(setting, Training("tl-ba", "imagenet", "time-triplet"), 0, fake.engine(), SilentReporter())
    assert not fake.pretrained
    (fields,) = fake.evaluated
    assert (fields["init"], fields["pretrain"]) == ("random", "time-triplet")
    assert fields["pretrain_settings"]["init"] == "imagenet"
    assert fields["pretrain_settings"]["steps"] == SMALL.pretrain_steps
    assert not {"preset", "method", "seed"} & fields["pretrain_settings"].keys()


def test_epochs_that_come_to_too_few_steps_are_refused_and_not_kept(tmp_path: Path) -> None:
    setting = replace(setting_of(tmp_path), budget=replace(SMALL, finetune_steps=None))
    with pytest.raises(UserError, match="150 steps per training are too few"):
        run_cell(setting, PLAIN, 0, FakeEngine(settles=150).engine(), SilentReporter())
    fake = FakeEngine(settles=200)
    run_cell(setting, PLAIN, 0, fake.engine(), SilentReporter())
    assert len(fake.evaluated) == 1


def test_a_pretraining_in_each_fold_starts_where_the_row_says(tmp_path: Path) -> None:
    fake, setting = FakeEngine(), setting_of(tmp_path, unlabelled=0)
    for start in ("random", "imagenet"):
        run_cell(setting, Training("tl-ba", start, "time-triplet"), 0, fake.engine(), SilentReporter())
    assert [fields["pretrain_settings"]["init"] for fields in fake.evaluated] == ["random", "imagenet"]
