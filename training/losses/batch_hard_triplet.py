"""The batch-hard triplet loss: for every anchor its farthest positive and its nearest negative."""

import torch
from torch import Tensor, nn

from training.errors import UserError
from training.losses.batch_all_triplet import Reduction, centred, squared_distances


class BatchHardTripletLoss(nn.Module):
    """Hermans et al. 2017 (In Defense of the Triplet Loss), eq. 5; TL_BH in Laiz et al. 2020 and Pascual et al. 2022.

    `max(0, margin + max d_ap - min d_an)`, one triplet an anchor. Squared Euclidean distances of unnormalised
    embeddings, as in `BatchAllTripletLoss` (Hermans et al. take the root; neither WCE paper says otherwise for its
    TL_BH: ours). The mean over violating anchors by default; `reduction="sum"` is the sum. An anchor without a
    positive or without a negative does not count; a batch without any gives zero, with a (zero) gradient.
    """

    def __init__(self, margin: float = 0.2, reduction: Reduction = "mean") -> None:
        super().__init__()
        if reduction not in ("mean", "sum"):
            raise UserError(f"The reduction {reduction!r} of the triplet loss is unknown.", "Use mean or sum.")
        self.margin = margin
        self.reduction: Reduction = reduction
        self._last: tuple[Tensor, Tensor] | None = None

    @property
    def violating_share(self) -> float:
        """Share of the last batch's hardest triplets that violated the margin, in [0, 1]; waits for the device."""
        if self._last is None:
            return 0.0
        violating, anchors = self._last
        return int(violating) / max(1, int(anchors))

    def forward(self, embeddings: Tensor, labels: Tensor) -> Tensor:
        """Loss () of embeddings (B, D) float and labels (B,) integers; raises `UserError` on other shapes."""
        if embeddings.ndim != 2 or labels.shape != embeddings.shape[:1] or not embeddings.is_floating_point():
            raise UserError(
                f"The triplet loss needs floating-point embeddings (B, D) and labels (B,), not "
                f"{tuple(embeddings.shape)} {embeddings.dtype} and {tuple(labels.shape)}."
            )
        with torch.autocast(embeddings.device.type, enabled=False):
            hinge, counts = self._hinge(embeddings, labels)
        violating = (hinge > 0) & counts
        self._last = violating.sum().detach(), counts.sum()
        total = hinge.masked_fill(~counts, 0.0).sum()
        loss = total / violating.sum().clamp_min(1) if self.reduction == "mean" else total
        return loss.to(embeddings.dtype)

    def _hinge(self, embeddings: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        """Each anchor's hinge (B,) and whether it has a triplet (B,) bool."""
        points = centred(embeddings)
        # Chosen by the Gram matrix, then measured directly: only B pairs of each kind need a gradient.
        with torch.no_grad():
            distances = squared_distances(points, points)
            same = labels.unsqueeze(1) == labels
            positives = same & ~torch.eye(len(labels), dtype=torch.bool, device=labels.device)
            farthest = distances.masked_fill(~positives, -1.0).argmax(1) if len(labels) else labels
            nearest = distances.masked_fill(same, float("inf")).argmin(1) if len(labels) else labels
            counts = positives.any(1) & (~same).any(1)
        to_positive = (points - points[farthest]).square().sum(1)
        to_negative = (points - points[nearest]).square().sum(1)
        return (to_positive - to_negative + self.margin).clamp_min(0.0), counts
