"""A small model folder to try things on."""

from pathlib import Path

import pytest
import torch

from tests import tiny_backbone
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, save_network


@pytest.fixture
def config() -> ModelConfig:
    """A tiny network of three classes on 64 px."""
    classes = ("normal", "polyp", "blood")
    return ModelConfig(backbone=tiny_backbone.TINY.name, classes=classes, input_size=64, model_id="m1")


@pytest.fixture
def network(config: ModelConfig) -> FrameClassifier:
    """A network with weights of its own, in eval mode."""
    torch.manual_seed(0)
    return FrameClassifier(config).eval()


@pytest.fixture
def folder(network: FrameClassifier, tmp_path: Path) -> ModelFolder:
    """The network on disk."""
    return save_network(network, tmp_path / "model", {"method": "none"})
