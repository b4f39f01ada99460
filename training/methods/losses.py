"""What every method gives back for a batch."""

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor


class Losses(NamedTuple):
    """The loss of one step and what it is made of, each a () tensor."""

    total: Tensor
    terms: Mapping[str, Tensor] = {}
    """The method's `terms` by name, before their weights; empty where the loss is one."""

    def detached(self) -> "Losses":
        """The same numbers without a graph."""
        return Losses(self.total.detach(), {name: term.detach() for name, term in self.terms.items()})
