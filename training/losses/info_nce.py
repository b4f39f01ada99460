"""InfoNCE: a vector is to be more alike to its positive than to a list of negatives (van den Oord et al. 2018)."""

import torch
from torch import Tensor
from torch.nn.functional import normalize


def similarities(anchors: Tensor, positives: Tensor, negatives: Tensor) -> tuple[Tensor, Tensor]:
    """Cosine similarities in [-1, 1], float32: (B,) to the positives, (B, K) to the negatives.

    Negatives (B, K, D) are each row's own, (K, D) the same for all. A vector of length zero (a row of the memory bank
    that was never seen) is alike to nothing: 0.
    """
    directions, others = normalize(anchors.float(), dim=-1), normalize(negatives.float(), dim=-1)
    own = (directions * normalize(positives.float(), dim=-1)).sum(-1)
    if others.ndim == 2:
        return own, directions @ others.T
    return own, torch.bmm(others, directions.unsqueeze(2)).squeeze(2)


def nce_of_similarities(own: Tensor, others: Tensor, temperature: float) -> Tensor:
    """`-log(exp(s(a, p) / t) / (exp(s(a, p) / t) + sum_k exp(s(a, n_k) / t)))` of each row, (B,).

    Args:
        own: (B,) s(a, p), similarities to the positives.
        others: (B, K) s(a, n_k), those to the negatives.
        temperature: t, positive.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature of InfoNCE must be positive, not {temperature}")
    return torch.logsumexp(torch.cat([own.unsqueeze(1), others], 1) / temperature, 1) - own / temperature
