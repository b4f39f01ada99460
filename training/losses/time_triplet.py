"""The triplet loss in which nearness in time stands for a label (Pascual et al. 2022, eq. 1 and 2)."""

import torch
from torch import Tensor

from training.losses.batch_all_triplet import BatchAllTripletLoss, Reduction


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

    def compute(self, embeddings: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        if labels.dtype != torch.int64:
            raise ValueError(f"pseudo-labels are int64, not {labels.dtype}")
        return super().compute(embeddings, labels)
