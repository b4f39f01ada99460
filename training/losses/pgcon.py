"""Prior guided contrast, alone and with negatives from within the frame (Vats et al. 2022, eq. 1 to 7).

The paper's text was not available: this is what is known of it (two InfoNCE terms over (z_p, R_i) and (z_p, z_d), k
negatives from the memory bank for each, weights alpha and beta; WINCon appends the batch's z_win to the negatives).
Ours: z_p is the anchor of both terms, the mean over the batch; whether the terms share negatives is for who calls.
"""

import torch
from torch import Tensor

from training.losses.info_nce import nce_of_similarities, similarities
from training.losses.terms import BankContrast, share_ahead


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
        terms, ahead = [], z_p.new_zeros(len(z_p))
        for positives, others in zip((memory, z_d), negatives, strict=True):
            own, apart = similarities(z_p, positives, others)
            apart = apart if within is None else torch.cat([apart, within], 1)
            terms.append(nce_of_similarities(own, apart, temperature).mean())
            ahead = share_ahead(own, apart)
        return BankContrast(alpha * terms[0] + beta * terms[1], terms[0].detach(), terms[1].detach(), ahead)
