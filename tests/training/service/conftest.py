"""A small model, a pretraining's run folder, a small study, and the bench that works on them."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import torch

from tests.training.inference.conftest import lively
from tests.videos import write_video
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.network import FrameClassifier, save_network
from training.models.projection_head import Pretrainer
from training.pretraining.config import pretrain_config
from training.pretraining.recorder import keep_weights
from training.runs.reporter import SilentReporter
from training.service.workbench import Workbench


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> ModelFolder:
    """A ResNet-18 of three classes on 64 px."""
    config = ModelConfig(backbone="resnet18", classes=("normal", "polyp", "blood"), input_size=64, model_id="m1")
    torch.manual_seed(0)
    return save_network(lively(FrameClassifier(config)), tmp_path_factory.mktemp("model") / "m1", {})


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pretraining's run folder with weights of steps 0 and 20, 64 px."""
    folder = tmp_path_factory.mktemp("runs") / "first"
    config = pretrain_config(
        studies="m.json", out=folder, preset="smoke", backbone="resnet18", weights_cache=folder / "cache"
    )
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"command": "pretrain", "config": config.model_dump(mode="json")}))
    (folder / "split.json").write_text(json.dumps({"training_patients": ["P1"]}))
    torch.manual_seed(5)
    for step in (0, 20):
        keep_weights(folder / "kept", step, Pretrainer("resnet18"), {})
    return folder


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A video of 20 numbered frames of 96 x 96 px."""
    return write_video(tmp_path_factory.mktemp("study") / "study.mp4", 20, height=96, width=96)


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    """What answers requests; the networks that it has loaded serve all tests of a file."""
    with closing(Workbench("cpu", 2, SilentReporter())) as bench:
        yield bench
