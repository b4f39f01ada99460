"""One more loss term for every method, on the frames of a batch that have no label."""

import numpy as np
import pytest
import torch
from torch import Tensor

from training.finetuning.linear_stage import refit_classifier
from training.losses.terms import kept_loss
from training.methods.method import FinetuneMethod
from training.methods.rehearsing import Rehearsing
from training.methods.tl_ba import CrossEntropy, TripletBatchAll, TripletBatchHard
from training.models.config import ModelConfig
from training.models.logistic import SoftTargets
from training.models.network import FrameClassifier
from training.optimisation.gradients import cached_gradients

IMAGES = torch.randn(8, 3, 32, 32, generator=torch.Generator().manual_seed(1))
LABELS = torch.tensor([0, 0, 1, 1, 0, 1, -2, -1])
TARGETS = torch.tensor([[0.1, 0.9], [0.8, 0.2]])
KEPT = torch.tensor([2])


@pytest.fixture
def network() -> FrameClassifier:
    torch.manual_seed(0)
    return FrameClassifier(ModelConfig(backbone="tiny", classes=("normal", "blood", "polyp"), input_size=32)).eval()


def gradients(network: FrameClassifier) -> dict[str, Tensor]:
    return {name: part.grad.clone() for name, part in network.named_parameters() if part.grad is not None}


@pytest.mark.parametrize("kind", [TripletBatchAll, TripletBatchHard, CrossEntropy])
def test_labelled_frames_have_the_methods_loss_and_the_others_the_new_term(
    kind: type[FinetuneMethod], network: FrameClassifier
) -> None:
    found = Rehearsing(kind(network), TARGETS, KEPT, 0.5).losses(IMAGES, LABELS)
    own = kind(network).losses(IMAGES[:6], LABELS[:6])
    logits = network.classifier(network.embed(IMAGES[6:]).embedding)
    lost = kept_loss(logits, TARGETS[[1, 0]], KEPT)  # -2 is row 1
    assert list(found.terms) == [*own.terms, "rehearsal"]
    torch.testing.assert_close(found.terms["rehearsal"], lost)
    torch.testing.assert_close(found.total, own.total + 0.5 * lost)


def test_it_reaches_the_backbone_also_behind_a_stop_gradient(network: FrameClassifier) -> None:
    method = Rehearsing(TripletBatchAll(network, triplet_weight=0.0), TARGETS, KEPT, 1.0)
    torch.autograd.backward(method.losses(IMAGES, LABELS).total)
    assert any(bool(part.grad.any()) for part in network.trunk.parameters() if part.grad is not None)


def test_gradient_caching_gives_the_same_gradient(network: FrameClassifier) -> None:
    method = Rehearsing(TripletBatchAll(network), TARGETS, KEPT, 1.0)
    torch.autograd.backward(method.losses(IMAGES, LABELS).total)
    whole = gradients(network)
    network.zero_grad()
    cached_gradients(method, IMAGES, LABELS, 3)
    for name, part in gradients(network).items():
        torch.testing.assert_close(part, whole[name], rtol=1e-4, atol=1e-6)


def test_refitting_keeps_the_scores_of_frames_without_labels(network: FrameClassifier) -> None:
    size = network.config.embedding_size
    generator = torch.Generator().manual_seed(2)
    labels = torch.cat([torch.zeros(50), torch.ones(50)]).long()
    points = torch.randn(100, size, generator=generator)
    points[:, 0] += torch.where(labels == 1, 3.0, -3.0)
    polyps = torch.randn(40, size, generator=generator)
    polyps[:, 1] += 6.0
    with torch.no_grad():
        network.classifier.weight.zero_()
        network.classifier.bias.zero_()
        network.classifier.weight[2, 1] = 1.0
    before = {name: part.clone() for name, part in network.state_dict().items()}
    targets = np.tile(np.array([[0.05, 0.95]], dtype=np.float32), (40, 1))
    refit_classifier(network, points.numpy(), labels.numpy())
    without = network.classifier(polyps).softmax(1)[:, 2].mean().item()
    network.load_state_dict(before)
    soft = SoftTargets(polyps.numpy(), targets, KEPT.numpy(), 1.0)
    refit_classifier(network, points.numpy(), labels.numpy(), soft)
    kept = network.classifier(polyps).softmax(1)[:, 2].mean().item()
    assert kept == pytest.approx(0.95, abs=0.03)
    assert without < kept - 0.05
    found = network.classifier(points).argmax(1)
    assert (found == labels).float().mean() > 0.97
