"""The triplet loss in which nearness in time stands for a label (Pascual et al. 2022, eq. 1 and 2)."""

import torch
from torch import Tensor, nn

from training.errors import UserError
from training.losses.batch_all_triplet import Reduction, Relation, batch_all_triplet


def time_window(labels: Tensor, window: int) -> Relation:
    """Positives lie within `window` of the anchor's pseudo-label, all other frames are negatives (eq. 1).

    Args:
        labels: (B,) int64 pseudo-labels, or positions where all frames are of one study.
        window: w, in frames.
    """

    def relation(start: int, stop: int) -> tuple[Tensor, Tensor]:
        near = (labels[start:stop].unsqueeze(1) - labels).abs() <= window
        positives = near.clone()
        rows = torch.arange(stop - start, device=labels.device)
        positives[rows, rows + start] = False
        return positives, ~near

    return relation


class TimeTripletLoss(nn.Module):
    """Batch-all over time: `max(0, d_ap - d_an + margin)`, squared distances of unnormalised embeddings (eq. 2).

    The mean over violating triplets by default, as in `BatchAllTripletLoss`; `reduction="sum"` is the paper's sum.
    """

    def __init__(self, margin: float = 0.2, window: int = 9, reduction: Reduction = "mean") -> None:
        super().__init__()
        if reduction not in ("mean", "sum"):
            raise UserError(f"The reduction {reduction!r} of the triplet loss is unknown.", "Use mean or sum.")
        self.margin, self.window = margin, window
        self.reduction: Reduction = reduction
        self._last: tuple[Tensor, Tensor] | None = None

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violated the margin, in [0, 1]; waits for the device."""
        if self._last is None:
            return 0.0
        violating, labels = self._last
        return int(violating) / max(1, count_time_triplets(labels, self.window))

    def forward(self, embeddings: Tensor, labels: Tensor) -> Tensor:
        """Loss () of embeddings (B, D) float and pseudo-labels (B,) int64; raises `UserError` on anything else."""
        if embeddings.ndim != 2 or labels.shape != embeddings.shape[:1]:
            raise UserError(
                f"The triplet loss needs embeddings (B, D) and labels (B,), not {tuple(embeddings.shape)} and "
                f"{tuple(labels.shape)}."
            )
        if labels.dtype != torch.int64:
            raise UserError(
                f"Pseudo-labels must be int64, not {labels.dtype}: other types are not precise enough to "
                "distinguish frames."
            )
        relation = time_window(labels, self.window)
        loss, violating = batch_all_triplet(embeddings, relation, self.margin, self.reduction)
        self._last = violating, labels
        return loss


def count_time_triplets(labels: Tensor, window: int) -> int:
    """How many (anchor, positive, negative) triplets a batch with pseudo-labels (B,) has."""
    ordered = labels.sort().values
    near = torch.searchsorted(ordered, ordered + window, right=True) - torch.searchsorted(ordered, ordered - window)
    return int(((near - 1) * (len(labels) - near)).sum())
