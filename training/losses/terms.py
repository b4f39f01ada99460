"""What losses give back: the loss of a step with its terms, and the two terms of a contrast with a memory bank.

Distillation of an old model's scores: classes that have no labels any more keep what the old model knew of them.

Li & Hoiem 2016 (Learning without forgetting): the old model's softmax is the target of the new one. As in Cermelli et
al. 2020 (Modeling the background, eq. 8) all other classes count as one here, "the rest": which of the labelled classes
and normal a frame belongs to is for the labels to decide, and classes that the old model did not know take no part.
"""

from collections.abc import Mapping
from typing import NamedTuple

import torch
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


def kept_loss(logits: Tensor, targets: Tensor, kept: Tensor) -> Tensor:
    """Mean Kullback-Leibler divergence () in nats of the new model's scores from the targets; 0: nothing was lost.

    Targets (R, 1 + K) are of `training.models.logistic.kept_targets`, `kept` (K,) are rows of the new classifier.
    """
    is_rest = torch.ones(logits.shape[1], dtype=torch.bool, device=logits.device)
    is_rest[kept] = False
    scores = logits.log_softmax(dim=1)
    grouped = torch.cat([scores[:, is_rest].logsumexp(1, keepdim=True), scores[:, kept]], dim=1)
    return (torch.xlogy(targets, targets) - targets * grouped).sum(1).mean()
