"""What a pretraining starts from, and what starts from a pretraining."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from training.errors import UserError
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network
from training.models.projection_head import Pretrainer
from training.pretraining.config import PretrainConfig, pretrain_config
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.pretraining.recorder import keep_weights
from training.pretraining.start import RANDOM_WARNING, pretrain_start
from training.runs.reporter import SilentReporter


def config(tmp_path: Path, **fields: object) -> PretrainConfig:
    plain = {"studies": "m.json", "out": tmp_path / "new", "preset": "smoke", "backbone": "resnet18",
             "weights_cache": tmp_path / "cache"}  # fmt: skip
    return pretrain_config(**{**plain, **fields})


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder with weights of two steps."""
    folder = tmp_path_factory.mktemp("runs") / "first"
    folder.mkdir()
    content = {"command": "pretrain", "config": config(folder).model_dump(mode="json")}
    (folder / "config.json").write_text(json.dumps(content))
    split = {"training_patients": ["P2", "P1"], "held_out_patients": [], "earlier_patients": ["P0"]}
    (folder / "split.json").write_text(json.dumps(split))
    torch.manual_seed(5)
    for step in (0, 20):
        keep_weights(folder / "kept", step, Pretrainer("resnet18"), {})
    return folder


def test_the_newest_weights_come_without_the_head(run: Path) -> None:
    start = Pretrained.open(run)
    assert (start.step, start.patients) == (20, frozenset({"P0", "P1", "P2"}))
    trunk = FrameClassifier(ModelConfig(classes=("normal", "polyp"))).trunk
    trunk.load_state_dict(start.part("trunk."))  # every name fits, none is left over
    assert set(start.part("head.")) == {f"{k}.{name}" for k in (1, 3, 5) for name in ("weight", "bias")}
    assert start.lineage["taught_patients"] == ["P0", "P1", "P2"]
    assert start.lineage["method"] == "time-triplet"
    assert is_pretraining(run)


def test_weights_of_an_earlier_step_can_be_asked_for(run: Path) -> None:
    first, last = Pretrained.open(run, 0).part("trunk."), Pretrained.open(run).part("trunk.")
    assert not torch.equal(first["conv1.weight"], last["conv1.weight"])
    with pytest.raises(UserError, match="has no weights of step 3") as caught:
        Pretrained.open(run, 3)
    assert caught.value.hint == "There are: 0, 20."


def test_what_is_no_pretraining_is_told(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"config\.json is missing or damaged"):
        Pretrained.open(tmp_path)
    assert not is_pretraining(tmp_path)
    (tmp_path / "config.json").write_text((run / "config.json").read_text())
    with pytest.raises(UserError, match="no complete checkpoint"):
        Pretrained.open(tmp_path)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "step-000020.safetensors").write_bytes(b"half of a fi")
    with pytest.raises(UserError, match="no complete checkpoint"):
        Pretrained.open(tmp_path)
    save_file({"trunk.x": torch.zeros(1)}, tmp_path / "kept" / "step-000010.safetensors")
    with pytest.raises(UserError, match=r"split\.json is missing .* unknown which patients it was trained on"):
        Pretrained.open(tmp_path)
    (tmp_path / "config.json").write_text('{"command": "finetune", "config": {}}')
    with pytest.raises(UserError, match="not a pretraining but a finetune"):
        Pretrained.open(tmp_path)


def test_without_imagenet_weights_it_starts_at_random_and_says_so(tmp_path: Path) -> None:
    start = pretrain_start(config(tmp_path, init="auto", backbone="resnet18"), SilentReporter())
    assert start.warning == RANDOM_WARNING
    assert start.lineage == {"init": "random"}
    with pytest.raises(UserError, match=r"ImageNet weights .* are not on this computer"):
        pretrain_start(config(tmp_path, init="imagenet", backbone="resnet18"), SilentReporter())
    assert pretrain_start(config(tmp_path, init="random"), SilentReporter()).warning == ""


def test_imagenet_weights_that_are_here_are_taken(tmp_path: Path) -> None:
    trunk = Pretrainer("resnet18").trunk.state_dict()
    (tmp_path / "cache").mkdir()
    save_file(trunk, tmp_path / "cache" / "resnet18-f37072fd.safetensors")
    start = pretrain_start(config(tmp_path, backbone="resnet18"), SilentReporter())
    assert (start.lineage, start.warning) == ({"init": "imagenet"}, "")
    assert torch.equal(start.network.trunk.state_dict()["conv1.weight"], trunk["conv1.weight"])


def test_it_can_start_from_a_run_a_file_or_a_model(run: Path, tmp_path: Path) -> None:
    trunk = Pretrained.open(run).part("trunk.")
    start = pretrain_start(config(tmp_path, init=str(run)), SilentReporter())
    assert start.patients == {"P0", "P1", "P2"}
    assert torch.equal(start.network.trunk.state_dict()["conv1.weight"], trunk["conv1.weight"])
    # The head is drawn anew: its numbers are those of the seed, not of the run.
    fresh = pretrain_start(config(tmp_path, init="random"), SilentReporter()).network.head.state_dict()
    assert torch.equal(start.network.head.state_dict()["1.weight"], fresh["1.weight"])

    start = pretrain_start(config(tmp_path, init=str(run / "kept" / "step-000020.safetensors")), SilentReporter())
    assert start.lineage["init"] == "file"
    assert start.patients == {"P0", "P1", "P2"}  # the file lies in a run folder, which says whom it saw
    assert start.lineage["taught_patients"] == ["P0", "P1", "P2"]
    assert torch.equal(start.network.trunk.state_dict()["conv1.weight"], trunk["conv1.weight"])

    model = FrameClassifier(ModelConfig(classes=("normal", "polyp"), model_id="m"))
    card = {"split": {"training_patients": ["P5"]}, "lineage": {"taught_patients": ["P4"]}}
    save_network(model, tmp_path / "model", card)
    start = pretrain_start(config(tmp_path, init=str(tmp_path / "model")), SilentReporter())
    assert (start.lineage["init"], start.patients) == ("model", frozenset({"P4", "P5"}))
    file = tmp_path / "model" / "model.safetensors"
    assert pretrain_start(config(tmp_path, init=str(file)), SilentReporter()).patients == {"P4", "P5"}


def test_what_cannot_be_started_from_is_told(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to start from"):
        pretrain_start(config(tmp_path, init=str(tmp_path / "nowhere")), SilentReporter())
    with pytest.raises(UserError, match="does not fit a resnet50"):
        pretrain_start(config(tmp_path, init=str(run), backbone="resnet50"), SilentReporter())
    torch.save({"conv1.weight": torch.zeros(1)}, tmp_path / "model.pth")
    with pytest.raises(UserError, match="does not fit a resnet18"):
        pretrain_start(config(tmp_path, init=str(tmp_path / "model.pth")), SilentReporter())


def test_weights_that_are_no_numbers_are_not_kept_so_the_last_good_ones_stay_the_newest(tmp_path: Path) -> None:
    network = torch.nn.Linear(2, 2)
    keep_weights(tmp_path / "kept", 4, network, {})
    torch.nn.init.constant_(network.bias, float("nan"))
    with pytest.raises(UserError, match="The weights bias are not finite at step 8"):
        keep_weights(tmp_path / "kept", 8, network, {})
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["step-000004.safetensors"]


def test_a_full_disk_is_told_and_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("training.runs.checkpoint.save_file", full)
    with pytest.raises(UserError, match=r"cannot be written .*No space left"):
        keep_weights(tmp_path / "kept", 0, torch.nn.Linear(2, 2), {})
    assert list((tmp_path / "kept").iterdir()) == []
