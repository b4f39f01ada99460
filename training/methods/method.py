"""Base classes of methods: name, texts and settings as class attributes, network and loss in an instance.

Modules of methods do not import torch, so that the window's process can list them; instances import it when needed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from training.settings import Settings

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.losses.terms import Losses
    from training.models.network import FrameClassifier


class Method(ABC):
    """The common part of pretraining and fine-tuning methods."""

    name: str
    title: str
    """Its title on screen."""
    sentence: str
    """One sentence about it on screen."""
    settings_class: type[Settings] = Settings
    """Its own settings, with defaults."""
    presets: Mapping[str, Mapping[str, Any]] = {}
    """Preset -> values of the method's own settings."""
    preset_sentences: Mapping[str, str] = {}
    """Preset -> a sentence about it on screen, where the task's own does not fit."""
    unused: Sequence[str] = ()
    """Common settings that it does not use; the window does not show them."""
    frames_per_row = 1
    """Frames in a row of a batch."""
    terms: tuple[str, ...] = ()
    """Names of the loss terms; empty if there is only one."""
    share_name = "violating_share"
    """Name of `violating_share` in curves; empty: there is none."""
    scale_names: tuple[str, ...] = ()
    """Names of `scales` in curves."""
    triplet_loss: Any = None
    """The loss whose `scales` and `violating_share` curves show; None for methods without one."""

    def __init__(
        self, network: Any, settings: Settings | None = None, *, autocast: "torch.dtype | None" = None, **fields: Any
    ) -> None:
        """Without `settings` (its own, or a config with them) `fields` give them; `autocast` None: float32."""
        self.network = network
        self.settings = settings or self.settings_class(**fields)
        self.autocast = autocast
        self._embedding: Tensor | None = None
        self._ahead: Tensor | None = None  # of a contrast, see `share_ahead`
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Make the loss and whatever else depends on the settings."""

    def losses(self, images: "Tensor", labels: "Tensor") -> "Losses":
        """The loss of one batch."""
        return self.losses_of(self.embed(images), labels)

    @abstractmethod
    def embed(self, images: "Tensor") -> "Tensor":
        """Normalised images -> the loss's input, float32."""

    @abstractmethod
    def losses_of(self, embedding: "Tensor", labels: "Tensor") -> "Losses":
        """The loss of a whole batch's embeddings; not under autocast."""

    def settle(self) -> None:  # noqa: B027
        """Called once the gradient of a batch is complete: what the method remembers of the batch is certain."""

    def after_step(self) -> None:  # noqa: B027
        """Called after each step of the optimizer."""

    def precision(self, device: "torch.device") -> AbstractContextManager[object]:
        """The context of mixed precision, if enabled."""
        import torch

        return torch.autocast(device.type, self.autocast) if self.autocast else nullcontext()

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violate the margin, or of negatives closer than the positive."""
        if self.triplet_loss is not None:
            return float(self.triplet_loss.violating_share)
        return 0.0 if self._ahead is None else float(self._ahead.mean())

    @property
    def scales(self) -> Any:
        """How far the last batch's embeddings lie apart, as the loss sees them."""
        return () if self.triplet_loss is None else self.triplet_loss.scales

    @property
    def embedding_norm(self) -> float:
        """Mean norm of the last batch's embeddings as the loss sees them; near zero they have collapsed."""
        return 0.0 if self._embedding is None else float(self._embedding.norm(dim=1).mean())


class FinetuneMethod(Method):
    """A loss on real labels: of an embedding, and of a linear classifier on it."""

    from_imagenet: Mapping[str, Any] = {}
    """Values of the method's own settings for a start from ImageNet weights (presets `default` and `quick`)."""
    network: "FrameClassifier"

    def embed(self, images: "Tensor") -> "Tensor":
        """Normalised images (B, 3, S, S) float32 -> embeddings (B, D) float32, before any loss."""
        with self.precision(images.device):
            return self.network.embed(images).embedding
