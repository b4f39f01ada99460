"""Plain cross-entropy through the whole network: what triplet learning is compared with.

Laiz et al. 2020, Table 6 ("ResNet"); Pascual et al. 2022, Table 3 ("Imagenet"), where the weights are ImageNet's.
"""

from typing import TYPE_CHECKING

from training.methods.method import FinetuneMethod

if TYPE_CHECKING:
    from torch import Tensor

    from training.losses.terms import Losses


class CrossEntropy(FinetuneMethod):
    """Backbone + linear classifier, no triplet term: the one method whose cross-entropy shapes the embedding."""

    name = "cross-entropy"
    title = "Classifier only (cross-entropy)"
    sentence = "No triplets; Laiz's and Pascual's comparison."

    def prepare(self) -> None:
        """With its loss."""
        from torch import nn

        self.cross_entropy = nn.CrossEntropyLoss()

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """Loss of a whole batch's embeddings (B, D); no detach, so the gradient goes on into the backbone."""
        from training.losses.terms import Losses

        self._embedding = embedding.detach()
        return Losses(self.cross_entropy(self.network.classifier(embedding), labels))
