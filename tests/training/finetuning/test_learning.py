"""Batches depend on seed and step alone, and what surrounds the network stays as it was."""

import numpy as np
import torch
from torch import nn

from tests.training.datasets.frames import labelled
from tests.training.pretraining.tiny_studies import picture
from training.datasets.frame_store import FrameStore
from training.datasets.sampler import BalancedSampler
from training.finetuning.batches import Batches
from training.inference.torch_engine import score_frames
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, freeze_batch_norm
from training.runs.reporter import SilentReporter
from training.transforms.augment import Augmentation

FRAMES = labelled([("A", 0, 16, 0), ("A", 16, 32, 1)], ("normal", "polyp"))


def store() -> FrameStore:
    rng = np.random.default_rng(3)
    pixels = np.stack([picture(FRAMES.classes[label], rng)[::2, ::2] for label in FRAMES.label])
    return FrameStore(FRAMES, pixels, np.ones(len(FRAMES), dtype=bool), np.full((len(FRAMES), 3), np.nan, np.float32))


def network() -> FrameClassifier:
    torch.manual_seed(0)
    return FrameClassifier(ModelConfig(backbone="tiny", classes=("normal", "ulcer", "polyp"), input_size=32)).train()


def test_a_batch_depends_on_the_seed_and_the_step_alone() -> None:
    net, frames = network(), store()
    sampler = BalancedSampler(FRAMES, 8, 0.5, 0)
    batches = Batches(frames, sampler, Augmentation(), net, 4)
    images, labels = batches(7)
    batches(8)
    again, _ = Batches(frames, sampler, Augmentation(), net, 4)(7)
    assert torch.equal(images, again)
    assert sorted(labels.tolist()) == [0] * 4 + [2] * 4
    assert abs(float(images.mean())) < 3


def test_scoring_leaves_frozen_layers_frozen_and_statistics_alone() -> None:
    net = network()
    freeze_batch_norm(net)
    before = [module.training for module in net.modules()]
    statistics = net.state_dict()["trunk.bn1.running_mean"].clone()
    found = score_frames(net, store().pixels[:5], SilentReporter(), batch_size=2)
    assert [module.training for module in net.modules()] == before
    assert not any(module.training for module in net.modules() if isinstance(module, nn.BatchNorm2d))
    assert torch.equal(net.state_dict()["trunk.bn1.running_mean"], statistics)
    assert found.scores.shape == (5, 3)
    np.testing.assert_allclose(found.scores.sum(1), 1.0, rtol=1e-5)
    assert score_frames(net, store().pixels[:0], SilentReporter()).scores.shape == (0, 3)
