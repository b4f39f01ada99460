"""A fine-tuning method with one more loss term, the same for every method: what the old model knew is rehearsed.

Rehearsal with soft targets is ours; the loss is learning without forgetting (see `training.losses.terms`).
"""

from typing import TYPE_CHECKING, Any

from training.methods.method import FinetuneMethod

if TYPE_CHECKING:
    from torch import Tensor

    from training.losses.terms import Losses

TERM = "rehearsal"


class Rehearsing(FinetuneMethod):
    """The method on the labelled frames of a batch, and `kept_loss` on those without labels.

    A frame without a label carries the label `-1 - row`, `row` being its row of the targets. The gradient of the new
    term reaches embedding and classifier, also where the method has a stop-gradient: the embedding must not lose what
    the old classes need.
    """

    def __init__(self, method: FinetuneMethod, targets: "Tensor", kept: "Tensor", weight: float) -> None:
        """`targets` (R, 1 + K) and `kept` (K,) are those of `kept_loss`; `weight` is that of the new term."""
        self._method = method
        self._targets, self._kept, self._weight = targets, kept, weight
        super().__init__(method.network, method.settings, autocast=method.autocast)

    def prepare(self) -> None:
        """Take over what curves show of the method."""
        self.terms = (*self._method.terms, TERM)
        self.share_name, self.scale_names = self._method.share_name, self._method.scale_names

    def embed(self, images: "Tensor") -> "Tensor":
        """As the method."""
        return self._method.embed(images)

    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """The method's loss of the labelled embeddings (B, D), and the new term of the others."""
        from training.losses.terms import Losses, kept_loss

        is_labelled = labels >= 0
        own = self._method.losses_of(embedding[is_labelled], labels[is_labelled])
        logits = self.network.classifier(embedding[~is_labelled])
        lost = kept_loss(logits, self._targets[-1 - labels[~is_labelled]], self._kept)
        return Losses(own.total + self._weight * lost, {**own.terms, TERM: lost})

    def after_step(self) -> None:
        """Of the method."""
        self._method.after_step()

    @property
    def violating_share(self) -> Any:
        """Of the method."""
        return self._method.violating_share

    @property
    def scales(self) -> Any:
        """Of the method."""
        return self._method.scales

    @property
    def embedding_norm(self) -> float:
        """Of the method, that is of the labelled frames."""
        return self._method.embedding_norm
