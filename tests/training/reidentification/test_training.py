"""Training the encoders on made-up crops: each tracklet has a colour of its own."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from training.errors import UserError
from training.losses.info_nce import NTXentLoss
from training.reidentification.config import EncoderConfig, EncoderTraining
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
from training.reidentification.training import (
    batch_of,
    frame_embeddings,
    normalised,
    tracklet_feed,
    tracklet_vectors,
    train_encoder,
)
from training.reidentification.views import Crops
from training.runs.reporter import Cancelled, SilentReporter

SIDE = 32
PROCEDURES = [f"P{number}" for number in range(4)]
SETTINGS = EncoderTraining(
    procedures=8, frame_steps=6, tracklet_steps=3, views=2, optimizer="adamw", learning_rate=1e-3
)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def coloured() -> list[Crops]:
    rng = np.random.default_rng(0)
    colours = rng.integers(0, 255, (len(PROCEDURES), 3))
    noise = rng.integers(-20, 20, (len(PROCEDURES), 6, SIDE, SIDE, 3))
    return list(np.clip(colours[:, None, None, None] + noise, 0, 255).astype(np.uint8))


def encoder_of(seed: int = 0) -> SingleFrameEncoder:
    torch.manual_seed(seed)
    return SingleFrameEncoder(EncoderConfig(backbone="tiny", embedding=16, head_hidden=16, heads=2, feed_forward=16))


def loss_of(encoder: SingleFrameEncoder, crops: list[Crops]) -> float:
    found = frame_embeddings(encoder.eval(), crops)
    views = np.concatenate([[each[0] for each in found], [each[-1] for each in found]])
    return float(NTXentLoss(0.1)(torch.from_numpy(views)))


def test_the_loss_falls_and_the_same_seed_gives_the_same_weights() -> None:
    crops, settings = coloured(), SETTINGS.model_copy(update={"frame_steps": 40})
    encoders = [encoder_of(), encoder_of()]
    before = loss_of(encoders[0], crops)
    for encoder in encoders:
        train_encoder(encoder, crops, PROCEDURES, settings, SilentReporter())
    assert loss_of(encoders[0], crops) < before
    first, second = (encoder.state_dict() for encoder in encoders)
    assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize("optimizer", ["lars", "adamw"])
def test_the_multi_view_encoder_learns_and_gives_one_vector_a_tracklet(optimizer: str) -> None:
    settings = SETTINGS.model_copy(update={"optimizer": optimizer})
    crops, encoder = coloured(), MultiViewEncoder(encoder_of())
    before = encoder.cls.detach().clone()
    train_encoder(encoder, crops, PROCEDURES, settings, SilentReporter())
    assert not torch.equal(encoder.cls, before)
    assert not encoder.training
    vectors = tracklet_vectors(encoder, crops, settings.views)
    assert [vector.shape for vector in vectors] == [(1, 16)] * len(crops)


def test_a_batch_has_8_images_of_each_tracklet_as_in_the_paper() -> None:
    crops = [np.zeros((30, SIDE, SIDE, 3), np.uint8) for _ in PROCEDURES]
    settings = EncoderTraining(procedures=len(PROCEDURES))
    images, mask = tracklet_feed(MultiViewEncoder(encoder_of()), crops, PROCEDURES, settings)(0)
    assert (settings.views, len(images)) == (8, 8 * len(PROCEDURES)), "1,024 * 8 = 8,192 images a step"
    assert mask.shape == (2 * len(PROCEDURES), 4), "four views of each part"


def test_a_batch_has_at_most_one_tracklet_of_each_procedure() -> None:
    assert batch_of(SETTINGS, PROCEDURES) == 4
    assert batch_of(SETTINGS.model_copy(update={"procedures": 3}), PROCEDURES) == 3
    with pytest.raises(UserError, match="one procedure"):
        train_encoder(encoder_of(), coloured(), ["P0"] * 4, SETTINGS, SilentReporter())


def test_crops_are_normalised_as_the_trunk_expects() -> None:
    encoder = encoder_of()
    made = normalised(encoder, np.full((2, 4, 4, 3), 255, np.uint8))
    assert made.shape == (2, 3, 4, 4)
    torch.testing.assert_close(made, ((1 - encoder.mean) / encoder.std).expand(2, 3, 4, 4))


def test_a_stop_ends_the_training() -> None:
    reporter = SilentReporter()
    reporter.stop_requested = True
    with pytest.raises(Cancelled):
        train_encoder(encoder_of(), coloured(), PROCEDURES, SETTINGS, reporter)


def test_a_loss_that_is_not_finite_is_an_error() -> None:
    encoder = encoder_of()
    with torch.no_grad():
        next(encoder.head.parameters()).fill_(float("nan"))
    with pytest.raises(UserError, match="at step 1 "):
        train_encoder(encoder, coloured(), PROCEDURES, SETTINGS, SilentReporter())
