"""Budgets: what is refused, what hours change, and that what was frozen stays frozen."""

import hashlib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.datasets.labelled_frames import LabelledFrames
from training.errors import UserError
from training.experiments.engine import FEWEST_STEPS
from training.experiments.reproduce.budgets import (
    BUDGETS,
    PAPER,
    PROTOCOL,
    SMALL,
    SMOKE,
    finetune_settings,
    scaled,
)
from training.experiments.reproduce.published import find_table
from training.experiments.reproduce.reproduction import Plan, absence, fit_to_hours
from training.experiments.reproduce.tables import Paper, Row, Training, planned_rows
from training.finetuning.batches import make_sampler
from training.finetuning.config import PRESETS, finetune_config
from training.methods.registry import PRETRAINING
from training.models.backbones import has_imagenet_weights
from training.pretraining.config import PretrainConfig

FROZEN = {"smoke": "975b78137f4b", "brief": "a5239efa9338", "small": "3b7e4416c696", "paper": "1810734b2739"}

USUAL = {"passes": 1, "frames_per_second": 2, "speed": 1.0, "alike": False, "places": False, "turns": 1}
"""Settings of phantoms that came later."""


def digest(budget: str) -> str:
    """Of everything that a budget says, settings that it does not have left out.

    `of_method` had SimCLR's settings alone, under its name, when it was frozen.
    """
    said = asdict(BUDGETS[budget])
    for name in ("of_paper", "finetune_of_method"):
        if not said[name]:
            del said[name]
    said["phantom"] = {name: value for name, value in said["phantom"].items() if USUAL.get(name) != value}
    of_method = said.pop("of_method")
    assert of_method.keys() <= {"simclr"}
    said["simclr"] = of_method.get("simclr", {})
    return hashlib.sha256(repr(sorted(said.items())).encode()).hexdigest()[:12]


@pytest.mark.parametrize("name", BUDGETS)
def test_what_was_frozen_before_the_first_comparison_is_still_the_same(name: str) -> None:
    message = "Only a demonstrated defect, with the test that shows it, changes a budget; raise PROTOCOL with it."
    assert (digest(name), PROTOCOL) == (FROZEN[name], 3), message


@pytest.mark.parametrize("paper", ["laiz", "pascual"])
def test_the_small_budget_has_the_papers_task(paper: Paper) -> None:
    """One class against normal; the paper's share of positives in a batch, of which each has at least one triplet."""
    given = finetune_settings(SMALL, paper)
    settings = finetune_config(studies="-", labels="-", out="-", batch_size=SMALL.batch_size, **given)
    nothing = np.zeros(400, np.int64)
    frames = LabelledFrames((), ("normal", "polyp"), nothing, np.arange(400), np.arange(400) // 398)
    batches = make_sampler(settings, frames)
    positives = [int(frames.label[batches.batch(step)].sum()) for step in range(20)]
    published = finetune_config(studies="-", labels="-", out="-", preset=paper)
    assert (settings.sampling, paper) in (("balanced", "laiz"), ("proportional", "pascual"))
    assert settings.sampling == published.sampling
    assert set(positives) == ({round(24 * published.positive_share)} if paper == "laiz" else {2})


def test_the_small_budget_starts_as_the_papers_do(tmp_path: Path) -> None:
    """From ImageNet weights, which come with the program; short trainings need embeddings of unit length."""
    assert has_imagenet_weights(SMALL.backbone, tmp_path)
    for method, is_scaled in (("tl-ba", True), ("tl-bh", True), ("cross-entropy", False)):
        given = finetune_settings(SMALL, "pascual", method)
        made = finetune_config(studies="-", labels="-", out="-", method=method, preset="whole", **given).model_dump()
        assert (made.get("normalise", False), made.get("classifier_gradient", False)) == (is_scaled, False)


def test_short_trainings_are_refused_except_in_smoke() -> None:
    SMOKE.check()
    SMALL.check()
    PAPER.check()
    few: tuple[dict[str, Any], ...] = ({"finetune_steps": FEWEST_STEPS - 1}, {"pretrain_steps": FEWEST_STEPS - 1})
    for short in few:
        with pytest.raises(UserError, match="199 steps"):
            replace(SMALL, **short).check()


def test_scaling_keeps_between_the_fewest_and_the_papers_steps() -> None:
    assert scaled(SMALL, 2.0).finetune_steps == 2 * (SMALL.finetune_steps or 0)
    assert scaled(SMALL, 1e6).finetune_steps == 4500
    assert scaled(SMALL, 1e6).pretrain_steps == 21_000
    with pytest.raises(UserError, match="too few"):
        scaled(SMALL, 0.5)


def test_presets_and_settings_exist() -> None:
    for budget in BUDGETS.values():
        assert set(budget.presets.values()) <= PRESETS.keys()
        own = {name for settings in budget.of_method.values() for name in settings}
        assert budget.pretrain.keys() | own <= PretrainConfig.every_field().keys()
        assert budget.of_method.keys() <= PRETRAINING.keys()


def plan_of(table: str, seeds: int = 1) -> Plan:
    """A small plan on the phantom without ImageNet weights."""
    rows = planned_rows(find_table(table), weights_there=False)
    trained = tuple(row for row in rows if not absence(row, weights_there=False, can_pretrain=True))
    return Plan(find_table(table), SMALL, trained, tuple(range(seeds)))


def test_folds_repeats_and_steps_are_told_before_the_start() -> None:
    said = " ".join(plan_of("pascual-table3", 3).sentences(130.0))
    for part in (
        "4 rows",
        "3 folds",
        "3 repeats",
        "seeds 0, 1, 2",
        "200 steps",
        "pretraining 200",
        "efficientnet_lite0 at 128 x 128",
    ):
        assert part in said


@pytest.mark.parametrize("table", ["pascual-table3", "laiz-table6"])
def test_the_small_budget_takes_at_most_twenty_minutes_at_130_images_a_second(table: str) -> None:
    assert plan_of(table).seconds(130.0) <= 20 * 60


def test_hours_become_steps() -> None:
    plan = plan_of("laiz-table6")
    hours = 2 * plan.seconds(130.0) / 3600
    assert fit_to_hours(plan, hours, 130.0).budget.finetune_steps == 2 * (SMALL.finetune_steps or 0)
    with pytest.raises(UserError, match=r"0\.01 hours are too few for laiz-table6"):
        fit_to_hours(plan, 0.01, 130.0)


def test_each_pretraining_counts_once_however_many_rows_share_it() -> None:
    assert plan_of("pascual-table3").pretrainings == 2
    assert plan_of("laiz-table6").pretrainings == 0
    assert plan_of("pascual-table1").pretrainings == 13


def test_why_a_row_has_no_figure() -> None:
    everything = {"weights_there": True, "can_pretrain": True}
    assert absence(Row("SSAEIM"), **everything) == "not implemented"
    row = Row("Time-based SSL", Training("tl-ba", pretrain="time-triplet"))
    assert absence(row, **everything) == ""
    assert absence(row, weights_there=False, can_pretrain=True) == "weights absent"
    assert absence(row, weights_there=True, can_pretrain=False) == "no videos to pretrain on"
