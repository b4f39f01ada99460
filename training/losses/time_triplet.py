"""The triplet loss in which nearness in time stands for a label (Pascual et al. 2022, eq. 1 and 2)."""

import torch
from torch import Tensor

from training.losses.batch_all_triplet import BatchAllTripletLoss, Reduction, Relation


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


class TimeTripletLoss(BatchAllTripletLoss):
    """Batch-all over time: `max(0, d_ap - d_an + margin)`, squared distances of unnormalised embeddings (eq. 2).

    The mean over violating triplets by default, as in `BatchAllTripletLoss`: the paper writes the term of one triplet
    and does not say how a batch of them is reduced.
    Takes pseudo-labels (B,) int64; smaller types cannot hold them exactly.
    """

    def __init__(self, margin: float = 0.2, window: int = 9, reduction: Reduction = "mean") -> None:
        """Make the loss.

        Args:
            margin: in units of the squared distance.
            window: frames at most this far from the anchor are its positives.
            reduction: "mean" over the violating triplets, or "sum".
        """
        super().__init__(margin, reduction)
        self.window = window

    def relation(self, labels: Tensor) -> Relation:
        if labels.dtype != torch.int64:
            raise ValueError(f"pseudo-labels are int64, not {labels.dtype}")
        return time_window(labels, self.window)

    def count(self, labels: Tensor) -> int:
        return count_time_triplets(labels, self.window)


def count_time_triplets(labels: Tensor, window: int) -> int:
    """How many (anchor, positive, negative) triplets a batch with pseudo-labels (B,) has."""
    ordered = labels.sort().values
    near = torch.searchsorted(ordered, ordered + window, right=True) - torch.searchsorted(ordered, ordered - window)
    return int(((near - 1) * (len(labels) - near)).sum())
