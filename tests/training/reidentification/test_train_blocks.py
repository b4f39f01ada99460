"""Blocks are trained on embeddings; the single-frame encoder stays as it is."""

import numpy as np
import pytest
import torch

from training.losses.info_nce import NTXentLoss
from training.reidentification.config import EncoderConfig, EncoderTraining
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
from training.reidentification.training import tracklet_vectors, train_blocks
from training.reidentification.views import Crops
from training.runs.reporter import Cancelled, SilentReporter

PROCEDURES = ["a", "b", "c", "d"]
SETTINGS = EncoderTraining(procedures=4, tracklet_steps=25, views=2, optimizer="adamw", learning_rate=1e-3)


def some_crops() -> list[Crops]:
    rng = np.random.default_rng(0)
    return [
        np.clip(rng.integers(0, 30, (9, 16, 16, 3)) + rng.integers(0, 220, 3), 0, 255).astype(np.uint8)
        for _ in PROCEDURES
    ]


def encoder() -> MultiViewEncoder:
    torch.manual_seed(0)
    return MultiViewEncoder(SingleFrameEncoder(EncoderConfig(backbone="tiny", feed_forward=64, dropout=0.0)))


def loss(network: MultiViewEncoder) -> float:
    """Of the first and the last third of each tracklet."""
    halves = [tracklet_vectors(network.eval(), [each[part] for each in some_crops()], 2) for part in PARTS]
    return float(NTXentLoss(0.1)(torch.from_numpy(np.concatenate([*halves[0], *halves[1]]))))


PARTS = (slice(0, 3), slice(6, 9))


def test_the_loss_falls_and_frames_keep_their_embeddings() -> None:
    network = encoder()
    before, state = loss(network), {key: value.clone() for key, value in network.frames.state_dict().items()}
    train_blocks(network, some_crops(), PROCEDURES, SETTINGS, SilentReporter())
    assert not network.training
    assert loss(network) < before
    assert all(torch.equal(value, state[key]) for key, value in network.frames.state_dict().items())


def test_a_stop_ends_the_training() -> None:
    class Stopped(SilentReporter):
        stop_requested = True

    with pytest.raises(Cancelled):
        train_blocks(encoder(), some_crops(), PROCEDURES, SETTINGS, Stopped())
