"""The two pretraining methods: what their losses see, and that they learn."""

import pytest
import torch

from training.losses.batch_all_triplet import mean_distance
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.models.projection_head import Pretrainer, ProjectionHead, init_as_keras
from training.pretraining.config import pretrain_config
from training.pretraining.start import pretrain_start
from training.runs.reporter import SilentReporter


@pytest.fixture
def images() -> torch.Tensor:
    """Two scenes of eight frames each: every frame its scene and a little noise."""
    generator = torch.Generator().manual_seed(1)
    scenes = torch.randn(2, 3, 32, 32, generator=generator).repeat_interleave(8, 0)
    return scenes + 0.7 * torch.randn(16, 3, 32, 32, generator=generator)


def test_time_triplet_pulls_near_frames_together(images: torch.Tensor) -> None:
    torch.manual_seed(0)
    method = TimeTriplet(Pretrainer("tiny"), window=7)
    labels = torch.cat([torch.arange(8), 1000 + torch.arange(8)])
    optimizer = torch.optim.SGD(method.network.parameters(), lr=0.01)
    shares = []
    for _ in range(12):
        losses = method.losses(images, labels)
        optimizer.zero_grad()
        losses.total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        shares.append(method.violating_share)
    assert shares[0] > 0.5
    assert shares[-1] < 0.1
    assert not losses.terms
    assert method.embedding_norm > 0


def test_the_loss_sees_the_projection_and_its_gradient_reaches_head_and_trunk(images: torch.Tensor) -> None:
    method = TimeTriplet(Pretrainer("tiny"), window=7)
    projection = method.embed(images)
    assert projection.shape == (16, 128)
    labels = torch.cat([torch.arange(8), 1000 + torch.arange(8)])
    method.losses_of(projection, labels).total.backward()  # type: ignore[no-untyped-call]
    assert all(parameter.grad is not None for parameter in method.network.parameters())
    assert method.losses(images, labels).total.requires_grad


def test_simclr_finds_the_other_view(images: torch.Tensor) -> None:
    torch.manual_seed(0)
    method = SimClr(Pretrainer("tiny"), temperature=0.5)
    views = torch.cat([images, images + 0.1 * torch.randn(images.shape)])
    labels = torch.arange(16).repeat(2)
    optimizer = torch.optim.SGD(method.network.parameters(), lr=0.1)
    told = []
    for _ in range(6):
        losses = method.losses(views, labels)
        optimizer.zero_grad()
        losses.total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        told.append(losses.total.item())
    assert told[-1] < told[0] - 0.2
    assert method.violating_share == 0.0  # nothing is more alike than the other view of the frame
    with torch.no_grad():
        shown = torch.cat([images, images.flip(0) + 0.1 * torch.randn(images.shape)])
        method.losses(shown, labels)
        directions = torch.nn.functional.normalize(method.embed(shown), dim=1)
    ahead = [
        float(directions[view] @ directions[other] > directions[view] @ directions[(view + 16) % 32])
        for view in range(32)
        for other in range(32)
        if other not in (view, (view + 16) % 32)
    ]
    assert method.violating_share == pytest.approx(sum(ahead) / len(ahead), abs=2e-3)
    assert 0.2 < method.violating_share < 0.8


def test_before_the_first_batch_there_is_nothing_to_tell() -> None:
    network = Pretrainer("tiny")
    for method in (TimeTriplet(network), SimClr(network)):
        assert (method.violating_share, method.embedding_norm) == (0.0, 0.0)


def test_without_a_projection_the_loss_sees_the_embedding(images: torch.Tensor) -> None:
    network = Pretrainer("resnet18", ())
    output = network(images)
    assert output.projection.shape == (16, 512)
    assert torch.equal(output.projection, output.embedding)


def test_a_head_can_start_as_in_keras() -> None:
    torch.manual_seed(0)
    head = ProjectionHead(512)
    points = 4 * torch.rand(32, 512)
    narrow = mean_distance(head(points)).item()
    init_as_keras(head)
    for layer in head:
        if isinstance(layer, torch.nn.Linear):
            assert layer.weight.abs().max() <= (6 / (layer.in_features + layer.out_features)) ** 0.5
            assert not layer.bias.any()
    assert mean_distance(head(points)).item() > 10 * narrow


def test_a_pretraining_starts_from_the_head_that_was_asked_for() -> None:
    given = {"studies": "s", "out": "o", "init": "random", "backbone": "resnet18"}
    biases = {}
    for head_init in ("default", "keras"):
        start = pretrain_start(pretrain_config(**given, head_init=head_init), SilentReporter())
        biases[head_init] = [layer.bias.any() for layer in start.network.head if isinstance(layer, torch.nn.Linear)]
    assert all(biases["default"])
    assert not any(biases["keras"])
    assert pretrain_config(**given).model_dump()["head_init"] == "default"
