"""Starting points: what is kept of an old model, and what is random only by the seed."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from training.errors import UserError
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.starting_point import StartingPoint, starting_point
from training.finetuning.training_set import united_classes
from training.models.backbones import find_backbone
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network
from training.runs.reporter import SilentReporter


def asked(init: object, **fields: object) -> FinetuneConfig:
    return finetune_config(studies="m", labels="l", out="o", init=str(init), **fields)


def start(config: FinetuneConfig, *targets: str) -> StartingPoint:
    return starting_point(config, ("normal", *targets), "new", SilentReporter())


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(5)
    network = FrameClassifier(ModelConfig(model_id="old", classes=("normal", "polyp", "ulcer"), input_size=96))
    card = {"split": {"training_patients": ["A"]}, "lineage": {"taught_patients": ["B"]}}
    path = tmp_path_factory.mktemp("models") / "old"
    save_network(network, path, card)
    return path


def test_old_rows_are_copied_and_new_ones_favour_nothing(old: Path) -> None:
    point = start(asked(old), "blood", "polyp")
    config = point.network.config
    assert config.classes == ("normal", "polyp", "ulcer", "blood")
    assert (config.model_id, config.input_size) == ("new", 96)
    weight = point.network.classifier.weight.detach()
    torch.testing.assert_close(weight[3], weight[:3].mean(0))
    assert point.previous is not None
    assert point.previous.config.model_id == "old"
    assert point.training_patients == {"A", "B"}
    assert point.lineage["taught_patients"] == ["A", "B"]


def test_classes_are_united_in_the_old_order() -> None:
    assert united_classes(("normal", "b", "a"), ("normal", "a", "c")) == ("normal", "b", "a", "c")


def test_random_weights_depend_on_the_seed_alone() -> None:
    first, same, other = (start(asked("random", seed=seed), "polyp").network.state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert not torch.equal(first["classifier.weight"], other["classifier.weight"])


def test_a_weights_file_fills_the_trunk(tmp_path: Path) -> None:
    torch.manual_seed(6)
    state = find_backbone("resnet18").make_trunk().state_dict()
    save_file(state, tmp_path / "trunk.safetensors")
    found = start(asked(tmp_path / "trunk.safetensors", backbone="resnet18"), "polyp").network.trunk.state_dict()
    assert all(torch.equal(found[name], state[name]) for name in state)


def test_weights_of_another_network_are_told(tmp_path: Path) -> None:
    save_file(find_backbone("resnet18").make_trunk().state_dict(), tmp_path / "trunk.safetensors")
    with pytest.raises(UserError, match="does not fit a resnet50"):
        start(asked(tmp_path / "trunk.safetensors", backbone="resnet50"), "polyp")


def test_imagenet_is_not_fetched_without_consent(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not on this computer"):
        start(asked("imagenet", backbone="resnet18", weights_cache=tmp_path), "polyp")
