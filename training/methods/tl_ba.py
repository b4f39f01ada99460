"""TL_BA: batch-all triplet loss on real labels, and cross-entropy on a classifier behind a stop-gradient.

Laiz et al. 2020 (WCE polyp detection with triplet based embeddings), section 3.2; Pascual et al. 2022, eq. 3.
"""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.sampler import BalancedSampler
from training.losses.batch_all_triplet import BatchAllTripletLoss, Reduction
from training.losses.batch_hard_triplet import BatchHardTripletLoss
from training.losses.terms import Losses
from training.models.network import FrameClassifier

__all__ = ["NAME", "Losses", "TripletBatchAll"]

NAME = "tl-ba"


class TripletBatchAll:
    """Backbone + linear classifier behind a stop-gradient + batch-all triplet loss + batches that hold every class.

    The triplet loss alone shapes the embedding; cross-entropy teaches the classifier alone, on whatever the embedding
    is at that step. The sum of both (Pascual, eq. 3) is one backward pass.

    `classifier_gradient` takes the stop-gradient away (ours, for random weights): there the triplet loss alone can
    collapse, all embeddings on one point and the loss at the margin. It was seen on phantom studies: after 600 steps
    90 % of the triplets still violated the margin and the cross-entropy stood at chance.
    """

    terms: tuple[str, ...] = ("triplet", "cross_entropy")
    share_name = "violating_share"

    def __init__(
        self,
        network: FrameClassifier,
        *,
        margin: float = 0.2,
        reduction: Reduction = "mean",
        triplet_weight: float = 1.0,
        classifier_gradient: bool = False,
        autocast: torch.dtype | None = None,
    ) -> None:
        self.network = network
        self.triplet_weight = triplet_weight
        self.classifier_gradient = classifier_gradient
        self.autocast = autocast
        self.triplet_loss: BatchAllTripletLoss | BatchHardTripletLoss = BatchAllTripletLoss(margin, reduction)
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
        """Loss terms of a whole batch's embeddings (B, D); not under autocast: bfloat16 has three digits."""
        self._embedding = embedding.detach()
        # The detach is the stop-gradient.
        logits = self.network.classifier(embedding if self.classifier_gradient else embedding.detach())  # (B, C)
        triplet = self.triplet_loss(embedding, labels)
        cross_entropy = self.cross_entropy(logits, labels)
        return Losses(
            self.triplet_weight * triplet + cross_entropy, {"triplet": triplet, "cross_entropy": cross_entropy}
        )

    def _precision(self, device: torch.device) -> AbstractContextManager[object]:
        return torch.autocast(device.type, self.autocast) if self.autocast else nullcontext()

    @staticmethod
    def sampler(frames: LabelledFrames, batch_size: int, positive_share: float, seed: int) -> BalancedSampler:
        """Every class in every batch, negatives stratified over studies."""
        return BalancedSampler(frames, batch_size, positive_share, seed)

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violated the margin."""
        return self.triplet_loss.violating_share

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's embeddings; towards zero they collapse."""
        return 0.0 if self._embedding is None else float(self._embedding.norm(dim=1).mean())
