"""What losses give back: the loss of a step with its terms, and the two terms of a contrast with a memory bank.

A batch that lies on several ranks, as one batch: losses may then take their negatives from all of them.

Distillation of an old model's scores: classes that have no labels any more keep what the old model knew of them.

Li & Hoiem 2016 (Learning without forgetting): the old model's softmax is the target of the new one. As in Cermelli et
al. 2020 (Modeling the background, eq. 8) all other classes count as one here, "the rest": which of the labelled classes
and normal a frame belongs to is for the labels to decide, and classes that the old model did not know take no part.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor, distributed
from torch.autograd.function import once_differentiable


class BankContrast(NamedTuple):
    """The loss of a batch and what it is made of."""

    total: Tensor
    """() both terms, each times its weight."""
    memory: Tensor
    """() InfoNCE of the first view and the frame's row of the bank, without gradient."""
    view: Tensor
    """() InfoNCE of the term that the other view takes part in, without gradient."""
    ahead: Tensor
    """(B,) share of that term's negatives that are more alike than the positive, in [0, 1]; see `share_ahead`."""


def share_ahead(own: Tensor, others: Tensor) -> Tensor:
    """Share of `others` (B, K) that exceed `own` (B,), a tie as half: (B,) float32 in [0, 1], 0.5 where all are alike.

    Without gradient.
    """
    apart = (others - own.unsqueeze(1)).detach()
    return (apart.sign().mean(1) + 1) / 2


class Losses(NamedTuple):
    """The loss of one step and what it is made of, each a () tensor."""

    total: Tensor
    terms: Mapping[str, Tensor] = {}
    """The method's `terms` by name, before their weights; empty where the loss is one."""

    def detached(self) -> "Losses":
        """The same numbers without a graph."""
        return Losses(self.total.detach(), {name: term.detach() for name, term in self.terms.items()})


def gathered(rows: Tensor) -> Tensor:
    """Rows (B, ...) of every rank, one rank after the other: (sum of B, ...); alone, the rows themselves.

    Every rank then computes the loss of the whole batch, so the gradient of its own rows is complete as it stands and
    nothing travels back. DistributedDataParallel takes the mean over ranks of what each rank's rows contribute to the
    weights, where the gradient of the whole batch is the sum: the rows' gradient is multiplied by the number of ranks.

    Args:
        rows: embeddings with a graph, or labels; as many rows as a rank has, of one shape and type otherwise.
    """
    if not (distributed.is_available() and distributed.is_initialized()) or distributed.get_world_size() == 1:
        return rows
    return _Gather.apply(rows) if rows.requires_grad else _gather(rows)[0]


def gathered_views(rows: Tensor, views: int) -> Tensor:
    """The same for rows that hold all first views, then all second views: (views * B, ...) -> all first views first."""
    return torch.cat([gathered(part) for part in rows.chunk(views)])


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, rows: Tensor) -> Tensor:
        everything, ctx.start = _gather(rows.detach())
        ctx.stop = ctx.start + len(rows)
        return everything

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Tensor:
        return grads[0][ctx.start : ctx.stop] * distributed.get_world_size()


def _gather(rows: Tensor) -> tuple[Tensor, int]:
    """The rows of all ranks, and where this rank's begin; ranks may have different numbers of rows."""
    count, rank = distributed.get_world_size(), distributed.get_rank()
    size = torch.zeros(count, dtype=torch.int64, device=rows.device)
    size[rank] = len(rows)
    distributed.all_reduce(size)
    sizes = size.tolist()
    padded = rows.new_zeros((max(sizes), *rows.shape[1:]))
    padded[: len(rows)] = rows
    parts = [torch.empty_like(padded) for _ in range(count)]
    distributed.all_gather(parts, padded)
    return torch.cat([part[:length] for part, length in zip(parts, sizes, strict=True)]), sum(sizes[:rank])


def kept_loss(logits: Tensor, targets: Tensor, kept: Tensor) -> Tensor:
    """Mean Kullback-Leibler divergence () in nats of the new model's scores from the targets; 0: nothing was lost.

    Targets (R, 1 + K) are of `training.models.logistic.kept_targets`, `kept` (K,) are rows of the new classifier.
    """
    is_rest = torch.ones(logits.shape[1], dtype=torch.bool, device=logits.device)
    is_rest[kept] = False
    scores = logits.log_softmax(dim=1)
    grouped = torch.cat([scores[:, is_rest].logsumexp(1, keepdim=True), scores[:, kept]], dim=1)
    return (torch.xlogy(targets, targets) - targets * grouped).sum(1).mean()
