"""InfoNCE: a vector is to be more alike to its positive than to a list of negatives (van den Oord et al. 2018).

NT-Xent is that of SimCLR (Chen et al. 2020, eq. 1); prior guided contrast that of Vats et al. 2022, eq. 1 to 7: two
InfoNCE terms over (z_p, R_i) and (z_p, z_d), k negatives from the memory bank for each, weights alpha and beta; WINCon
appends the batch's z_win to the negatives of both. z_p is the anchor of both terms: the negatives are drawn from the
product of the marginals p(z_p) and p(R_j). Whether the terms share negatives is for who calls.

The queue of keys of momentum contrast (Xiang et al. 2023, section IV-C; He et al. 2020): first in, first out.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from training.losses.terms import BankContrast, share_ahead


class KeyQueue(nn.Module):
    """K keys (K, D) float32 of length one in the network's state, where checkpoints find them.

    It starts with random directions, as MoCo's.
    """

    keys: Tensor
    is_memory = True
    """See `MemoryBank`."""
    place: Tensor
    """() int64: the oldest key, which is replaced next."""

    def __init__(self, count: int, width: int, seed: int = 0) -> None:
        super().__init__()
        drawn = torch.randn(count, width, generator=torch.Generator().manual_seed(seed))
        self.register_buffer("keys", normalize(drawn, dim=1))
        self.register_buffer("place", torch.zeros((), dtype=torch.int64))

    def __len__(self) -> int:
        return len(self.keys)

    @torch.no_grad()
    def push_(self, keys: Tensor) -> None:
        """Replace the oldest keys by these (B, D), in their order; of more than K the last K stay."""
        newest, skipped = keys[-len(self) :], max(len(keys) - len(self), 0)
        first = int(self.place) + skipped
        rows = (first + torch.arange(len(newest), device=self.keys.device)) % len(self)
        self.keys[rows] = newest.to(self.keys)
        self.place.fill_((int(self.place) + len(keys)) % len(self))


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

    `own` (B,) are the similarities s(a, p) to the positives, `others` (B, K) s(a, n_k) those to the negatives.
    """
    if temperature <= 0:
        raise ValueError(f"the temperature of InfoNCE must be positive, not {temperature}")
    return torch.logsumexp(torch.cat([own.unsqueeze(1), others], 1) / temperature, 1) - own / temperature


class NTXentLoss(nn.Module):
    """Each view's positive is the other view of its frame; all other views of the batch are negatives.

    `-log(exp(s_ij / t) / sum_{k != i} exp(s_ik / t))`, cosine similarities s, the mean over all 2B views.
    """

    def __init__(self, temperature: float = 0.1) -> None:
        """Make the loss; `temperature` divides the similarities, and is positive."""
        super().__init__()
        if temperature <= 0:
            raise ValueError(f"the temperature of NT-Xent must be positive, not {temperature}")
        self.temperature = temperature

    def forward(self, projections: Tensor) -> Tensor:
        """Loss () of projections (2B, D) float: the first views of B frames, then their second ones in that order."""
        if projections.ndim != 2 or len(projections) % 2:
            raise ValueError(f"expected two views of each frame, (2B, D), got {tuple(projections.shape)}")
        with torch.autocast(projections.device.type, enabled=False):
            directions = nn.functional.normalize(projections.float(), dim=1)
            similarities = directions @ directions.T / self.temperature
            similarities.fill_diagonal_(float("-inf"))  # a view is no candidate for itself
            half = len(projections) // 2
            other = torch.arange(2 * half, device=projections.device).roll(half)
            return nn.functional.cross_entropy(similarities, other)


def negatives_ahead(views: Tensor) -> float:
    """Share of the negatives of NT-Xent (2B, D) that are closer than the positive, in [0, 1]; 0 without negatives."""
    if len(views) < 4:
        return 0.0
    directions = normalize(views.detach().float(), dim=1)
    alike, count = directions @ directions.T, len(directions)
    own = torch.arange(count, device=alike.device).roll(count // 2).unsqueeze(1)
    others = torch.ones_like(alike, dtype=torch.bool).fill_diagonal_(False).scatter_(1, own, False)
    return float(share_ahead(alike.gather(1, own).squeeze(1), alike[others].view(count, -1)).mean())


def prior_contrast(
    z_p: Tensor,
    z_d: Tensor,
    memory: Tensor,
    negatives: tuple[Tensor, Tensor],
    *,
    z_win: Tensor | None = None,
    temperature: float = 0.07,
    alpha: float = 0.5,
    beta: float = 0.5,
) -> BankContrast:
    """PGCon: `alpha * InfoNCE(z_p, R_i) + beta * InfoNCE(z_p, z_d)`; WINCon where `z_win` is given.

    Args:
        z_p: (B, D) of the prior views: the anchors.
        z_d: (B, D) of the distorted views.
        memory: (B, D), the frames' own rows of the bank (R_i), without gradient.
        negatives: (B, K, D) for the first and for the second term, without gradient.
        z_win: (B, D) of the frames without their prior views: all B are negatives of every frame, in both terms.
        temperature: tau.
        alpha: weight of the first term.
        beta: weight of the second one.
    """
    with torch.autocast(z_p.device.type, enabled=False):
        within = None if z_win is None else similarities(z_p, z_p, z_win)[1]
        return bank_contrast(((z_p, memory), (z_p, z_d)), negatives, (alpha, beta), temperature, within)


def bank_contrast(
    pairs: Sequence[tuple[Tensor, Tensor]],
    negatives: Sequence[Tensor],
    weights: tuple[float, float],
    temperature: float,
    within: Tensor | None = None,
) -> BankContrast:
    """Two InfoNCE terms, weighted.

    Args:
        negatives: (B, K, D) of each term, without gradient.
        within: (B, W) similarities to further negatives of both terms.
    """
    terms, ahead = [], pairs[0][0].new_zeros(len(pairs[0][0]))
    for (anchors, positives), others in zip(pairs, negatives, strict=True):
        own, apart = similarities(anchors, positives, others)
        apart = apart if within is None else torch.cat([apart, within], 1)
        terms.append(nce_of_similarities(own, apart, temperature).mean())
        ahead = share_ahead(own, apart)
    total = weights[0] * terms[0] + weights[1] * terms[1]
    return BankContrast(total, terms[0].detach(), terms[1].detach(), ahead)
