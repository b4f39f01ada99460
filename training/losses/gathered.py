"""A batch that lies on several ranks, as one batch: losses may then take their negatives from all of them."""

from typing import Any

import torch
from torch import Tensor, distributed
from torch.autograd.function import once_differentiable


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
