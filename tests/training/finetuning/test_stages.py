"""Linear probing, then fine-tuning: which stage is kept, and what is frozen."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.finetuning.test_fitting import asked, network
from tests.training.finetuning.test_run import config
from tests.training.pretraining.tiny_studies import write_tiny_studies
from tests.training.stopping import StopsAfter
from training.finetuning import run as finetuning_run
from training.finetuning.config import stored_config
from training.finetuning.evaluation import TOO_FEW_GROUPS, better_stage, mean_auc, stages_entry
from training.finetuning.fitting import make_optimizer, prepare
from training.finetuning.start import finetune
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.runs.reporter import SilentReporter

TWO_STAGES: dict[str, Any] = {"linear_start": True, "trained_layers": 2, "batch_norm": "frozen", "refit": False}


def figures(*aucs: float | None) -> dict[str, dict[str, Any]]:
    return {f"class {number}": {"auc": auc} for number, auc in enumerate(aucs)}


def test_the_better_stage_has_the_higher_mean_auc() -> None:
    assert mean_auc(figures(0.5, None, 0.7)) == pytest.approx(0.6)
    assert mean_auc(figures(None)) is None
    assert better_stage(figures(0.9, 0.8), figures(0.9, 0.7)) == "linear"
    assert better_stage(figures(0.9), figures(0.9)) == "network"
    assert better_stage(figures(None), figures(0.1)) == "network"


def test_a_stage_that_forgets_a_class_is_not_the_better_one() -> None:
    lower, higher = figures(0.8), figures(0.9)
    assert better_stage(lower, higher, (figures(1.0, 1.0), figures(0.99, 0.985))) == "network"
    assert better_stage(lower, higher, (figures(1.0, 1.0), figures(1.0, 0.9))) == "linear"
    assert better_stage(lower, higher, (figures(None), figures(0.5))) == "network"
    assert better_stage(higher, lower, (figures(0.9), figures(1.0))) == "linear"


def test_both_figures_are_said() -> None:
    entry = stages_entry(figures(0.9), figures(0.95), "network")
    assert entry["sentence"] == (
        "Held-out AUC: linear classifier 0.900, trained network 0.950; the trained network is kept. "
        "Because these frames chose it, its figures on them are slightly optimistic."
    )
    assert stages_entry(figures(0.9), None, "linear")["sentence"] == TOO_FEW_GROUPS
    kept = stages_entry(
        figures(0.9), figures(0.95), "linear", agreement=({"polyp": {"auc": 0.99}}, {"polyp": {"auc": 0.6}})
    )
    assert "agreement with the old model on classes without labels 0.990 and 0.600; the linear" in kept["sentence"]
    assert kept["agreement"] == {"linear": {"polyp": 0.99}, "network": {"polyp": 0.6}}


def test_other_starts_and_older_runs_are_trained_whole_in_one_stage() -> None:
    new = asked()
    for init in ("random", "/a/model"):
        one = asked(init=init)
        assert (one.linear_start, one.trained_layers, one.batch_norm) == (False, 4, "adapt")
        assert (one.learning_rate, one.model_dump()["normalise"]) == (1e-3, False)
    assert new.model_dump()["normalise"]
    assert not asked(preset="laiz").model_dump()["normalise"]
    assert (new.linear_start, new.trained_layers, new.init) == (True, 2, "imagenet")
    older = {name: value for name, value in new.model_dump().items() if name not in ("linear_start", "trained_layers")}
    stored = stored_config({**older, "init": "/a/model"})
    assert (stored.linear_start, stored.trained_layers, stored.batch_norm) == (False, 4, "frozen")


def test_more_classes_have_more_steps() -> None:
    def steps(wanted: int, classes: int, **given: Any) -> int:
        return asked(**given).steps_of(wanted, classes)

    assert [steps(1000, classes) for classes in (1, 2, 3, 10)] == [150, 150, 180, 390]
    assert steps(200, 10) == 200
    assert steps(1000, 10, preset="quick") == 208
    assert steps(1000, 10, most_steps=0) == 1000
    assert steps(1000, 10, preset="whole") == 240, "one stage"


def test_many_frames_of_many_classes_are_seen_larger() -> None:
    assert asked().for_data(2000, 5).input_size == 192
    assert asked(preset="quick").for_data(5800, 10).input_size == 192
    for few in ((1999, 5), (2000, 4)):
        assert asked().for_data(*few).input_size is None
    chosen: tuple[dict[str, Any], ...] = (
        {"input_size": 128}, {"preset": "linear"}, {"preset": "laiz"}, {"init": "/a/model"}, {"init": "random"},
    )  # fmt: skip
    for given in chosen:
        config = asked(**given)
        assert config.for_data(5800, 10) is config


def test_a_model_that_came_from_imagenet_weights_is_trained_in_two_stages(tmp_path: Path) -> None:
    lineages = {
        "new": {"init": "imagenet"},
        "again": {"init": "model", "first_start": "imagenet"},
        "older": {"init": "model", "model_id": "demo"},
        "random": {"init": "random"},
        "pretrained": {"init": "pretrained", "first_start": "imagenet"},
        "pretrained from random weights": {"init": "pretrained"},
    }
    for name, lineage in lineages.items():
        (tmp_path / name / "model").mkdir(parents=True)
        (tmp_path / name / "model" / "card.json").write_text(json.dumps({"lineage": lineage}))
    two_stages = {name for name in lineages if asked(init=str(tmp_path / name)).linear_start}
    assert two_stages == {"new", "again", "pretrained"}
    assert asked(init=str(tmp_path / "again" / "model")).model_dump()["normalise"]
    (tmp_path / "new" / "model" / "card.json").write_text("{")
    assert not asked(init=str(tmp_path / "new")).linear_start


def test_a_pretraining_that_came_from_imagenet_weights_is_trained_in_two_stages(tmp_path: Path) -> None:
    def has_two_stages(start: str) -> bool:
        content = {"command": "pretrain", "config": {"init": start}}
        (tmp_path / "config.json").write_text(json.dumps(content))
        return bool(asked(init=str(tmp_path)).linear_start)

    assert has_two_stages("imagenet")
    assert not has_two_stages("random")
    assert not has_two_stages(str(tmp_path / "absent"))


@pytest.mark.parametrize(("trained", "frozen"), [(4, 0), (2, 4 + 2), (1, 4 + 3), (0, 4 + 4)])
def test_only_the_last_layers_are_trained(trained: int, frozen: int) -> None:
    made = network()
    prepare(asked(trained_layers=trained), made, SilentReporter())
    children = list(made.trunk.children())
    still = [not any(weight.requires_grad for weight in child.parameters()) for child in children]
    assert still == [True] * frozen + [False] * (len(children) - frozen) or frozen == 0
    shaping = make_optimizer(made, asked()).param_groups[0]["params"]
    assert len(shaping) == sum(1 for weight in made.trunk.parameters() if weight.requires_grad)


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"))


def test_a_worse_second_stage_is_not_kept(studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finetuning_run, "better_stage", lambda *_: "linear")
    result = finetune(config(studies, tmp_path / "run", steps=3, **TWO_STAGES), SilentReporter())
    first = finetune(config(studies, tmp_path / "first", steps=1, learning_rate=1e-12,
                                classifier_learning_rate=1e-12, **TWO_STAGES), SilentReporter())  # fmt: skip
    assert result["stages"]["used"] == "linear"
    kept, linear = (load_network(ModelFolder.open(Path(one["model"]))).state_dict() for one in (result, first))
    assert all(torch.allclose(kept[name].float(), linear[name].float(), atol=1e-6) for name in kept)
    assert json.loads((tmp_path / "run" / "card.json").read_text())["stages"]["used"] == "linear"


def test_with_nobody_to_hold_out_the_first_stage_is_all(tmp_path: Path) -> None:
    alone = write_tiny_studies(tmp_path / "alone", patients=1)
    result = finetune(config(alone, tmp_path / "run", **TWO_STAGES), SilentReporter())
    assert (result["split"], result["steps_done"], result["finished"]) == ("time", 0, True)
    assert result["stages"]["sentence"] == TOO_FEW_GROUPS


def test_stopped_in_the_second_stage_it_resumes_to_the_same_model(studies: Path, tmp_path: Path) -> None:
    whole = finetune(config(studies, tmp_path / "whole", steps=4, **TWO_STAGES), SilentReporter())
    part = config(studies, tmp_path / "part", steps=4, **TWO_STAGES)
    assert not finetune(part, StopsAfter(2))["finished"]
    rest = finetune(part.model_copy(update={"resume": True}), SilentReporter())
    states = [load_network(ModelFolder.open(Path(one["model"]))).state_dict() for one in (whole, rest)]
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])
