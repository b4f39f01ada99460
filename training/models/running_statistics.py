"""Batches that a network learns from, and that its batch normalisation is not to remember."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


@contextmanager
def running_statistics_kept(network: nn.Module) -> Iterator[None]:
    """Inside, batches in training mode are normalised by their own statistics, and the running ones do not follow."""
    norms = [(part, part.momentum) for part in network.modules() if isinstance(part, nn.BatchNorm2d)]
    for norm, _ in norms:
        norm.momentum = 0.0
    try:
        yield
    finally:
        for norm, momentum in norms:
            norm.momentum = momentum
