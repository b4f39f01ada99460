"""Every method by its name: which gradient reaches what, with and without an embedding layer."""

import pytest
import torch
from torch import nn

from training.finetuning.config import finetune_config
from training.losses.batch_all_triplet import BatchHardTripletLoss
from training.methods.method import FinetuneMethod
from training.methods.registry import FINETUNING
from training.methods.tl_ba import TripletBatchAll, TripletSettings
from training.models.config import ModelConfig
from training.models.network import FrameClassifier

IMAGES = torch.randn(6, 3, 32, 32, generator=torch.Generator().manual_seed(1))
LABELS = torch.tensor([0, 0, 1, 1, 2, 2])


def method_of(name: str, layer: int | None, **fields: object) -> FinetuneMethod:
    torch.manual_seed(0)
    config = ModelConfig(classes=("normal", "polyp", "ulcer"), input_size=32, embedding_layer=layer)
    asked = finetune_config(studies="m", labels="l", out="o", method=name, **fields)
    return asked.method_class(FrameClassifier(config).train(), asked)


def has_gradient(module: nn.Module | None) -> bool:
    return module is not None and any(p.grad is not None and bool(p.grad.any()) for p in module.parameters())


@pytest.mark.parametrize("layer", [None, 128])
@pytest.mark.parametrize("name", FINETUNING)
def test_cross_entropy_reaches_the_backbone_in_the_one_method_only(name: str, layer: int | None) -> None:
    method = method_of(name, layer, preset="laiz")  # as published
    losses = method.losses(IMAGES, LABELS)
    torch.autograd.backward(losses.terms.get("cross_entropy", losses.total))
    assert has_gradient(method.network.classifier)
    assert has_gradient(method.network.trunk) == (name == "cross-entropy")
    if layer:
        assert has_gradient(method.network.embedding_layer) == (name == "cross-entropy")


@pytest.mark.parametrize("name", ["tl-ba", "tl-bh"])
def test_by_default_cross_entropy_shapes_the_embedding_too(name: str) -> None:
    method = method_of(name, None)
    torch.autograd.backward(method.losses(IMAGES, LABELS).terms["cross_entropy"])
    assert has_gradient(method.network.trunk)
    assert isinstance(method.settings, TripletSettings)
    assert method.settings.normalise


@pytest.mark.parametrize("layer", [None, 128])
@pytest.mark.parametrize("name", ["tl-ba", "tl-bh"])
def test_the_triplet_loss_shapes_backbone_and_layer_and_never_the_classifier(name: str, layer: int | None) -> None:
    method = method_of(name, layer)
    torch.autograd.backward(method.losses(IMAGES, LABELS).terms["triplet"])
    assert has_gradient(method.network.trunk)
    assert has_gradient(method.network.embedding_layer) == bool(layer)
    assert not has_gradient(method.network.classifier)


def test_cross_entropy_has_no_triplet_term() -> None:
    method = method_of("cross-entropy", None)
    losses = method.losses(IMAGES, LABELS)
    assert not losses.terms
    assert losses.total.item() > 0
    assert method.violating_share == 0.0
    assert method.embedding_norm > 0


def test_batch_hard_is_batch_all_with_another_loss() -> None:
    method = method_of("tl-bh", None, margin=0.7, reduction="sum", triplet_weight=0.5)
    assert isinstance(method, TripletBatchAll)
    assert isinstance(method.triplet_loss, BatchHardTripletLoss)
    assert (method.triplet_loss.margin, method.triplet_loss.reduction, method.settings.triplet_weight) == (
        0.7,
        "sum",
        0.5,
    )
    losses = method.losses(IMAGES, LABELS)
    assert losses.total.item() == pytest.approx(
        0.5 * losses.terms["triplet"].item() + losses.terms["cross_entropy"].item()
    )


@pytest.mark.parametrize("name", FINETUNING)
def test_losses_are_those_of_the_embeddings_and_their_terms_are_those_that_are_told(name: str) -> None:
    method = method_of(name, 128)
    method.network.eval()
    embedding = method.embed(IMAGES)
    assert embedding.shape == (6, 128)
    apart, at_once = method.losses_of(embedding, LABELS), method.losses(IMAGES, LABELS)
    assert apart.total.item() == pytest.approx(at_once.total.item(), rel=1e-5)
    assert tuple(apart.terms) == method.terms
