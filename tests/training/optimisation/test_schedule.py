"""The course of the learning rate."""

import pytest
import torch

from training.finetuning.config import FinetuneConfig, finetune_config
from training.optimisation.schedule import plateau_factor, rate_factor
from training.pretraining.config import pretrain_config


def settings(**fields: object) -> FinetuneConfig:
    return finetune_config(studies="m", labels="l", out="o", **fields)


def test_cosine_climbs_then_falls_to_a_hundredth() -> None:
    factors = [rate_factor(settings(warmup_share=0.1), step, 100) for step in range(100)]
    assert factors[0] == pytest.approx(0.1)
    assert factors[9] == 1.0
    assert factors[9:] == sorted(factors[9:], reverse=True)
    assert factors[54] == pytest.approx(0.505)
    assert factors[-1] == pytest.approx(0.01)


def test_steps_divide_by_ten_every_1500_steps_as_in_the_paper() -> None:
    found = [rate_factor(settings(schedule="step"), step, 4500) for step in (0, 1499, 1500, 2999, 3000, 4499)]
    assert found == pytest.approx([1, 1, 0.1, 0.1, 0.01, 0.01])


def test_constant_stays() -> None:
    assert {rate_factor(settings(schedule="constant"), step, 9) for step in range(9)} == {1.0}


@pytest.mark.parametrize("schedule", ["step", "constant"])
def test_these_schedules_climb_over_their_warmup_steps_only(schedule: str) -> None:
    made = settings(schedule=schedule, warmup_steps=4, warmup_share=0.5)
    assert [rate_factor(made, step, 100) for step in range(6)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0, 1.0])


def test_the_papers_presets_neither_warm_up_nor_clip() -> None:
    for preset in ("laiz", "pascual"):
        made = settings(preset=preset)
        assert (rate_factor(made, 0, 4500), made.clip_norm) == (1.0, 0.0)
    pretraining = pretrain_config(studies="s", out="o")
    assert (rate_factor(pretraining, 0, 21_000), pretraining.clip_norm) == (1.0, 0.0)


@pytest.mark.parametrize("patience", [0, 1, 3])
@pytest.mark.parametrize(
    "losses",
    [
        [3.0, 2.0, 1.0, 0.5],
        [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0],
        [3.0, 2.9, 3.1, 2.8, 2.81, 2.82, 2.83, 2.7, 2.71, 2.72, 2.73, 2.74, 2.75, 2.76],
        [1.0, 0.99995, 0.9999, 0.99985, 0.9998, 0.99975],
    ],
)
def test_plateau_halves_as_pytorch_does(losses: list[float], patience: int) -> None:
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    theirs = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=patience)
    for count, loss in enumerate(losses, 1):
        theirs.step(loss)
        assert plateau_factor(losses[:count], patience) == optimizer.param_groups[0]["lr"]


def test_plateau_alone_only_climbs() -> None:
    config = pretrain_config(studies="m", out="o", method="colo-scrl", warmup_steps=4)
    assert [rate_factor(config, step, 100) for step in range(6)] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1, 1])
