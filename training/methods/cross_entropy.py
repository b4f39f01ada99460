"""Plain cross-entropy through the whole network: what triplet learning is compared with.

Laiz et al. 2020, Table 6 ("ResNet"); Pascual et al. 2022, Table 3 ("Imagenet"), where the weights are ImageNet's.
"""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn

from training.losses.terms import Losses
from training.models.network import FrameClassifier

NAME = "cross-entropy"


class CrossEntropy:
    """Backbone + linear classifier, no triplet term: the one method whose cross-entropy shapes the embedding."""

    violating_share = 0.0
    """There are no triplets."""
    terms: tuple[str, ...] = ()
    share_name = "violating_share"

    def __init__(self, network: FrameClassifier, *, autocast: torch.dtype | None = None) -> None:
        self.network = network
        self.autocast = autocast
        self.cross_entropy = nn.CrossEntropyLoss()
        self._embedding: Tensor | None = None

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """Loss terms of normalised images (B, 3, S, S) float32 and labels (B,) int64 into the network's classes."""
        return self.losses_of(self.embed(images), labels)

    def embed(self, images: Tensor) -> Tensor:
        """Embeddings (B, D) float32, before any loss."""
        with self._precision(images.device):
            return self.network.embed(images).embedding

    def losses_of(self, embedding: Tensor, labels: Tensor) -> Losses:
        """Loss terms of a whole batch's embeddings (B, D); no detach, so the gradient goes on into the backbone."""
        self._embedding = embedding.detach()
        loss = self.cross_entropy(self.network.classifier(embedding), labels)
        return Losses(loss)

    def _precision(self, device: torch.device) -> AbstractContextManager[object]:
        return torch.autocast(device.type, self.autocast) if self.autocast else nullcontext()

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's embeddings; towards zero they collapse."""
        return 0.0 if self._embedding is None else float(self._embedding.norm(dim=1).mean())
