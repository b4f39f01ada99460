"""What a contrast with a memory bank gives back: two terms, one of the frame's memory, one of its other view."""

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
    """(B,) share of that term's negatives that are more alike than the positive, in [0, 1]."""
