"""Real networks, untrained and small in their input, for tests that score and finetune."""

from pathlib import Path

import torch

from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network


def write_untrained_model(folder: Path, model_id: str, classes: tuple[str, ...], input_size: int = 64) -> Path:
    """A ResNet-18 model folder with random weights (seed 0), stored as float16."""
    torch.manual_seed(0)
    config = ModelConfig(model_id=model_id, classes=classes, backbone="resnet18", input_size=input_size)
    card = {"method": "none: random weights, for tests"}
    return save_network(FrameClassifier(config), folder / model_id, card, precision=torch.float16).path
