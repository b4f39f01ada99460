"""A small model, a small study, and the obvious way to score it."""

from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests import tiny_backbone
from tests.videos import write_video
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, load_network, save_network
from training.video import open_source, prepare_frame, study_field_of_view

FRAMES = 50


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    """A tiny network of three classes on 64 px, with statistics of its own in the batch normalisation."""
    return _saved(tiny_backbone.TINY.name, tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def resnet(tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    """The same on a real trunk, with layers of many channels."""
    return _saved("resnet18", tmp_path_factory.mktemp("resnet"))


def _saved(backbone: str, folder: Path) -> ModelFolder:
    config = ModelConfig(backbone=backbone, classes=("normal", "polyp", "blood"), input_size=64, model_id="m1")
    torch.manual_seed(0)
    return save_network(lively(FrameClassifier(config)), folder / "m1", {})


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A video of 50 numbered frames, with B-frames."""
    return write_video(tmp_path_factory.mktemp("study") / "study.mp4", FRAMES, b_frames=2)


def lively(network: FrameClassifier) -> FrameClassifier:
    """The network with batch normalisation that does something, as after training, and scores that differ."""
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.uniform_(-0.3, 0.3)  # type: ignore[union-attr]
            module.running_var.uniform_(0.5, 2.0)  # type: ignore[union-attr]
            torch.nn.init.uniform_(module.weight, 0.5, 1.0)
            torch.nn.init.uniform_(module.bias, -0.2, 0.2)
    with torch.no_grad():
        network.classifier.weight.mul_(6)
    return network.eval()


@pytest.fixture(scope="session")
def obvious_scores(study: Path, model: ModelFolder) -> NDArray[np.float32]:
    """(N, C) of the study: one frame after the other, plain float32."""
    network = load_network(model)
    with open_source(study) as source, torch.inference_mode():
        view = study_field_of_view(source)
        rows = []
        for number in range(len(source)):
            prepared = prepare_frame(source.read(number), view, model.config.input_size)
            rows.append(network(torch.from_numpy(prepared[None])).logits.softmax(1)[0].numpy())
    return np.stack(rows)


def content(path: Path) -> dict[str, object]:
    """All of a file's datasets and attributes, as comparable values, but when it was made."""
    with h5py.File(path) as file:
        datasets: dict[str, object] = {name: file[name][...].tobytes() for name in file}
        return datasets | {name: str(value) for name, value in file.attrs.items() if name != "created_utc"}
