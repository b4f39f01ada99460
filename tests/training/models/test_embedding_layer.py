"""A linear layer between pooling and classifier: sizes, files, and CAMs that stay exact through it."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from pydantic import ValidationError
from torch import Tensor

from tests.training.models.test_folder import sums_again
from training.errors import UserError
from training.models.config import ModelConfig
from training.models.folder import CONFIG, ModelFolder
from training.models.network import FrameClassifier, class_activation_maps, load_network, save_network


@pytest.fixture
def layered() -> FrameClassifier:
    torch.manual_seed(3)
    classes = ("normal", "polyp", "blood")
    return FrameClassifier(ModelConfig(classes=classes, input_size=64, embedding_layer=128)).eval()


def cam_bias(network: FrameClassifier) -> Tensor:
    """(C,): what a class's logit is more than the mean of its CAM."""
    layer = network.embedding_layer
    assert layer is not None
    bias: Tensor = network.classifier(layer.bias)
    return bias


def test_the_mean_of_a_cam_is_the_logit_less_its_bias_through_the_layer(layered: FrameClassifier) -> None:
    frames = torch.randint(0, 256, (2, 64, 64, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        output = layered(frames)
        cams = class_activation_maps(output.features, layered.cam_weight)
    assert output.embedding.shape == (2, 128)
    assert output.features.shape == (2, 512, 2, 2)
    torch.testing.assert_close(cams.mean((2, 3)), output.logits - cam_bias(layered), atol=1e-4, rtol=1e-4)


def test_the_layer_is_seen_position_by_position(layered: FrameClassifier) -> None:
    features = torch.randn(1, 512, 2, 2, generator=torch.Generator().manual_seed(1))
    assert layered.embedding_layer is not None
    with torch.inference_mode():
        at = layered.classifier(layered.embedding_layer(features[0, :, 1, 0]))
        cams = class_activation_maps(features, layered.cam_weight)
        torch.testing.assert_close(cams[0, :, 1, 0] + cam_bias(layered), at, atol=1e-5, rtol=1e-5)


def test_it_comes_back_from_its_folder(layered: FrameClassifier, tmp_path: Path) -> None:
    folder = save_network(layered, tmp_path / "model", {})
    assert folder.config.embedding_size == 128
    frames = torch.zeros(1, 64, 64, 3, dtype=torch.uint8)
    with torch.inference_mode():
        assert torch.equal(load_network(folder)(frames).logits, layered(frames).logits)


def test_a_folder_whose_layer_has_another_width_is_refused(layered: FrameClassifier, tmp_path: Path) -> None:
    path = save_network(layered, tmp_path / "model", {}).path
    content = json.loads((path / CONFIG).read_text())
    (path / CONFIG).write_text(json.dumps({**content, "embedding_layer": 256}))
    sums_again(path)
    with pytest.raises(UserError, match="embedding layer of 256"):
        ModelFolder.open(path)


def test_models_without_a_layer_are_written_as_before(tmp_path: Path) -> None:
    network = FrameClassifier(ModelConfig(classes=("normal", "polyp"), input_size=64))
    path = save_network(network, tmp_path / "model", {}).path
    assert "embedding_layer" not in json.loads((path / CONFIG).read_text())
    assert torch.equal(network.cam_weight, network.classifier.weight)


@pytest.mark.parametrize("width", [127, 1025])
def test_widths_are_those_of_the_paper(width: int) -> None:
    with pytest.raises(ValidationError, match="embedding_layer"):
        ModelConfig(classes=("normal", "polyp"), embedding_layer=width)


def test_maps_of_scores_against_normal_add_up_to_the_difference_of_the_logits() -> None:
    torch.manual_seed(3)
    classes = ("normal", "polyp", "blood")
    config = ModelConfig(classes=classes, input_size=64, embedding_layer=128, scores="against_normal")
    network = FrameClassifier(config).eval()
    frames = torch.from_numpy(np.random.default_rng(0).integers(0, 256, (2, 64, 64, 3), np.uint8))
    with torch.inference_mode():
        output, bias = network(frames), cam_bias(network)
        means = class_activation_maps(output.features, network.cam_weight).mean((2, 3))
    torch.testing.assert_close(means[:, 0] + bias[0], output.logits[:, 0], atol=1e-4, rtol=1e-4)
    difference = output.logits[:, 1:] - output.logits[:, :1]
    torch.testing.assert_close(means[:, 1:] + bias[1:] - bias[0], difference, atol=1e-4, rtol=1e-4)
