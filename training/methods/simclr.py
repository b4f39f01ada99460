"""SimCLR: two views of a frame are positives, all other frames of the batch negatives (Chen et al. 2020).

Pascual et al. 2022 compare with it and state neither its batches nor its temperature. Ours: projection head and
optimizer are those of time-triplet, and frames are drawn from everywhere instead of in sequences.
"""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor, nn

from training.losses.gathered import gathered_views
from training.losses.nt_xent import NtXentLoss
from training.losses.terms import Losses, share_ahead
from training.models.projection_head import Pretrainer

NAME = "simclr"


class SimClr:
    """Trunk + projection head + NT-Xent on two views of each frame."""

    views = 2
    """How often a batch shows each frame."""
    terms: tuple[str, ...] = ()
    share_name = "negatives_ahead"

    def __init__(
        self,
        network: Pretrainer,
        *,
        temperature: float = 0.1,
        gather: bool = False,
        autocast: torch.dtype | None = None,
    ) -> None:
        """`gather`: with several ranks, negatives come from the frames of all of them."""
        self.network = network
        self.encode: nn.Module = network
        """The network, or the same with gradients averaged over ranks."""
        self.gather = gather
        self.autocast = autocast
        self.loss = NtXentLoss(temperature)
        self._projection: Tensor | None = None

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """Loss of normalised images (2B, 3, S, S) float32, first views then second ones; labels are not needed."""
        return self.losses_of(self.embed(images), labels)

    def embed(self, images: Tensor) -> Tensor:
        """Projections (2B, P) float32: all that the loss needs of the images."""
        with self._precision(images.device):
            projection: Tensor = self.encode(images).projection
        return projection

    def losses_of(self, projection: Tensor, labels: Tensor) -> Losses:
        """Loss of a whole batch's projections (2B, P); labels are not needed."""
        self._projection = projection.detach()
        loss = self.loss(gathered_views(projection, self.views) if self.gather else projection)
        return Losses(loss)

    def _precision(self, device: torch.device) -> AbstractContextManager[object]:
        return torch.autocast(device.type, self.autocast) if self.autocast else nullcontext()

    @property
    def violating_share(self) -> float:
        """Share of the last batch's views of other frames that were more alike than a view's own other one."""
        if self._projection is None or len(self._projection) < 4:
            return 0.0
        directions = torch.nn.functional.normalize(self._projection.float(), dim=1)
        alike, count = directions @ directions.T, len(directions)
        own = torch.arange(count, device=alike.device).roll(count // 2).unsqueeze(1)
        others = torch.ones_like(alike, dtype=torch.bool).fill_diagonal_(False).scatter_(1, own, False)
        return float(share_ahead(alike.gather(1, own).squeeze(1), alike[others].view(count, -1)).mean())

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's projections before they are normalised."""
        return 0.0 if self._projection is None else float(self._projection.norm(dim=1).mean())
