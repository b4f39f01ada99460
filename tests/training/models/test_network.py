"""The network's shapes, its stop-gradient, and its way to disk and back."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from training.compute.round_mask import round_mask
from training.errors import UserError
from training.models.backbones import find_backbone
from training.models.config import ModelConfig
from training.models.folder import ModelFolder, write_model_folder
from training.models.network import FrameClassifier, load_network, save_network


@pytest.fixture
def frames() -> Tensor:
    """(2, 64, 64, 3) uint8."""
    return torch.randint(0, 256, (2, 64, 64, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(1))


@pytest.fixture
def resnet(config: ModelConfig) -> FrameClassifier:
    """The same on a real trunk."""
    torch.manual_seed(0)
    return FrameClassifier(config.model_copy(update={"backbone": "resnet18"})).eval()


def test_shapes_and_scores(resnet: FrameClassifier, frames: Tensor) -> None:
    output = resnet(frames)
    assert output.embedding.shape == (2, 512)
    assert output.logits.shape == (2, 3)
    assert output.features.shape == (2, 512, 2, 2)
    assert torch.allclose(output.embedding, output.features.mean((2, 3)), atol=1e-6)


@pytest.mark.parametrize(("backbone", "size"), [("resnet18", 65), ("resnet50", 64)])
def test_the_feature_map_has_the_announced_size(backbone: str, size: int) -> None:
    config = ModelConfig.model_validate({"backbone": backbone, "classes": ("normal", "polyp"), "input_size": size})
    features = find_backbone(config.backbone).make_trunk()(torch.zeros(1, 3, size, size))
    assert features.shape == (1, config.embedding_size, config.cam_size, config.cam_size)


def test_bytes_and_normalised_floats_give_the_same(network: FrameClassifier, frames: Tensor) -> None:
    mean, std = torch.tensor(network.config.mean), torch.tensor(network.config.std)
    images = ((frames / 255 - mean) / std).permute(0, 3, 1, 2)
    assert torch.allclose(network(frames).logits, network(images).logits, atol=1e-4)


@pytest.mark.parametrize("shape", [(2, 3, 64, 64), (64, 64, 3), (2, 64, 64, 4)])
def test_bytes_of_another_shape_are_refused(network: FrameClassifier, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="must be"):
        network(torch.zeros(shape, dtype=torch.uint8))


@pytest.mark.parametrize("let_through", [False, True])
def test_the_classifier_teaches_the_trunk_only_when_told(
    config: ModelConfig, frames: Tensor, let_through: bool
) -> None:
    network = FrameClassifier(config, classifier_gradient=let_through)
    network(frames).logits.square().sum().backward()
    assert network.classifier.weight.grad is not None
    assert any(parameter.grad is not None for parameter in network.trunk.parameters()) is let_through


def test_saved_and_loaded_it_says_the_same(network: FrameClassifier, folder: ModelFolder, frames: Tensor) -> None:
    loaded = load_network(folder)
    assert not loaded.training
    assert torch.equal(loaded(frames).logits, network(frames).logits)


def test_half_precision_weights_halve_the_file_and_compute_in_float32(
    resnet: FrameClassifier, frames: Tensor, tmp_path: Path
) -> None:
    whole = save_network(resnet, tmp_path / "whole", {})
    half = save_network(resnet, tmp_path / "half", {}, precision=torch.float16)
    assert half.weights_path.stat().st_size < 0.51 * whole.weights_path.stat().st_size
    loaded = load_network(half)
    assert {parameter.dtype for parameter in loaded.parameters()} == {torch.float32}
    assert torch.allclose(loaded(frames).logits.softmax(1), resnet(frames).logits.softmax(1), atol=5e-3)


def test_missing_strange_and_misshapen_tensors_are_named(network: FrameClassifier, tmp_path: Path) -> None:
    state = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    missing = {name: tensor for name, tensor in state.items() if name != "trunk.bn1.weight"}
    with pytest.raises(UserError, match=r"trunk\.bn1\.weight is missing"):
        load_network(write_model_folder(tmp_path / "a", network.config, missing, {}))
    strange = state | {"head.weight": state["classifier.bias"]}
    with pytest.raises(UserError, match=r"head\.weight is not part"):
        load_network(write_model_folder(tmp_path / "b", network.config, strange, {}))
    misshapen = state | {"trunk.conv1.weight": state["trunk.conv1.weight"][:, :2]}
    with pytest.raises(UserError, match=r"conv1\.weight has the wrong shape, \(8, 2, 7, 7\)"):
        load_network(write_model_folder(tmp_path / "c", network.config, misshapen, {}))


def test_a_round_mask_blackens_what_lies_outside_the_circle(frames: Tensor) -> None:
    network = FrameClassifier(ModelConfig(classes=("normal", "polyp"), input_size=64, round_mask=True)).eval()
    square = frames[:, :64, :64].clone()
    black = square * round_mask(64, square.device).to(torch.uint8).unsqueeze(-1)
    assert not torch.equal(square, black)
    assert torch.equal(network.normalise(square), network.normalise(black))
    assert torch.equal(network(square).embedding, network(black).embedding)
