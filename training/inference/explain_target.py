"""Targets of Score-CAM: a function from a model's output for a masked input to one number."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class ModelOutput(NamedTuple):
    """A model's output for B inputs, float32."""

    embedding: Tensor
    """(B, D), not normalised."""
    logits: Tensor | None
    """(B, C); None where the model has no linear classifier."""


Target = Callable[[ModelOutput], Tensor]
"""`ModelOutput` of B inputs -> (B,) float32, the larger the more."""


def class_logit(column: int) -> Target:
    """A class's logit, before the softmax (Wang et al. 2020, algorithm 1)."""

    def logit(output: ModelOutput) -> Tensor:
        assert output.logits is not None
        return output.logits[:, column]

    return logit


TEMPERATURE = 0.1
"""Cosines are divided by it, as in contrastive losses: otherwise a softmax over channels hardly distinguishes them."""
SHORT = 0.05
"""Differences shorter than this share of the frame's own have no direction that means anything."""


def similarity_to(embedding: Tensor, baseline: Tensor) -> Target:
    """Similarity to a frame's embedding (D,), relative to the baseline's (D,); needs no labels.

    cos(e - b, embedding - b) / TEMPERATURE. Ours: Vats et al. leave the target of their weak labels open. Embeddings
    are means of what a ReLU lets through and all share a large part: without taking the baseline out, the cosines of
    512 masked inputs differed by 0.002, and the overlay was no more than the mean activation.
    """
    own = embedding.float() - baseline.float()
    shortest = SHORT * float(own.norm())
    wanted = torch.nn.functional.normalize(own, dim=0) / TEMPERATURE

    def similarity(output: ModelOutput) -> Tensor:
        change = output.embedding - baseline
        return torch.nn.functional.normalize(change, dim=1, eps=max(shortest, 1e-12)) @ wanted

    return similarity
