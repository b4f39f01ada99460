"""Layers that are not trained are computed by OpenVINO: the others learn the same."""

import numpy as np
import pytest
import torch
from torch import nn

from training.inference.torch_engine import _eager, frozen_front, score_frames
from training.models.config import ModelConfig
from training.models.network import FrameClassifier
from training.runs.reporter import SilentReporter


@pytest.fixture
def network() -> FrameClassifier:
    torch.manual_seed(0)
    config = ModelConfig(backbone="efficientnet_lite0", classes=("normal", "ulcer", "polyp"), input_size=64)
    network = FrameClassifier(config).to(memory_format=torch.channels_last).train()
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None  # statistics of the one pass that follows: random weights alone let signals vanish
    with torch.no_grad():
        network(torch.randn(32, 3, 64, 64))
    return network.eval()


def gradients(network: FrameClassifier, images: torch.Tensor) -> list[torch.Tensor]:
    network.zero_grad()
    network.embed(images).embedding.square().sum().backward()  # type: ignore[no-untyped-call]
    last = network.trunk.get_submodule("layer4")
    return [parameter.grad.clone() for parameter in last.parameters() if parameter.grad is not None]


def test_the_last_layer_gets_the_same_gradients(network: FrameClassifier) -> None:
    for name, child in network.trunk.named_children():
        child.requires_grad_(name == "layer4")
    images = torch.randn(11, 3, 64, 64)
    wanted = gradients(network, images)
    with frozen_front(network, 1, None):
        assert network.front is not None
        result = gradients(network, images)
    assert network.front is None
    assert len(wanted) == len(result) > 10
    for expected, gradient in zip(wanted, result, strict=True):
        assert (gradient - expected).norm() < 0.02 * expected.norm(), "but for values at the kinks of ReLU6"


@pytest.mark.parametrize("layers", [0, 4])
def test_where_all_or_no_layers_are_trained_nothing_is_computed_apart(network: FrameClassifier, layers: int) -> None:
    with frozen_front(network, layers, None):
        assert network.front is None


def test_embeddings_are_those_of_plain_passes(network: FrameClassifier) -> None:
    frames = np.random.default_rng(0).integers(0, 256, (70, 64, 64, 3), dtype=np.uint8)
    with _eager(network, None) as embed:
        wanted = embed(frames).numpy()
    result = score_frames(network, frames, SilentReporter())
    assert np.abs(result.embeddings - wanted).max() < 1e-3 * np.abs(wanted).max()


def test_frames_of_twice_the_size_are_averaged(network: FrameClassifier) -> None:
    frames = np.random.default_rng(0).integers(0, 256, (3, 64, 64, 3), dtype=np.uint8)
    large = frames.repeat(2, axis=1).repeat(2, axis=2)
    expected, result = (score_frames(network, each, SilentReporter()).scores for each in (frames, large))
    np.testing.assert_allclose(result, expected, atol=1e-6)
