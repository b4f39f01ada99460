"""Distillation of an old model's scores: classes that have no labels any more keep what the old model knew of them.

Li & Hoiem 2016 (Learning without forgetting): the old model's softmax is the target of the new one. As in Cermelli et
al. 2020 (Modeling the background, eq. 8) all other classes count as one here, "the rest": which of the labelled classes
and normal a frame belongs to is for the labels to decide, and classes that the old model did not know take no part.
"""

import torch
from torch import Tensor


def kept_loss(logits: Tensor, targets: Tensor, kept: Tensor) -> Tensor:
    """Mean Kullback-Leibler divergence () in nats of the new model's scores from the targets; 0: nothing was lost.

    Args:
        logits: (R, C) of the new model.
        targets: (R, 1 + K) from `training.methods.logistic.kept_targets`.
        kept: (K,) int64, rows of the new classifier.
    """
    is_rest = torch.ones(logits.shape[1], dtype=torch.bool, device=logits.device)
    is_rest[kept] = False
    scores = logits.log_softmax(dim=1)
    grouped = torch.cat([scores[:, is_rest].logsumexp(1, keepdim=True), scores[:, kept]], dim=1)
    return (torch.xlogy(targets, targets) - targets * grouped).sum(1).mean()
