"""The batch-all triplet loss, exact and cheap: sorting and prefix sums stand for the enumeration of all triplets.

Beside it the batch-hard loss: for every anchor its farthest positive and its nearest negative.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

Reduction = Literal["mean", "sum"]
# Rows [start, stop) of the batch as anchors -> (positives, negatives), two (stop - start, B) boolean matrices.
Relation = Callable[[int, int], tuple[Tensor, Tensor]]

BLOCK_ELEMENTS = 2**20
"""Distances that are held at once: larger batches go through in blocks of rows, so memory stays far below (B, B)."""


class TripletSums(NamedTuple):
    """What one pass over a batch yields."""

    total: Tensor
    """() float: sum of `d_ap - d_an + margin` over the violating triplets."""
    violating: Tensor
    """() int64: how many triplets violate the margin, `d_an < d_ap + margin` (strictly)."""
    gradient: Tensor
    """(B, D) float: gradient of `total` with respect to the embeddings."""


def squared_distances(rows: Tensor, columns: Tensor) -> Tensor:
    """Squared Euclidean distances by a Gram matrix, (R, D) x (B, D) -> (R, B); never negative."""
    squares = rows.square().sum(1, keepdim=True) + columns.square().sum(1)
    return torch.addmm(squares, rows, columns.T, alpha=-2.0).clamp_min_(0.0)


def centred(embeddings: Tensor) -> Tensor:
    """Move a batch (B, D) to its centre in the precision of the calculation: distances stay, digits are won.

    The centre is rounded to bfloat16: enough to take a common offset away, and differences of short binary numbers
    (integers, say) stay exact, so that ties at the margin are decided exactly. float64 where the device has it.
    """
    precise = embeddings if embeddings.device.type == "mps" else embeddings.double()
    return precise - precise.mean(0, keepdim=True).to(torch.bfloat16).to(precise.dtype)


def batch_all_sums(embeddings: Tensor, relation: Relation, margin: float) -> TripletSums:
    """Sum, count and gradient of the hinge over all triplets of a batch (B, D) in O(B^2 log B) time, exactly.

    Laiz et al. 2020, eq. 5; Pascual et al. 2022, eq. 2. In sorted order a positive's violating negatives are a prefix,
    and their sum is a prefix sum. The embeddings are not normalised, the margin is in units of the squared distance,
    and an anchor is never its own positive.
    """
    points = centred(embeddings)
    size = len(points)
    total = points.new_zeros(())
    violating = torch.zeros((), dtype=torch.int64, device=points.device)
    gradient = torch.zeros_like(points)
    block = max(1, BLOCK_ELEMENTS // max(1, size))
    for start in range(0, size, block):
        stop = min(start + block, size)
        rows = points[start:stop]
        positives, negatives = relation(start, stop)
        distances = squared_distances(rows, points)
        summed, count, slope = _anchor_sums(distances, positives, negatives, margin)
        total += summed
        violating += count
        # d_aj = |x_a - x_j|^2, so a slope g_aj pulls x_a by 2 g_aj (x_a - x_j) and x_j by the opposite.
        gradient[start:stop] += 2.0 * (slope.sum(1, keepdim=True) * rows - slope @ points)
        gradient += 2.0 * (slope.sum(0).unsqueeze(1) * points - slope.T @ rows)
    return TripletSums(total, violating, gradient)


def _anchor_sums(
    distances: Tensor, positives: Tensor, negatives: Tensor, margin: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Sum () and count () of violating triplets of a block of anchors, and d sum / d distances (R, B).

    One sort a row holds both: the negatives at d_an, the positives at their reach d_ap + margin. What stands before a
    positive are its violating negatives; what stands behind a negative are the positives that it violates.
    """
    reach = torch.where(positives, distances + margin, distances)
    order = _ascending(reach, negatives, positives | negatives)
    reach, is_positive, is_negative = (part.gather(1, order) for part in (reach, positives, negatives))
    before = is_negative.cumsum(1).masked_fill_(~is_positive, 0)  # (R, B) violating negatives of each positive
    nearer = (reach * is_negative).cumsum(1)
    summed = ((before * reach - nearer) * is_positive).sum()
    reached = is_positive.cumsum(1)
    behind = (reached[:, -1:] - reached).masked_fill_(~is_negative, 0)  # (R, B) positives that a negative violates
    slope = torch.empty_like(distances).scatter_(1, order, (before - behind).to(distances.dtype))
    return summed, before.sum(), slope


def _ascending(values: Tensor, is_second: Tensor, counts: Tensor) -> Tensor:
    """Order (R, B) int64 of each row's values, ascending; at a tie what `is_second` comes later (d_an < d_ap + margin
    is strict); what does not count comes last.

    Bits of floats that are not negative sort like the floats. Centred, they leave room for one bit more: the tie's.
    """
    wide = values.dtype == torch.float64
    bits = values.masked_fill(~counts, float("inf")).view(torch.int64 if wide else torch.int32)
    keys = (bits - 2 ** (62 if wide else 30)) * 2 + is_second
    if keys.device.type == "cpu":
        # numpy sorts with AVX512 or AVX2 where there is any: some 20 times as fast as torch on one core.
        return torch.from_numpy(np.argsort(keys.numpy(), axis=1))
    order: Tensor = keys.argsort(dim=1)
    return order


def time_window(labels: Tensor, window: int) -> Relation:
    """Positives lie within `window` of the anchor's label, all other frames are negatives (Pascual et al. 2022, eq. 1).

    Labels (B,) are classes with a window of 0; pseudo-labels, or positions where all frames are of one study.
    """

    def relation(start: int, stop: int) -> tuple[Tensor, Tensor]:
        near = (labels[start:stop].unsqueeze(1) - labels).abs() <= window
        positives = near.clone()
        rows = torch.arange(stop - start, device=labels.device)
        positives[rows, rows + start] = False
        return positives, ~near

    return relation


def count_triplets(labels: Tensor, window: int) -> int:
    """How many (anchor, positive, negative) triplets a batch with labels (B,) has."""
    ordered = labels.sort().values
    near = torch.searchsorted(ordered, ordered + window, right=True) - torch.searchsorted(ordered, ordered - window)
    return int(((near - 1) * (len(labels) - near)).sum())


class _BatchAll(torch.autograd.Function):
    """Keeps the gradient (B, D) of the forward pass instead of any (B, B) matrix."""

    @staticmethod
    def forward(
        ctx: Any, embeddings: Tensor, relation: Relation, margin: float, reduction: Reduction
    ) -> tuple[Tensor, Tensor]:
        sums = batch_all_sums(embeddings.detach(), relation, margin)
        divisor = sums.violating.clamp_min(1) if reduction == "mean" else 1
        ctx.save_for_backward((sums.gradient / divisor).to(embeddings.dtype))
        ctx.mark_non_differentiable(sums.violating)
        return (sums.total / divisor).to(embeddings.dtype), sums.violating

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * grads[0], None, None, None


def mean_distance(embeddings: Tensor) -> Tensor:
    """Mean squared distance () between two different embeddings of a batch (B, D); 0 of fewer than two."""
    if len(embeddings) < 2:
        return embeddings.new_zeros(())
    points = centred(embeddings)
    # The mean over all pairs is twice the variance; only pairs of two different embeddings count.
    variance = (points.square().sum(1).mean() - points.mean(0).square().sum()).clamp_min(0.0)
    return 2.0 * variance * len(points) / (len(points) - 1)


class TripletLoss(nn.Module, ABC):
    """Margin, reduction, argument checks and the share of violating triplets, for every triplet loss."""

    def __init__(self, margin: float = 0.2, reduction: Reduction = "mean") -> None:
        """Make the loss.

        Args:
            margin: in units of the squared distance.
            reduction: "mean" over the violating triplets, or "sum".
        """
        super().__init__()
        if reduction not in ("mean", "sum"):
            raise ValueError(f"the reduction is mean or sum, not {reduction!r}")
        self.margin = margin
        self.reduction: Reduction = reduction
        self._last: tuple[Tensor, Tensor] | None = None
        self._mean_distance: Tensor | None = None

    @property
    def violating_share(self) -> float:
        """Share of the last batch's triplets that violated the margin, in [0, 1]; waits for the device."""
        if self._last is None:
            return 0.0
        violating, labels = self._last
        return int(violating) / max(1, self.count(labels))

    @property
    def scales(self) -> tuple[float, float]:
        """Mean squared distance between two embeddings of the last batch, and its ratio to the margin (0: no margin).

        Where the ratio is far above 1, the loss shrinks the embedding before it orders anything; near 1 or below it is
        next to the collapsed one. Waits for the device.
        """
        distance = 0.0 if self._mean_distance is None else float(self._mean_distance)
        return distance, distance / self.margin if self.margin else 0.0

    def forward(self, embeddings: Tensor, labels: Tensor) -> Tensor:
        """Loss () of embeddings (B, D) float and labels (B,) integers; raises ValueError on other shapes."""
        if embeddings.ndim != 2 or labels.shape != embeddings.shape[:1] or not embeddings.is_floating_point():
            raise ValueError(
                f"expected floating-point embeddings (B, D) and labels (B,), got {tuple(embeddings.shape)} "
                f"{embeddings.dtype} and {tuple(labels.shape)}"
            )
        with torch.autocast(embeddings.device.type, enabled=False):
            loss, violating = self.compute(embeddings, labels)
        self._last = violating, labels
        self._mean_distance = mean_distance(embeddings.detach())
        return loss

    @abstractmethod
    def compute(self, embeddings: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        """The loss () and how many triplets violate the margin () int64."""

    @abstractmethod
    def count(self, labels: Tensor) -> int:
        """How many triplets a batch with labels (B,) has."""


class BatchAllTripletLoss(TripletLoss):
    """Every triplet of a batch: anchor and positive of one label, negative of another.

    `max(0, d_ap - d_an + margin)` on squared Euclidean distances (Laiz et al. 2020, eq. 5; Pascual et al. 2022, eq. 2).
    Pascual et al. say that their embeddings are not normalised. Laiz et al. do not say, and refer for the loss to
    FaceNet, whose embeddings have length 1: see `normalise` of `tl-ba`. Laiz et al. write a sum (`reduction="sum"`),
    Pascual et al. the term of one triplet; the default here is the mean over violating triplets (ours), which does not
    fade as fewer of them violate. With unnormalised pooled embeddings a sum cannot be trained at their learning rates:
    one step moves the weights by many times their own length. A batch without a triplet gives zero, with a (zero)
    gradient.
    """

    window = 0

    def compute(self, embeddings: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        loss, violating = _BatchAll.apply(embeddings, time_window(labels, self.window), self.margin, self.reduction)
        return loss, violating

    def count(self, labels: Tensor) -> int:
        return count_triplets(labels, self.window)


class BatchHardTripletLoss(TripletLoss):
    """TL_BH: Laiz et al. 2020, eq. 6, after Hermans et al. 2017 (In Defense of the Triplet Loss), eq. 5.

    `max(0, margin + max d_ap - min d_an)`, one triplet an anchor. Squared Euclidean distances, as Laiz et al. write
    them (Hermans et al. take the root). The mean over violating anchors by default (ours); `reduction="sum"` is the
    paper's sum. An anchor without a positive or without a negative does not count; a batch without any gives zero, with
    a (zero) gradient.
    """

    def compute(self, embeddings: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        hinge, counts = self._hinge(embeddings, labels)
        violating = ((hinge > 0) & counts).sum()
        total = hinge.masked_fill(~counts, 0.0).sum()
        loss = total / violating.clamp_min(1) if self.reduction == "mean" else total
        return loss.to(embeddings.dtype), violating.detach()

    def count(self, labels: Tensor) -> int:
        """How many anchors have a positive and a negative, and so one triplet."""
        same = labels.unsqueeze(1) == labels
        return int(((same.sum(1) > 1) & (~same).any(1)).sum())

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
