"""Batch normalisation over the rows of all processes of a run, on CPUs too, where torch's SyncBatchNorm does not run.

Ioffe & Szegedy 2015: mean and variance are those of the whole batch, and so is the gradient through them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch.autograd.function import once_differentiable
from torch.nn.functional import batch_norm

_AXES = (0, 2, 3)


@contextmanager
def synchronised(network: nn.Module) -> Iterator[None]:
    """A context in which layers in training mode normalise by the statistics of all processes.

    All processes must go through the same layers in the same order. Running statistics are the same on all.
    """
    norms = [part for part in network.modules() if isinstance(part, nn.BatchNorm2d) and part.training]
    for norm in norms:
        norm.forward = partial(_normalised, norm)  # type: ignore[method-assign]
    try:
        yield
    finally:
        for norm in norms:
            del norm.forward


def _normalised(norm: nn.BatchNorm2d, images: Tensor) -> Tensor:
    """(B, C, H, W) -> the same, normalised; updates the running statistics as torch does."""
    with torch.no_grad():
        values = images.float()
        sums = torch.cat([values.sum(_AXES), values.new_tensor([values.numel() / values.shape[1]])])
        distributed.all_reduce(sums)
        count = sums[-1]
        mean = sums[:-1] / count
        squares = (values - mean.view(1, -1, 1, 1)).square().sum(_AXES)
        distributed.all_reduce(squares)
        variance = squares / count
        if norm.running_mean is not None and norm.running_var is not None:
            assert norm.num_batches_tracked is not None
            norm.num_batches_tracked += 1
            share = norm.momentum if norm.momentum is not None else 1.0 / float(norm.num_batches_tracked)
            norm.running_mean.lerp_(mean, share)
            norm.running_var.lerp_(variance * (count / (count - 1)), share)
    result: Tensor = _Normalise.apply(images, norm.weight, norm.bias, mean, variance, count, norm.eps)
    return result


class _Normalise(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        images: Tensor,
        weight: Tensor | None,
        bias: Tensor | None,
        mean: Tensor,
        variance: Tensor,
        count: Tensor,
        eps: float,
    ) -> Tensor:
        scale = (variance + eps).rsqrt()
        ctx.save_for_backward(images, weight, mean, scale, count)
        return batch_norm(images, mean, variance, weight, bias, False, 0.0, eps)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        images, weight, mean, scale, count = ctx.saved_tensors
        slopes = grads[0].float()
        places = (images.float() - mean.view(1, -1, 1, 1)) * scale.view(1, -1, 1, 1)
        sums = torch.stack([slopes.sum(_AXES), (slopes * places).sum(_AXES)])
        of_bias, of_weight = sums.clone()
        distributed.all_reduce(sums)
        level, tilt = (sums / count).view(2, 1, -1, 1, 1)
        factor = scale if weight is None else scale * weight
        of_images = (slopes - level - places * tilt) * factor.view(1, -1, 1, 1)
        own = None if weight is None else of_weight
        return of_images.to(images.dtype), own, None if weight is None else of_bias, None, None, None, None
