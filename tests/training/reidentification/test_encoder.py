"""The encoders have the paper's numbers of parameters; a tracklet's vector depends on its views and on nothing else."""

from collections.abc import Mapping
from typing import Any

import pytest
import torch
from pydantic import ValidationError
from torch import Tensor

from training.losses.info_nce import NTXentLoss
from training.reidentification.config import EncoderConfig
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder, parameter_count

TRACKLETS, VIEWS, SIDE = 4, 3, 32


def tiny_encoder(**settings: Any) -> MultiViewEncoder:
    torch.manual_seed(0)
    return MultiViewEncoder(SingleFrameEncoder(EncoderConfig(backbone="tiny", **settings)))


def some_views(seed: int = 1) -> Tensor:
    return torch.rand(TRACKLETS, VIEWS, 3, SIDE, SIDE, generator=torch.Generator().manual_seed(seed))


def some_mask() -> Tensor:
    return torch.tensor([[True, True, True], [True, False, False], [True, True, False], [False, True, True]])


def test_the_paper_counts_as_many_parameters() -> None:
    frames = SingleFrameEncoder(EncoderConfig())
    tracklets = MultiViewEncoder(frames)
    single, added = parameter_count(frames), parameter_count(tracklets) - parameter_count(frames)
    assert (single, added) == (24_076_800, 1_022_720)
    assert (round(single / 1e6), round(added / 1e6)) == (24, 1), "section 3.1: 24M, and an additional 1M"


def test_one_frame_is_128_numbers() -> None:
    encoder = tiny_encoder().frames.eval()
    images = some_views()[0]
    found = encoder(images)
    assert found.shape == (VIEWS, 128)
    assert found.dtype == torch.float32
    pooled = encoder.trunk(images).mean(dim=(2, 3))
    torch.testing.assert_close(found, encoder.head(pooled))
    assert encoder.mean.shape == encoder.std.shape == (1, 3, 1, 1)


@torch.no_grad()
def test_padding_makes_no_difference() -> None:
    encoder, views, mask = tiny_encoder().eval(), some_views(), some_mask()
    found = encoder(views, mask)
    spoiled = views.clone()
    spoiled[~mask] = torch.nan
    torch.testing.assert_close(encoder(spoiled, mask), found)
    for row in range(TRACKLETS):
        alone = encoder(views[row : row + 1, mask[row]])
        torch.testing.assert_close(alone[0], found[row], rtol=1e-4, atol=1e-5)


@torch.no_grad()
def test_views_are_a_set() -> None:
    encoder, views = tiny_encoder().eval(), some_views()
    torch.testing.assert_close(encoder(views.flip(1)), encoder(views), rtol=1e-4, atol=1e-5)
    assert not torch.allclose(encoder(some_views(seed=2)), encoder(views), atol=1e-4)


@torch.no_grad()
def test_embeddings_of_frames_give_the_same_vectors() -> None:
    encoder, views, mask = tiny_encoder().eval(), some_views(), some_mask()
    embeddings = encoder.frames(views.flatten(0, 1)).unflatten(0, (TRACKLETS, VIEWS))
    torch.testing.assert_close(encoder.of_embeddings(embeddings, mask), encoder(views, mask), rtol=1e-4, atol=1e-5)


def test_padding_is_no_part_of_the_batch_statistics() -> None:
    statistics = []
    for value in (0.0, 100.0):
        encoder, views = tiny_encoder().train(), some_views()
        views[~some_mask()] = value
        encoder(views, some_mask())
        statistics.append(encoder.frames.state_dict()["trunk.bn1.running_mean"])
    assert torch.equal(*statistics)


def test_equation_1_trains_every_part() -> None:
    encoder = tiny_encoder(dropout=0.0).train()
    optimiser = torch.optim.SGD(encoder.parameters(), lr=0.05)
    noise = torch.cat([some_views(), some_views()]) + 0.05 * torch.rand(2 * TRACKLETS, VIEWS, 3, SIDE, SIDE)
    losses = []
    for _ in range(12):
        loss = NTXentLoss(0.1)(encoder(noise))
        optimiser.zero_grad()
        loss.backward()
        losses.append(float(loss.detach()))
        optimiser.step()
    assert all(parameter.grad is not None for parameter in encoder.parameters())
    assert losses[-1] < losses[0]


def test_the_blocks_do_not_start_alike() -> None:
    first, second, _ = (block.linear1.weight for block in tiny_encoder().blocks.layers)
    assert not torch.equal(first, second)


@pytest.mark.parametrize(
    "settings",
    [{"backbone": "resnet50v3"}, {"heads": 3}, {"blocks": 0}, {"dropout": 1.0}],
)
def test_settings_that_cannot_be_used(settings: Mapping[str, Any]) -> None:
    with pytest.raises(ValidationError):
        EncoderConfig(**settings)
