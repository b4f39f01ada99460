"""A loss of the embeddings from elsewhere, in the place of the triplet loss: from a script, or from a package."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from training.methods.tl_ba import TripletBatchAll

if TYPE_CHECKING:
    from torch import Tensor

Loss = Callable[["Tensor", "Tensor"], "Tensor"]
"""Embeddings (B, D) float32 and labels (B,) int64, 0 for normal -> the loss ()."""


def loss_method(
    name: str, make: Callable[[], Loss], base: type[TripletBatchAll] = TripletBatchAll, title: str = ""
) -> type[TripletBatchAll]:
    """A method whose loss of the embeddings is what `make` makes when a training begins; `title` is empty for `name`.

    Everything else is that of `base`.
    """
    return type("OwnLoss", (_OwnLoss, base), {"name": name, "title": title or name, "make_loss": staticmethod(make)})


class _OwnLoss(TripletBatchAll):
    make_loss: Any
    sentence = "Classifier and a loss of a script or of another package."
    scale_names = ()  # type: ignore[assignment]  # of a loss of any kind nothing is known

    def make_triplet_loss(self) -> Any:
        """The given one, whose values are checked."""
        self.own_loss: Any = self.make_loss()
        return self._loss_of

    def _loss_of(self, embedding: "Tensor", labels: "Tensor") -> "Tensor":
        import torch

        loss = self.own_loss(embedding, labels)
        if not isinstance(loss, torch.Tensor) or loss.ndim:
            shape = f"a tensor {tuple(loss.shape)}" if isinstance(loss, torch.Tensor) else type(loss).__name__
            raise TypeError(f"loss must give a scalar tensor, not {shape}")
        if embedding.requires_grad and not loss.requires_grad:
            raise ValueError(
                "loss has no gradient: compute it from the embeddings without detach(); where a batch has nothing to "
                "learn from, give embeddings.sum() * 0"
            )
        return loss

    @property
    def scales(self) -> tuple[float, float]:
        """None."""
        return ()  # type: ignore[return-value]  # no names, no values

    @property
    def violating_share(self) -> float:
        """As the loss says, or 0."""
        return float(getattr(self.own_loss, "violating_share", 0.0))
