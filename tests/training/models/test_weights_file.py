"""Weights of other programs are found behind their prefixes; what does not fit is named."""

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from tests.training.finetuning.test_run import Listener
from training.commands.shell import main
from training.errors import UserError
from training.models.backbones import find_backbone
from training.models.imagenet import trunk_of_file
from training.models.weights_file import trunk_weights
from training.runs.reporter import SilentReporter

State = Mapping[str, Tensor]


def trunk(backbone: str = "resnet18", seed: int = 0) -> dict[str, Tensor]:
    torch.manual_seed(seed)
    return find_backbone(backbone).make_trunk().state_dict()


def under(prefix: str, state: State) -> dict[str, Tensor]:
    return {prefix + name: tensor for name, tensor in state.items()}


def torchvision(state: State) -> Any:
    return {**state, "fc.weight": torch.zeros(1000, 512), "fc.bias": torch.zeros(1000)}


def moco(state: State) -> Any:
    table = {
        **under("module.encoder_q.", {**state, "fc.0.weight": torch.zeros(512, 512)}),
        **under("module.encoder_k.", trunk(seed=9)),
        "module.queue": torch.zeros(128, 64),
    }
    return {"epoch": 200, "arch": "resnet18", "state_dict": table, "optimizer": {"state": {}, "param_groups": []}}


def dino(state: State) -> Any:
    student = under("module.backbone.", trunk(seed=9))
    teacher = {**under("backbone.", state), "head.mlp.0.weight": torch.zeros(8, 512)}
    return {"student": student, "teacher": teacher, "epoch": 3, "args": argparse.Namespace(arch="resnet18", lr=1e-3)}


def lightly(state: State) -> Any:
    numbers = {"conv1": "0", "bn1": "1", "layer1": "4", "layer2": "5", "layer3": "6", "layer4": "7"}
    table = {}
    for name, tensor in state.items():
        first, _, rest = name.partition(".")
        table[f"backbone.{numbers[first]}.{rest}"] = tensor
    table["projection_head.layers.0.weight"] = torch.zeros(8, 512)
    return {"state_dict": table, "hyper_parameters": {"lr": 0.06}, "pytorch-lightning_version": "2.4.0"}


def lightly_dino(state: State) -> Any:
    names = {"teacher_backbone": state, "student_backbone": trunk(seed=9)}
    return {"state_dict": {f"{part}.{name}": tensor for part, table in names.items() for name, tensor in table.items()}}


WRITERS: dict[str, Callable[[State], Any]] = {
    "torchvision.pth": torchvision,
    "moco_200ep.pth.tar": moco,
    "dino.pth": dino,
    "lightly.ckpt": lightly,
    "lightly-dino.ckpt": lightly_dino,
}


@pytest.mark.parametrize("name", WRITERS)
def test_files_of_other_programs_fit(name: str, tmp_path: Path) -> None:
    state = trunk()
    torch.save(WRITERS[name](state), tmp_path / name)
    match = trunk_weights(tmp_path / name, "resnet18")
    assert match.state.keys() == state.keys()
    assert all(torch.equal(match.state[key], tensor) for key, tensor in state.items())
    assert match.unused


def test_safetensors_of_timm_fit_both_kinds_of_networks(tmp_path: Path) -> None:
    for backbone, names in (("resnet18", dict), ("efficientnet_lite0", timm_names)):
        state = trunk(backbone)
        table = {**names(state), "classifier.weight": torch.zeros(10, 4)}
        save_file(table, tmp_path / f"{backbone}.safetensors")
        match = trunk_weights(tmp_path / f"{backbone}.safetensors", backbone)
        assert all(torch.equal(match.state[key], tensor) for key, tensor in state.items())
        assert match.unused == ("classifier.weight",)


def timm_names(state: State) -> dict[str, Tensor]:
    """The names of timm's `tf_efficientnet_lite0` for ours."""
    blocks = [(stage, block) for stage, count in enumerate((1, 2, 2, 3, 3, 4, 1)) for block in range(count)]
    places = iter(blocks)
    kinds = {"expand": "conv_pw", "expand_norm": "bn1", "depthwise": "conv_dw", "depthwise_norm": "bn2"}
    kinds |= {"project": "conv_pwl", "project_norm": "bn3"}
    first = {"depthwise": "conv_dw", "depthwise_norm": "bn1", "project": "conv_pw", "project_norm": "bn2"}
    table, place_of = {}, {}
    for name, tensor in state.items():
        parts = name.split(".")
        if parts[0] == "stem":
            table[f"{'conv_stem' if parts[1] == 'conv' else 'bn1'}.{parts[-1]}"] = tensor
        elif "layers" not in parts:
            table[f"{'conv_head' if parts[-2] == 'conv' else 'bn2'}.{parts[-1]}"] = tensor
        else:
            key = tuple(parts[:2])
            if key not in place_of:
                place_of[key] = next(places)
            stage, block = place_of[key]
            kind = (kinds if stage else first)[parts[3]]
            table[f"blocks.{stage}.{block}.{kind}.{parts[4]}"] = tensor
    assert len(table) == len(state)
    return table


def test_what_is_used_is_said(tmp_path: Path) -> None:
    torch.save(moco(trunk()), tmp_path / "moco.pth")
    listener = Listener()
    trunk_of_file(tmp_path / "moco.pth", "resnet18", listener)
    assert "names begin with “module.encoder_q.”" in listener.said
    assert "not used: encoder_k, fc, queue." in listener.said


def test_another_network_is_named(tmp_path: Path) -> None:
    torch.save(torchvision(trunk()), tmp_path / "r18.pth")
    with pytest.raises(UserError, match=r"does not fit a resnet50: the weights layer1.0.conv1.weight are missing"):
        trunk_weights(tmp_path / "r18.pth", "resnet50")
    torch.save([1, 2], tmp_path / "list.pth")
    with pytest.raises(UserError, match="does not fit a resnet18"):
        trunk_weights(tmp_path / "list.pth", "resnet18")


class Trap:
    """Makes a folder where it is unpickled with its code."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("trap",)


def test_code_in_a_file_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({"state_dict": trunk(), "more": Trap()}, "trap.pth")
    with pytest.raises(UserError, match="holds more than tensors, so it is not opened"):
        trunk_weights(Path("trap.pth"), "resnet18")
    assert not Path("trap").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x80\x02}q\x00.", b"\x80\x02" + bytes(60)])
def test_damaged_files_are_sentences(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "w.pth").write_bytes(content)
    with pytest.raises(UserError):
        trunk_weights(tmp_path / "w.pth", "resnet18")


def test_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    state = trunk()
    state["layer3.0.conv1.weight"][0] = torch.nan
    torch.save(torchvision(state), tmp_path / "w.pth")
    with pytest.raises(UserError, match=r"the weights layer3.0.conv1.weight are not finite"):
        trunk_weights(tmp_path / "w.pth", "resnet18")


def test_a_training_starts_from_such_a_file(tmp_path: Path) -> None:
    from tests.training.pretraining.tiny_studies import write_tiny_studies

    folder = write_tiny_studies(tmp_path / "s")
    torch.save(moco(trunk()), tmp_path / "moco.pth.tar")
    given = ["--studies", folder / "manifest.json", "--labels", folder / "labels.csv", "--out", tmp_path / "run"]
    arguments = ["finetune", *map(str, given), "--init", str(tmp_path / "moco.pth.tar"), "--set", "backbone=resnet18"]
    assert main([*arguments, "--set", "steps=1", "--set", "input_size=32", "--set", "batch_size=4"]) == 0
    log = (tmp_path / "run" / "log.txt").read_text(encoding="utf-8")
    assert "moco.pth.tar: 120 tensors are the backbone's" in log
    assert "It is unknown which patients moco.pth.tar was trained on" in log
    trunk_of_file(tmp_path / "moco.pth.tar", "resnet18", SilentReporter())
