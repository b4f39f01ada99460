"""What losses give back: the loss of a step with its terms, and the two terms of a contrast with a memory bank."""

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor


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
