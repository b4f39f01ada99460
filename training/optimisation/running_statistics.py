"""What batch normalisation remembers of the batches, as numbers that can be put back or averaged."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class RunningStatistics:
    """Running means and variances of a network, read and written as one flat tensor.

    They follow each batch linearly, so the mean of what several parts of a batch made of them is what one update by
    the mean of the parts' statistics makes of them: that is how ranks, and chunks of a batch, count alike.
    """

    def __init__(self, network: nn.Module) -> None:
        """Of the layers that are in training mode now: frozen ones stay as they are, to the last bit."""
        norms = [part for part in network.modules() if isinstance(part, nn.BatchNorm2d) and part.training]
        self._numbers = [
            buffer for norm in norms for buffer in (norm.running_mean, norm.running_var) if buffer is not None
        ]
        self._counters = [norm.num_batches_tracked for norm in norms if norm.num_batches_tracked is not None]

    def read(self) -> Tensor:
        """A copy, (total,) float, on the device; counters come last (exact up to 2^24 steps)."""
        parts = [*self._numbers, *(counter.float() for counter in self._counters)]
        return torch.cat([part.detach().reshape(-1) for part in parts]) if parts else torch.zeros(0)

    @torch.no_grad()
    def write(self, flat: Tensor) -> None:
        """Put back what `read` gave, or a mean of such."""
        buffers: Sequence[Tensor] = (*self._numbers, *self._counters)
        for buffer, part in zip(buffers, torch.split(flat, [buffer.numel() for buffer in buffers]), strict=True):
            buffer.copy_((part if buffer.is_floating_point() else part.round()).view_as(buffer))
