"""TL_BA: what each loss teaches, and what it must not."""

import pytest
import torch

from training.finetuning.linear_stage import refit_classifier
from training.methods.tl_ba import TripletBatchAll, TripletBatchHard
from training.models.config import ModelConfig
from training.models.network import FrameClassifier


@pytest.fixture
def network() -> FrameClassifier:
    torch.manual_seed(0)
    return FrameClassifier(ModelConfig(classes=("normal", "polyp", "ulcer"), input_size=32)).train()


IMAGES = torch.randn(6, 3, 32, 32, generator=torch.Generator().manual_seed(1))
LABELS = torch.tensor([0, 0, 1, 1, 2, 2])


def has_gradient(module: torch.nn.Module) -> bool:
    return any(p.grad is not None and bool(p.grad.any()) for p in module.parameters())


def test_cross_entropy_never_reaches_the_backbone(network: FrameClassifier) -> None:
    losses = TripletBatchAll(network).losses(IMAGES, LABELS)
    torch.autograd.backward(losses.terms["cross_entropy"])
    assert not has_gradient(network.trunk)
    assert has_gradient(network.classifier)


def test_the_triplet_loss_never_reaches_the_classifier(network: FrameClassifier) -> None:
    losses = TripletBatchAll(network).losses(IMAGES, LABELS)
    torch.autograd.backward(losses.terms["triplet"])
    assert has_gradient(network.trunk)
    assert not has_gradient(network.classifier)


def test_the_total_is_the_sum_of_both(network: FrameClassifier) -> None:
    method = TripletBatchAll(network, triplet_weight=0.5)
    losses = method.losses(IMAGES, LABELS)
    assert losses.total.item() == pytest.approx(
        0.5 * losses.terms["triplet"].item() + losses.terms["cross_entropy"].item()
    )
    assert losses.terms["triplet"].item() > 0
    assert 0 < method.violating_share <= 1
    torch.autograd.backward(losses.total)
    assert has_gradient(network.trunk)
    assert has_gradient(network.classifier)


def test_bfloat16_gives_nearly_the_same_losses_in_float32(network: FrameClassifier) -> None:
    exact = TripletBatchAll(network).losses(IMAGES, LABELS)
    rough = TripletBatchAll(network, autocast=torch.bfloat16).losses(IMAGES, LABELS)
    assert rough.terms["cross_entropy"].dtype == torch.float32
    assert rough.terms["cross_entropy"].item() == pytest.approx(exact.terms["cross_entropy"].item(), rel=0.1)


def test_refitting_separates_what_can_be_separated_and_keeps_other_rows(network: FrameClassifier) -> None:
    generator = torch.Generator().manual_seed(2)
    points = torch.randn(200, 512, generator=generator)
    labels = (points[:, 0] > 0).long()
    points[:, 0] += torch.where(labels == 1, 2.0, -2.0)
    before = network.classifier.weight.detach().clone()
    refit_classifier(network, points.numpy(), labels.numpy())
    found = network.classifier(points)[:, :2].argmax(1)
    assert (found == labels).float().mean() > 0.99
    # The row without labels is pushed away from the frames, but not thrown away.
    moved = (network.classifier.weight - before).norm(dim=1)
    assert moved[2] < 0.6 * moved[1]


def test_refitting_weighs_classes_alike(network: FrameClassifier) -> None:
    points = torch.randn(300, 512, generator=torch.Generator().manual_seed(3)) * 0.01
    labels = torch.cat([torch.zeros(290, dtype=torch.int64), torch.ones(10, dtype=torch.int64)])
    with torch.no_grad():
        network.classifier.weight.zero_()
        network.classifier.bias.zero_()
    refit_classifier(network, (points + 1.0).numpy(), labels.numpy())
    mean_scores = network.classifier(points + 1.0).softmax(1).mean(0).detach()
    assert float(mean_scores[0] - mean_scores[1]) == pytest.approx(0.0, abs=0.1)


@pytest.mark.parametrize("method", [TripletBatchAll, TripletBatchHard])
def test_normalised_embeddings_are_for_the_triplet_loss_alone(
    network: FrameClassifier, method: type[TripletBatchAll]
) -> None:
    embedding = 50 * torch.rand(6, 512, generator=torch.Generator().manual_seed(2))
    plain, normalised = method(network), method(network, normalise=True)
    before, after = plain.losses_of(embedding, LABELS).terms, normalised.losses_of(embedding, LABELS).terms
    assert after["cross_entropy"].item() == before["cross_entropy"].item()
    assert after["triplet"].item() != before["triplet"].item()
    on_the_sphere = plain.losses_of(embedding / embedding.norm(dim=1, keepdim=True), LABELS).terms
    assert after["triplet"].item() == pytest.approx(on_the_sphere["triplet"].item())
    assert normalised.scales[0] <= 4.0, "two points of the unit sphere"
    assert normalised.scales[1] == pytest.approx(normalised.scales[0] / 0.2)
