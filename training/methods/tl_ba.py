"""TL_BA: batch-all triplet loss on real labels, and cross-entropy on a classifier behind a stop-gradient.

Laiz et al. 2020 (WCE polyp detection with triplet based embeddings), section 3.2; Pascual et al. 2022, eq. 3. Laiz et
al. speak of two stages and draw the gradients of the two losses apart (Fig. 3); here both are trained in every step, as
Pascual et al. describe that method. Their binary cross-entropy (eq. 2) is the softmax over two classes here.

TL_BH: TL_BA with the batch-hard triplet loss in the place of batch-all (Laiz et al. 2020; Hermans et al. 2017).
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from training.methods.method import FinetuneMethod
from training.settings import Settings

if TYPE_CHECKING:
    from torch import Tensor

    from training.losses.batch_all_triplet import BatchAllTripletLoss, BatchHardTripletLoss
    from training.losses.terms import Losses


class TripletSettings(Settings):
    """Settings of the triplet loss."""

    margin: float = Field(0.2, ge=0, description="Margin of the triplet loss, in squared distance.")
    reduction: Literal["mean", "sum"] = Field("mean", description="Triplet loss: mean over violating triplets, or sum.")
    normalise: bool = Field(
        False,
        description="Scale embeddings to length 1 for the triplet loss, as in FaceNet, to which Laiz refers.",
    )
    classifier_gradient: bool = Field(
        False, description="No stop-gradient: cross-entropy also trains the embedding; for random weights."
    )
    triplet_weight: float = Field(1.0, ge=0, description="Weight of the triplet loss relative to the cross-entropy.")


class TripletBatchAll(FinetuneMethod):
    """Backbone + linear classifier behind a stop-gradient + batch-all triplet loss.

    Only the triplet loss trains the embedding, and only cross-entropy the classifier (Pascual, sections 3.2 and 3.3).

    `normalise` scales embeddings to length 1 for the triplet loss alone (Schroff et al. 2015, FaceNet); the classifier
    sees them as the network gives them, as in scoring. Laiz et al. refer to FaceNet for the loss and do not say whether
    they normalise; Pascual et al. do not.

    `classifier_gradient` removes the stop-gradient (ours, for random weights), where the triplet loss alone can
    collapse: on phantom studies 90 % of the triplets still violated the margin after 600 steps.
    """

    name = "tl-ba"
    title = "Triplets, all of a batch (TL_BA, Laiz et al.)"
    sentence = "Classifier and all triplets of a batch (Pascual 2022, Laiz 2020)."
    settings: TripletSettings
    settings_class = TripletSettings
    # Ours, with 157 labels: with the papers' stop-gradient and unnormalised embeddings a few steps only shrink the
    # embedding, and held-out AUC fell from 0.95 to 0.48; with these it rose to 0.97.
    from_imagenet: Mapping[str, Any] = {"classifier_gradient": True, "normalise": True}
    terms = ("triplet", "cross_entropy")
    scale_names = ("mean_distance", "distance_to_margin")

    def prepare(self) -> None:
        """Make both losses."""
        from torch import nn

        self.triplet_loss = self.make_triplet_loss()
        self.cross_entropy = nn.CrossEntropyLoss()

    def make_triplet_loss(self) -> "BatchAllTripletLoss | BatchHardTripletLoss":
        """Batch-all."""
        from training.losses.batch_all_triplet import BatchAllTripletLoss

        return BatchAllTripletLoss(self.settings.margin, self.settings.reduction)

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """Loss terms of a whole batch's embeddings (B, D); not under autocast: bfloat16 has three digits."""
        from training.losses.terms import Losses

        self._embedding = embedding.detach()
        # The detach is the stop-gradient.
        logits = self.network.classifier(embedding if self.settings.classifier_gradient else embedding.detach())
        triplet = self.triplet_loss(self._seen(embedding), labels)
        cross_entropy = self.cross_entropy(logits, labels)
        total = self.settings.triplet_weight * triplet + cross_entropy
        return Losses(total, {"triplet": triplet, "cross_entropy": cross_entropy})

    def _seen(self, embedding: "Tensor") -> "Tensor":
        """The embedding as the triplet loss sees it."""
        from torch.nn.functional import normalize

        return normalize(embedding, dim=1) if self.settings.normalise else embedding


class TripletBatchHard(TripletBatchAll):
    """Backbone + linear classifier behind a stop-gradient + batch-hard triplet loss; otherwise as TL_BA."""

    name = "tl-bh"
    title = "Triplets, hardest of a batch (TL_BH, Laiz et al.)"
    sentence = "Classifier and the hardest triplets of a batch (Hermans 2017)."

    def make_triplet_loss(self) -> "BatchHardTripletLoss":
        """Batch-hard."""
        from training.losses.batch_all_triplet import BatchHardTripletLoss

        return BatchHardTripletLoss(self.settings.margin, self.settings.reduction)


class CrossEntropy(FinetuneMethod):
    """Cross-entropy through the whole network, no triplet loss and no stop-gradient: the baseline for triplet losses.

    Laiz et al. 2020, Table 6 ("ResNet"); Pascual et al. 2022, Table 3 ("Imagenet"), where the weights are ImageNet's.
    Laiz et al. write it for one output (eq. 2); the softmax over two classes here can say the same probabilities.
    """

    name = "cross-entropy"
    title = "Classifier only (cross-entropy)"
    sentence = "No triplets; the baseline of Laiz and Pascual."

    def prepare(self) -> None:
        """Make the loss."""
        from torch import nn

        self.cross_entropy = nn.CrossEntropyLoss()

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """Loss of a whole batch's embeddings (B, D); its gradient reaches the backbone."""
        from training.losses.terms import Losses

        self._embedding = embedding.detach()
        return Losses(self.cross_entropy(self.network.classifier(embedding), labels))
