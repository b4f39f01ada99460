"""What every method has: its name and words, its own settings, and a network with a loss on it.

A method is a class. What the window, the command line and the benchmark need of it are class attributes; an instance
has the network. torch is imported when an instance is made or used, never with the module, so that the window's process
can list the methods.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from training.settings import Settings

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.losses.terms import Losses
    from training.models.network import FrameClassifier


class Method(ABC):
    """The common part of pretraining and finetuning methods."""

    name: str
    title: str
    """What the window calls it."""
    sentence: str
    """What the window says about it."""
    settings_class: type[Settings] = Settings
    """Its own settings, with defaults."""
    presets: Mapping[str, Mapping[str, Any]] = {}
    """Preset -> what it sets of the method's own settings."""
    terms: tuple[str, ...] = ()
    """Names of what the loss is made of; empty where it is one."""
    share_name = "violating_share"
    """How curves call `violating_share`."""
    violating_share: Any = 0.0
    """Share of the last batch's triplets or negatives that are not in order yet, in [0, 1]."""

    def __init__(
        self, network: Any, settings: Settings | None = None, *, autocast: "torch.dtype | None" = None, **fields: Any
    ) -> None:
        """Put the loss on a network.

        Args:
            network: what is trained.
            settings: the method's own, or a whole config that holds them; None: its defaults and `fields`.
            autocast: type of mixed precision; None: float32.
            fields: of `settings_class`.
        """
        self.network = network
        self.settings = settings or self.settings_class(**fields)
        self.autocast = autocast
        self._embedding: Tensor | None = None
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Make the loss, and whatever else the instance needs of its settings."""

    def losses(self, images: "Tensor", labels: "Tensor") -> "Losses":
        """The loss of one batch."""
        return self.losses_of(self.embed(images), labels)

    @abstractmethod
    def embed(self, images: "Tensor") -> "Tensor":
        """Normalised images -> float32: all that the loss needs of them."""

    @abstractmethod
    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """The loss of a whole batch's embeddings; not under autocast."""

    def precision(self, device: "torch.device") -> AbstractContextManager[object]:
        """Mixed precision where it was asked for."""
        import torch

        return torch.autocast(device.type, self.autocast) if self.autocast else nullcontext()

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's embeddings as the loss sees them; towards zero they collapse."""
        return 0.0 if self._embedding is None else float(self._embedding.norm(dim=1).mean())


class FinetuneMethod(Method):
    """A loss on real labels: of an embedding, and of a linear classifier on it."""

    network: "FrameClassifier"

    def embed(self, images: "Tensor") -> "Tensor":
        """Normalised images (B, 3, S, S) float32 -> embeddings (B, D) float32, before any loss."""
        with self.precision(images.device):
            return self.network.embed(images).embedding
