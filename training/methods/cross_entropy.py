"""Cross-entropy through the whole network, the baseline for triplet losses.

Laiz et al. 2020, Table 6 ("ResNet"); Pascual et al. 2022, Table 3 ("Imagenet"), where the weights are ImageNet's. Laiz
et al. write it for one output (eq. 2); the softmax over two classes here can say the same probabilities.
"""

from typing import TYPE_CHECKING

from training.methods.method import FinetuneMethod

if TYPE_CHECKING:
    from torch import Tensor

    from training.losses.terms import Losses


class CrossEntropy(FinetuneMethod):
    """Backbone and linear classifier, no triplet loss and no stop-gradient."""

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
