"""Gradient caching: the whole batch's gradient, whatever goes through the network at once."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.training.optimisation.tiny_network import gradients_of, sequence_batch, tiny_pretrainer
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.methods.tl_ba import TripletBatchAll
from training.models.config import ModelConfig
from training.models.network import FrameClassifier
from training.optimisation.gradients import RunningStatistics, cached_gradients


def two_sequences() -> tuple[Tensor, Tensor]:
    parts = [sequence_batch(0, rank, frames=7) for rank in (0, 1)]
    return torch.cat([part[0] for part in parts]), torch.cat([part[1] for part in parts])


def make_pretraining(name: str, network: Any) -> Any:
    return SimClr(network) if name == "simclr" else TimeTriplet(network, margin=0.5, window=2)


def assert_equal(found: dict[str, Tensor], wanted: dict[str, Tensor]) -> None:
    assert found.keys() == wanted.keys()
    assert any(bool(value.abs().max() > 1e-4) for value in wanted.values())
    for name, value in wanted.items():
        torch.testing.assert_close(found[name], value, rtol=1e-4, atol=1e-6, msg=name)


@pytest.mark.parametrize("name", ["time-triplet", "simclr"])
@pytest.mark.parametrize("chunk", [1, 5, 13, 20])
def test_with_fixed_statistics_the_gradient_is_that_of_the_whole_batch(name: str, chunk: int) -> None:
    images, labels = two_sequences()
    whole, parts = tiny_pretrainer(train=False), tiny_pretrainer(train=False)
    losses = make_pretraining(name, whole).losses(images, labels)
    losses.total.backward()
    found = cached_gradients(make_pretraining(name, parts), images, labels, chunk)
    assert found.total.item() == pytest.approx(losses.total.item(), rel=1e-5)
    assert not found.total.requires_grad
    assert_equal(gradients_of(parts), gradients_of(whole))


def test_accumulating_over_small_batches_would_give_another_gradient() -> None:
    images, labels = two_sequences()
    whole, parts = tiny_pretrainer(train=False), tiny_pretrainer(train=False)
    make_pretraining("time-triplet", whole).losses(images, labels).total.backward()
    method = make_pretraining("time-triplet", parts)
    for part in (slice(0, 7), slice(7, 14)):
        (method.losses(images[part], labels[part]).total / 2).backward()
    with pytest.raises(AssertionError):
        assert_equal(gradients_of(parts), gradients_of(whole))


def test_finetuning_caches_too_and_its_classifier_learns_behind_the_stop_gradient() -> None:
    config = ModelConfig(backbone="resnet18", input_size=32, classes=("normal", "polyp"))
    torch.manual_seed(0)
    whole = FrameClassifier(config).eval()
    parts = FrameClassifier(config).eval()
    parts.load_state_dict(whole.state_dict())
    images, labels = torch.randn(6, 3, 32, 32), torch.tensor([0, 1, 0, 1, 0, 1])
    TripletBatchAll(whole).losses(images, labels).total.backward()  # type: ignore[no-untyped-call]
    cached_gradients(TripletBatchAll(parts), images, labels, 4)
    found, wanted = gradients_of(parts), gradients_of(whole)
    assert_equal(found, wanted)
    assert bool(found["classifier.weight"].abs().max() > 0)


def test_the_second_pass_draws_the_random_numbers_of_the_first() -> None:
    images, labels = two_sequences()
    wanted_network, found_network = (tiny_pretrainer(train=True, dropout=0.5) for _ in range(2))
    method = make_pretraining("time-triplet", wanted_network)
    torch.manual_seed(3)
    embeddings = torch.cat([method.embed(part) for part in torch.split(images, 5)])
    method.losses_of(embeddings, labels).total.backward()
    next_number = torch.rand(())
    torch.manual_seed(3)
    cached_gradients(make_pretraining("time-triplet", found_network), images, labels, 5)
    assert_equal(gradients_of(found_network), gradients_of(wanted_network))
    assert torch.equal(torch.rand(()), next_number)  # and what comes after them is not drawn twice


def test_running_statistics_take_one_step_towards_the_mean_of_the_chunks() -> None:
    images, labels = two_sequences()
    network = tiny_pretrainer(train=True)
    seen = []
    for part in torch.split(images, 7):
        alone = tiny_pretrainer(train=True)
        alone(part)
        seen.append({name: value.float() for name, value in alone.named_buffers()})
    cached_gradients(make_pretraining("time-triplet", network), images, labels, 7)
    for name, value in network.named_buffers():
        torch.testing.assert_close(value.float(), (seen[0][name] + seen[1][name]) / 2, msg=name)


def test_frozen_statistics_stay_to_the_last_bit() -> None:
    images, labels = two_sequences()
    network = tiny_pretrainer(train=False)
    before = {name: value.clone() for name, value in network.named_buffers()}
    cached_gradients(make_pretraining("time-triplet", network), images, labels, 3)
    assert all(torch.equal(value, before[name]) for name, value in network.named_buffers())
    assert len(RunningStatistics(network).read()) == 0


def test_in_bfloat16_caching_changes_no_more_than_bfloat16_does() -> None:
    images, labels = two_sequences()
    whole, parts, exact = (tiny_pretrainer(train=False) for _ in range(3))
    make_pretraining("time-triplet", exact).losses(images, labels).total.backward()
    for network, chunk in ((whole, None), (parts, 5)):
        method = TimeTriplet(network, margin=0.5, window=2, autocast=torch.bfloat16)
        if chunk:
            cached_gradients(method, images, labels, chunk)
        else:
            method.losses(images, labels).total.backward()  # type: ignore[no-untyped-call]
    flat = [nn.utils.parameters_to_vector(list(gradients_of(n).values())) for n in (whole, parts, exact)]
    assert bool((flat[1] - flat[2]).norm() <= 1.2 * (flat[0] - flat[2]).norm() + 1e-6)
    assert bool((flat[1] - flat[2]).norm() < 0.1 * flat[2].norm())
