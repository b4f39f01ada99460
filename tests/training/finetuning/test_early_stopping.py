"""Early stopping: which weights are kept, when training ends, and what a resumed run has."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tests.training.finetuning.test_run import config
from tests.training.pretraining.tiny_studies import write_tiny_studies
from tests.training.stopping import StopsAfter
from training.files.tensors import load_tensors
from training.finetuning import run as finetuning_run
from training.finetuning.held_out import EarlyStopping
from training.finetuning.start import finetune
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.runs.checkpoint import list_checkpoints
from training.runs.reporter import SilentReporter

STEPS = 6
EARLY: dict[str, Any] = {
    "linear_start": True, "trained_layers": 2, "batch_norm": "frozen", "refit": False, "patience": 2, "steps": STEPS,
    "evaluations": STEPS,
}  # fmt: skip


def layer(value: float) -> nn.Linear:
    made = nn.Linear(2, 2)
    with torch.no_grad():
        made.weight.fill_(value)
    return made


def test_the_best_weights_are_kept_and_of_equal_ones_the_later(tmp_path: Path) -> None:
    early = EarlyStopping(tmp_path / "best.safetensors", (1, 2, 3, 4), patience=2)
    for step, auc in ((1, 0.8), (2, 0.9), (3, 0.9), (4, 0.7)):
        early.add(step, auc, layer(step))
    early.add(5, None, layer(5))
    network = layer(0)
    early.restore(network)
    assert float(network.weight.detach()[0, 0]) == 3
    assert early.best_step == 3


def test_training_ends_after_patience_evaluations_without_a_better_one(tmp_path: Path) -> None:
    early = EarlyStopping(tmp_path / "best.safetensors", (10, 20, 30, 40), patience=2)
    early.add(10, 0.9, layer(1))
    early.add(20, 0.8, layer(2))
    assert not early.is_over(20)
    assert not early.is_over(29)
    early.add(30, 0.8, layer(3))
    assert early.is_over(30)


def test_a_resumed_run_has_the_weights_of_earlier_steps_only(tmp_path: Path) -> None:
    path = tmp_path / "best.safetensors"
    EarlyStopping(path, (1, 2), patience=1).add(2, 0.9, layer(2))
    assert EarlyStopping(path, (1, 2), patience=1, first_step=2).best_auc == 0.9
    assert EarlyStopping(path, (1, 2), patience=1, first_step=1).best_step == 0
    path.write_bytes(b"damaged")
    assert EarlyStopping(path, (1, 2), patience=1, first_step=2).best_step == 0


def test_without_an_evaluation_the_network_stays_as_it_is(tmp_path: Path) -> None:
    early = EarlyStopping(tmp_path / "best.safetensors", (), patience=1)
    network = layer(7)
    early.restore(network)
    assert float(network.weight.detach()[0, 0]) == 7
    assert not early.is_over(100)


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"))


def falling(monkeypatch: pytest.MonkeyPatch, best_step: int) -> None:
    """Held-out AUC as training sees it: highest at a step, lower ever after."""
    monkeypatch.setattr(finetuning_run, "better_stage", lambda *_: "network")

    class Known(EarlyStopping):
        def add(self, step: int, auc: float | None, network: nn.Module) -> None:
            super().add(step, 1.0 - abs(step - best_step) / 100, network)

    monkeypatch.setattr(finetuning_run, "EarlyStopping", Known)


def test_a_run_ends_early_with_its_best_weights(studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    falling(monkeypatch, 2)
    result = finetune(config(studies, tmp_path / "run", **EARLY), SilentReporter())
    assert (result["steps_done"], result["steps"], result["finished"]) == (4, STEPS, True)
    best = load_tensors(tmp_path / "run" / "checkpoints" / "best.safetensors")
    kept = load_network(ModelFolder.open(Path(result["model"]))).state_dict()
    last = list_checkpoints(tmp_path / "run" / "checkpoints")[0]
    assert last.step == 4
    assert all(torch.allclose(kept[name], best[name]) for name in kept)
    assert any(not torch.equal(last.state()[name], best[name]) for name in kept)
    whole = finetune(config(studies, tmp_path / "whole", **{**EARLY, "patience": 0}), SilentReporter())
    assert whole["steps_done"] == STEPS
    log = (tmp_path / "run" / "log.txt").read_text(encoding="utf-8")
    assert "The weights of step 2 are used" in log


def test_a_stopped_run_resumes_to_the_same_weights(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    falling(monkeypatch, 2)
    whole = finetune(config(studies, tmp_path / "whole", **EARLY), SilentReporter())
    part = config(studies, tmp_path / "part", **EARLY)
    assert not finetune(part, StopsAfter(3))["finished"]
    rest = finetune(part.model_copy(update={"resume": True}), SilentReporter())
    assert (rest["steps_done"], rest["finished"]) == (4, True)
    states = [load_network(ModelFolder.open(Path(one["model"]))).state_dict() for one in (whole, rest)]
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])
