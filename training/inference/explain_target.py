"""What a Score-CAM asks of every masked input: one number that says how much is left of what is explained."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor


class Judged(NamedTuple):
    """What a model says of B inputs, float32."""

    embedding: Tensor
    """(B, D), not normalised."""
    logits: Tensor | None
    """(B, C); None where the model has no linear classifier."""


Target = Callable[[Judged], Tensor]
"""`Judged` of B inputs -> (B,) float32, the larger the more."""


def class_logit(column: int) -> Target:
    """A class's logit, before the softmax (Wang et al. 2020, algorithm 1)."""

    def logit(judged: Judged) -> Tensor:
        assert judged.logits is not None
        return judged.logits[:, column]

    return logit


def similarity_to(embedding: Tensor) -> Target:
    """Cosine of the angle to an embedding (D,): needs no labels (ours; Vats et al. leave the target open)."""
    wanted = torch.nn.functional.normalize(embedding.float(), dim=0)

    def similarity(judged: Judged) -> Tensor:
        return torch.nn.functional.normalize(judged.embedding, dim=1) @ wanted

    return similarity
