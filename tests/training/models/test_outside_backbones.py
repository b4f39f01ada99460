"""Networks of other libraries, of packages and of one's own, from pretraining to scores and explanations."""

import dataclasses
import json
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import training
from tests.training.finetuning.test_run import Listener
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.shell import main
from training.compute.plan import ComputePlan
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.inference.engine import open_engine
from training.inference.openvino_engine import OpenVinoEngine
from training.inference.torch_engine import TorchEngine
from training.models import backbones
from training.models.backbones import find_backbone
from training.models.config import ModelConfig
from training.models.imagenet import imagenet_state
from training.models.inference_network import InferenceNetwork
from training.models.network import FrameClassifier, inference_network
from training.models.weights_file import trunk_weights

VIT = "timm:vit_tiny_patch16_224"
FLOAT32 = ComputePlan("cpu", "float32", 4, 1, 1)


def network_of(backbone: str, size: int = 64) -> InferenceNetwork:
    torch.manual_seed(0)
    config = ModelConfig(backbone=backbone, classes=("normal", "polyp"), input_size=size)
    return inference_network(FrameClassifier(config))


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"))


def test_a_vit_is_pretrained_finetuned_scored_and_explained(studies: Path, tmp_path: Path) -> None:
    common = ["--studies", studies / "manifest.json", "--set", f"backbone={VIT}", "--set", "input_size=64"]
    common += ["--device", "cpu", "--set", "threads=1"]
    run = tmp_path / "pretrained"
    first = ["pretrain", *common, "--out", run, "--method", "simclr", "--init", "random", "--set", "steps=5"]
    first += ["--preset", "smoke", "--set", "workers=0"]
    assert main([*map(str, first)]) == 0
    tuned = ["finetune", *common, "--labels", studies / "labels.csv", "--out", tmp_path / "tuned", "--init", run]
    assert main([*map(str, tuned), "--set", "steps=2", "--set", "batch_size=8"]) == 0
    model = tmp_path / "tuned" / "model"
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    assert (config["backbone"], config["features"], config["stride"]) == (VIT, 192, 16)
    video = load_manifest(studies / "manifest.json").studies[0].path
    scored = tmp_path / "scores.h5"
    assert main(["score", str(video), "--model", str(model), "--out", str(scored), "--device", "cpu"]) == 0
    table = training.open_embeddings(scored)
    assert table.to_numpy().shape[1] == 192
    assert table.scores is not None
    assert np.isfinite(table.scores).all()
    for method in ("cam", "score-cam"):
        picture = tmp_path / f"{method}.png"
        explained = ["explain", video, "--frame", 3, "--model", model, "--out", picture, "--method", method]
        assert main([*map(str, explained), "--device", "cpu"]) == 0
        assert picture.stat().st_size > 1000


def test_reading_a_model_of_timm_imports_neither_torch_nor_timm(tmp_path: Path) -> None:
    config = ModelConfig(backbone=VIT, classes=("normal", "polyp"), input_size=64)
    text = config.model_dump_json(exclude_none=True)
    code = (
        "import sys; from training.models.config import ModelConfig; "
        f"c = ModelConfig.model_validate_json({text!r}); print(c.embedding_size, c.cam_size); "
        "sys.exit(bool({'torch', 'timm'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "192 4"), done.stderr


@pytest.mark.parametrize("size", [64, 60])
def test_openvino_resamples_position_embeddings_as_torch_does(size: int) -> None:
    network = network_of(VIT, size)
    name = "layer4.module.pos_embed"
    trunk = {**network.trunk, name: np.random.default_rng(0).normal(size=network.trunk[name].shape).astype(np.float32)}
    assert isinstance(open_engine(dataclasses.replace(network, trunk=trunk), FLOAT32), OpenVinoEngine)


@pytest.mark.parametrize("name", [VIT, "timm:resnet18", "torchvision:squeezenet1_1"])
def test_openvino_computes_what_torch_does(name: str) -> None:
    network = network_of(name)
    engine = open_engine(network, FLOAT32)
    assert isinstance(engine, OpenVinoEngine)
    frames = np.random.default_rng(1).integers(0, 256, (6, 64, 64, 3), dtype=np.uint8)
    ours, theirs = engine.run(frames), TorchEngine(network, FLOAT32).run(frames)
    for mine, other in ((ours.embeddings, theirs.embeddings), (ours.logits, theirs.logits), (ours.cams, theirs.cams)):
        assert np.abs(mine - other).max() <= 1e-3 * np.abs(other).max()


def test_a_network_that_openvino_gets_wrong_is_computed_by_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    monkeypatch.setattr("training.inference.engine.MOST_APART", -1.0)
    assert isinstance(open_engine(network_of("timm:resnet18"), FLOAT32, lines.append), TorchEngine)
    assert "does not compute timm:resnet18 as torch does" in lines[0]


class Tokens(nn.Module):
    """A class token and 16 patches of 16 px."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, 24, 16, 16)

    def forward(self, images: Tensor) -> Tensor:
        tokens = self.patches(images).flatten(2).transpose(1, 2)
        return torch.cat([tokens.mean(1, keepdim=True), tokens], dim=1)


class Vector(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.last = nn.Linear(3, 7)

    def forward(self, images: Tensor) -> Tensor:
        return torch.as_tensor(self.last(images.mean((2, 3))))


def test_any_module_is_a_backbone() -> None:
    tokens = training.models.register_backbone("own-tokens", Tokens)
    assert (tokens.embedding_size, tokens.stride, tokens.layers, tokens.sees_tokens) == (24, 16, ("layer4",), True)
    trunk, images = tokens.make_trunk().eval(), torch.rand(2, 3, 64, 64)
    inner: Any = trunk[0].module
    assert torch.equal(trunk(images), inner.patches(images))
    vector = training.models.register_backbone("own-vector", Vector)
    assert (vector.embedding_size, tuple(vector.make_trunk()(images).shape)) == (7, (2, 7, 1, 1))
    assert network_of("own-vector").cam_size == 1
    with pytest.raises(ValueError, match="must be square"):
        training.models.register_backbone("flat", lambda: nn.Conv2d(3, 4, 1, (2, 4)))
    with pytest.raises(TypeError, match=r"torch.nn.Module"):
        training.models.register_backbone("none", lambda: 3)  # type: ignore[arg-type, return-value]


def test_a_backbone_of_ones_own_fetches_weights_with_consent(tmp_path: Path) -> None:
    published = Tokens()
    training.models.register_backbone("own-published", Tokens, load_published=lambda: published)
    assert not backbones.has_imagenet_weights("own-published", tmp_path)
    with pytest.raises(UserError, match="are not on this computer"):
        imagenet_state("own-published", tmp_path)
    state = imagenet_state("own-published", tmp_path, download_consented=True)
    trunk = find_backbone("own-published").make_trunk()
    trunk.load_state_dict(state)
    inner: Any = trunk[0].module
    assert torch.equal(inner.patches.weight, published.patches.weight)
    assert backbones.has_imagenet_weights("own-published", tmp_path)


def register_installed() -> None:
    training.models.register_backbone("installed", Tokens)


def test_a_package_adds_a_backbone_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("installed", f"{__name__}:register_installed", backbones.ENTRY_POINTS)
    monkeypatch.setattr(
        backbones, "entry_points", lambda group, name: [entry] if (entry.group, entry.name) == (group, name) else []
    )
    assert backbones.is_known("installed")
    assert find_backbone("installed").embedding_size == 24
    assert ModelConfig(backbone="installed", classes=("normal", "polyp")).stride == 16


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("timm:nothing", "timm has no network nothing that can be a backbone"),
        ("torchvision:nothing", "torchvision has no network nothing"),
        ("torchvision:vit_b_16", "torchvision has no network vit_b_16 that can be a backbone"),
    ],
)
def test_a_name_that_is_none_is_a_sentence(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        find_backbone(name)


def test_a_library_that_is_missing_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "timm", None)
    with pytest.raises(UserError, match="needs the package timm, which is not installed") as raised:
        find_backbone("timm:vit_base_patch16_224")
    assert "pip install 'wce-desktop[timm]'" in raised.value.hint


def test_weights_are_fetched_only_with_consent_and_files_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import timm

    with pytest.raises(UserError, match="are not on this computer"):
        imagenet_state("timm:resnet18", tmp_path)
    torch.manual_seed(3)
    whole: Any = timm.create_model("resnet18", num_classes=5)
    monkeypatch.setattr(timm, "create_model", lambda *_, pretrained, **__: whole if pretrained else None)
    state = imagenet_state("timm:resnet18", tmp_path, download_consented=True)
    monkeypatch.undo()
    assert torch.equal(state["layer4.module.conv1.weight"], whole.conv1.weight)
    assert torch.equal(imagenet_state("timm:resnet18", tmp_path)["layer4.module.conv1.weight"], whole.conv1.weight)
    torch.save(whole.state_dict(), tmp_path / "own.pth")
    match = trunk_weights(tmp_path / "own.pth", "timm:resnet18")
    assert match.unused == ("fc.weight", "fc.bias")
    listener = Listener()
    from training.models.imagenet import trunk_of_file

    assert trunk_of_file(tmp_path / "own.pth", "timm:resnet18", listener).keys() == match.state.keys()


TRANSFORMERS = {
    "cls_token": "embeddings.cls_token",
    "pos_embed": "embeddings.position_embeddings",
    "patch_embed.proj.": "embeddings.patch_embeddings.projection.",
    "blocks.": "encoder.layer.",
    "attn.proj.": "attention.output.dense.",
}
DINOV2 = {"ls1.gamma": "layer_scale1.lambda1", "ls2.gamma": "layer_scale2.lambda1"}
VIT_NAMES = {"norm1.": "layernorm_before.", "norm2.": "layernorm_after.", "mlp.fc1.": "intermediate.dense."}
VIT_NAMES |= {"mlp.fc2.": "output.dense."}


@pytest.mark.parametrize(
    ("network", "names"), [("vit_small_patch14_dinov2", DINOV2), ("vit_tiny_patch16_224", VIT_NAMES)]
)
def test_vits_of_transformers_fit_those_of_timm(network: str, names: dict[str, str], tmp_path: Path) -> None:
    state = find_backbone(f"timm:{network}").make_trunk().state_dict()
    table = {"classifier.weight": torch.zeros(2, 3)}
    for name, tensor in state.items():
        key = name.removeprefix("layer4.module.")
        for timms, theirs in (TRANSFORMERS | names).items():
            key = key.replace(timms, theirs)
        key = key.replace("norm.", "layernorm.") if key.startswith("norm.") else key
        parts = (
            dict(zip(("query", "key", "value"), tensor.chunk(3), strict=True)) if "attn.qkv" in key else {"": tensor}
        )
        table |= {f"vit.{key.replace('attn.qkv', f'attention.attention.{part}')}": rows for part, rows in parts.items()}
    torch.save(table, tmp_path / "vit.pth")
    match = trunk_weights(tmp_path / "vit.pth", f"timm:{network}")
    assert all(torch.equal(match.state[key], tensor) for key, tensor in state.items())
    assert match.unused == ("classifier.weight",)


def test_a_network_of_one_size_says_so() -> None:
    with pytest.raises(ValueError, match="needs an input size of 224 px"):
        ModelConfig(backbone="timm:mixer_s32_224", classes=("normal", "polyp"), input_size=160)
