"""What a benchmark is said to cost, and how many frames fit into hours."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.training.experiments.benchmark.small_sets import asked, make_smoke_tiny, write_images
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.errors import UserError
from training.experiments.benchmark import comparison
from training.experiments.benchmark.comparison import PAPER, SMALL, SMOKE, Comparison
from training.experiments.benchmark.data import benchmark_data
from training.experiments.benchmark.plan import FORWARD, Finetunings, Plan, fit_to_hours, planned, stored_comparison
from training.experiments.benchmark.pretraining import training_frames
from training.experiments.benchmark.run import benchmark
from training.experiments.engine import FEWEST_STEPS
from training.runs.reporter import Reporter, SilentReporter

PLAN = Plan(SMALL, ("random", "simclr", "pgcon"), (0, 1, 2), 1500, most_frames=10_000_000)
FINETUNINGS = Finetunings((0.1, 1.0), training=900, looked_at=600)


def test_hours_become_frames_up_to_the_most() -> None:
    hours = PLAN.frames() / 100.0 / 3600
    assert fit_to_hours(PLAN, hours, 100.0).frames == pytest.approx(SMALL.frames, rel=0.01)
    assert fit_to_hours(PLAN, 2 * hours, 100.0).steps > 1.9 * SMALL.steps
    assert fit_to_hours(PLAN, 1e9, 100.0).frames == 10_000_000
    with pytest.raises(UserError, match="too few"):
        fit_to_hours(PLAN, hours / 10, 100.0)


def test_finetunings_are_counted_in_every_cell() -> None:
    learned, seen = 2 * 200 * 32, 2 * 5 * 600  # two shares; of each 200 steps of 32 frames, looked at five times
    assert FINETUNINGS.frames(SMALL) == pytest.approx(learned + FORWARD * seen)
    assert Finetunings().frames(SMALL) == 0
    longer = replace(PLAN, finetunings=FINETUNINGS)
    cells = len(PLAN.methods) * len(PLAN.seeds)
    assert longer.frames() - PLAN.frames() == pytest.approx(cells * FINETUNINGS.frames(SMALL))
    papers = Finetunings((1.0,), training=3200, looked_at=0)
    assert papers.frames(PAPER.sized(3200)) == 300 * 3200


def test_hours_leave_room_for_the_finetunings() -> None:
    hours = 3 * PLAN.frames() / 100.0 / 3600
    alone, finetuned = (fit_to_hours(plan, hours, 100.0) for plan in (PLAN, replace(PLAN, finetunings=FINETUNINGS)))
    assert FEWEST_STEPS < finetuned.steps < alone.steps
    filled = replace(PLAN, comparison=finetuned, finetunings=FINETUNINGS)
    assert filled.frames() / 100.0 / 3600 == pytest.approx(hours, rel=0.01)


def test_what_it_costs_is_told_before_the_start() -> None:
    said = " ".join(Plan(SMALL, ("random", "simclr"), (0, 1), 100).sentences(100.0))
    for part in (
        "2 methods",
        "2 seeds (0, 1)",
        "19,200 frames in 300 steps",
        "efficientnet_lite0 at 96 px",
        "About 13 minutes",
    ):
        assert part in said
    finetuned = Plan(SMALL, ("random", "simclr"), (0, 1), 100, FINETUNINGS)
    assert "About 23 minutes" in " ".join(finetuned.sentences(100.0))
    assert "Not a comparison" in " ".join(Plan(SMOKE, ("random",), (0,), 10).sentences(None))


def test_at_most_ten_minutes_a_pretraining_at_200_frames_a_second() -> None:
    for method in ("simclr", "time-triplet", "pirl", "pgcon", "wincon"):
        alone = Plan(SMALL, (method,), (0,), 0)
        assert alone.frames() / 200.0 <= 10 * 60


def test_the_frames_of_the_hours_are_measured_once(tmp_path: Path) -> None:
    plan = Plan(SMALL, ("simclr",), (0,), 100)
    hours = 2 * plan.frames() / 100.0 / 3600
    first = stored_comparison(tmp_path, plan, hours, 100.0, "data")
    assert first.steps > SMALL.steps
    assert stored_comparison(tmp_path, plan, hours, 57.0, "data") == first
    assert stored_comparison(tmp_path, plan, hours, 57.0, "other data").frames < first.frames


@pytest.mark.parametrize(
    "changed",
    [{"methods": ("pgcon", "wincon")}, {"seeds": (0, 1)}, {"finetunings": Finetunings((1.0,), 900, 600)}],
    ids=["methods", "seeds", "finetunings"],
)
def test_a_call_that_costs_more_does_not_take_the_frames_of_another(tmp_path: Path, changed: dict[str, Any]) -> None:
    plan = Plan(SMALL, ("random", "simclr"), (0,), 100)
    hours = 10 * plan.frames() / 100.0 / 3600
    first = stored_comparison(tmp_path, plan, hours, 100.0, "data")
    assert stored_comparison(tmp_path, replace(plan, **changed), hours, 100.0, "data").frames < first.frames
    other_order = replace(plan, methods=("simclr", "random"), seeds=(7,))
    assert stored_comparison(tmp_path, other_order, hours, 57.0, "data").frames == first.frames


def test_the_frames_that_teach_are_counted(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "images")
    images = benchmark_data(asked(folder), SilentReporter())
    assert training_frames(images, SilentReporter()) == len(images.split.training) < len(images.frames.labelled)
    folder = write_tiny_studies(tmp_path / "studies", patients=4, frames=12)
    studies = asked(folder, images=None, studies=folder / "manifest.json", split="60:40", normal_per_study=1)
    data = benchmark_data(studies, SilentReporter())
    assert training_frames(data, SilentReporter()) == 12 * (4 - len(data.kept_out))


def test_a_plan_knows_what_is_finetuned_and_the_papers_length(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    figure_text = {"finetune": True, "finetune_shares": (0.1, 1.0)}
    data = benchmark_data(asked(folder, **figure_text, split="80:10:10"), SilentReporter())
    assert data.split.choosing is not None
    plan = planned(SMALL, ("random",), (0,), data, 1000)
    assert plan.finetunings == Finetunings((0.1, 1.0), len(data.split.training), len(data.split.choosing))
    assert plan.most_frames == PAPER.sized(1000).frames == 600_000
    assert planned(SMALL, ("random",), (0,), data, 5).most_frames == FEWEST_STEPS * SMALL.batch
    assert planned(SMALL, ("random",), (0,), data, 0).most_frames == math.inf
    without = benchmark_data(asked(folder), SilentReporter())
    assert planned(SMALL, ("random",), (0,), without, 1000).finetunings == Finetunings(
        (), len(without.split.training), len(without.split.test)
    )
    with pytest.raises(UserError, match="steps a pretraining are too few"):
        planned(PAPER, ("random",), (0,), data, 3)


def test_a_budget_of_epochs_is_as_long_as_its_data_set_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_smoke_tiny(monkeypatch)
    tiny = comparison.COMPARISONS["smoke"]
    fixed = {name: getattr(tiny, name) for name in ("backbone", "input_size", "batch", "pretrain", "of_method")}
    epochs = Comparison("smoke", frames=0, epochs=3, is_comparison=False, epochs_factor=0.01, **fixed)
    monkeypatch.setitem(comparison.COMPARISONS, "smoke", epochs)
    folder, steps = write_images(tmp_path / "set"), []

    def only_asked(fields: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
        steps.append(fields["steps"])
        raise UserError("That is enough.")

    data = benchmark_data(asked(folder), SilentReporter())
    with pytest.raises(UserError, match="enough"):
        benchmark(asked(folder, methods=("simclr",), seeds=1), SilentReporter(), only_asked)
    assert steps == [3 * len(data.split.training) // tiny.batch]
    assert steps != [tiny.steps]
