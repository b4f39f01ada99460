"""Time-based self-supervised pretraining: frames near in time are positives (Pascual et al. 2022, section 3.1)."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn

from training.losses.batch_all_triplet import Reduction
from training.losses.gathered import gathered
from training.losses.terms import Losses
from training.losses.time_triplet import TimeTripletLoss
from training.models.projection_head import Pretrainer

NAME = "time-triplet"


class TimeTriplet:
    """Trunk + projection head + batch-all triplet loss over time, on one or several sequences a batch."""

    views = 1
    """How often a batch shows each frame."""
    terms: tuple[str, ...] = ()
    share_name = "violating_share"

    def __init__(
        self,
        network: Pretrainer,
        *,
        margin: float = 0.2,
        window: int = 9,
        reduction: Reduction = "mean",
        gather: bool = False,
        autocast: torch.dtype | None = None,
    ) -> None:
        """`gather`: with several ranks, positives and negatives come from the sequences of all of them (ours)."""
        self.network = network
        self.encode: nn.Module = network
        """The network, or the same with gradients averaged over ranks."""
        self.gather = gather
        self.autocast = autocast
        self.loss = TimeTripletLoss(margin, window, reduction)
        self._projection: Tensor | None = None

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """Loss of normalised images (B, 3, S, S) float32 and pseudo-labels (B,) int64; no cross-entropy."""
        return self.losses_of(self.embed(images), labels)

    def embed(self, images: Tensor) -> Tensor:
        """Projections (B, P) float32: all that the loss needs of the images."""
        with self._precision(images.device):
            projection: Tensor = self.encode(images).projection
        return projection

    def losses_of(self, projection: Tensor, labels: Tensor) -> Losses:
        """Loss of a whole batch's projections (B, P) and pseudo-labels (B,)."""
        self._projection = projection.detach()
        if self.gather:
            projection, labels = gathered(projection), gathered(labels)
        loss = self.loss(projection, labels)
        return Losses(loss)

    def _precision(self, device: torch.device) -> AbstractContextManager[object]:
        return torch.autocast(device.type, self.autocast) if self.autocast else nullcontext()

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violated the margin."""
        return self.loss.violating_share

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's projections, which the loss sees; towards zero they collapse."""
        return 0.0 if self._projection is None else float(self._projection.norm(dim=1).mean())
