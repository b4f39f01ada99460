"""What every method gives back for a batch."""

from typing import NamedTuple

from torch import Tensor


class Losses(NamedTuple):
    """The terms of one step, each a () tensor."""

    total: Tensor
    triplet: Tensor
    cross_entropy: Tensor
