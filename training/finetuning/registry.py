"""The finetuning methods by name."""

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor

from training.finetuning.config import FinetuneConfig
from training.losses.terms import Losses
from training.methods import cross_entropy, tl_ba, tl_bh
from training.models.network import FrameClassifier


class FinetuneMethod(Protocol):
    """What a finetuning needs of its method."""

    @property
    def network(self) -> FrameClassifier:
        """What is trained."""

    @property
    def terms(self) -> tuple[str, ...]:
        """Names of what its loss is made of; empty where it is one."""

    @property
    def share_name(self) -> str:
        """How curves call `violating_share`."""

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violated the margin."""

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's embeddings."""

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """Loss terms of one batch: `losses_of(embed(images), labels)`."""

    def embed(self, images: Tensor) -> Tensor:
        """Embeddings (B, D) float32 of normalised images (B, 3, S, S)."""

    def losses_of(self, embedding: Tensor, labels: Tensor) -> Losses:
        """Loss terms of embeddings (B, D) and labels (B,)."""


Maker = Callable[[FrameClassifier, FinetuneConfig, torch.dtype | None], FinetuneMethod]


def _tl_ba(network: FrameClassifier, config: FinetuneConfig, autocast: torch.dtype | None) -> FinetuneMethod:
    return _triplet(tl_ba.TripletBatchAll, network, config, autocast)


def _tl_bh(network: FrameClassifier, config: FinetuneConfig, autocast: torch.dtype | None) -> FinetuneMethod:
    return _triplet(tl_bh.TripletBatchHard, network, config, autocast)


def _cross_entropy(network: FrameClassifier, config: FinetuneConfig, autocast: torch.dtype | None) -> FinetuneMethod:
    return cross_entropy.CrossEntropy(network, autocast=autocast)


def _triplet(
    kind: type[tl_ba.TripletBatchAll], network: FrameClassifier, config: FinetuneConfig, autocast: torch.dtype | None
) -> FinetuneMethod:
    return kind(
        network,
        margin=config.margin,
        reduction=config.reduction,
        triplet_weight=config.triplet_weight,
        classifier_gradient=config.classifier_gradient,
        autocast=autocast,
    )


METHODS: dict[str, Maker] = {tl_ba.NAME: _tl_ba, tl_bh.NAME: _tl_bh, cross_entropy.NAME: _cross_entropy}
"""Name -> what makes it of the settings; the names of `FinetuneConfig.method`."""

TERMS: dict[str, tuple[str, ...]] = {
    tl_ba.NAME: tl_ba.TripletBatchAll.terms,
    tl_bh.NAME: tl_bh.TripletBatchHard.terms,
    cross_entropy.NAME: cross_entropy.CrossEntropy.terms,
}
"""Name -> names of the terms of its loss, empty where it is one."""


def make_method(network: FrameClassifier, config: FinetuneConfig, autocast: torch.dtype | None) -> FinetuneMethod:
    """The method that the settings name."""
    return METHODS[config.method](network, config, autocast)
