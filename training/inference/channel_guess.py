"""What a channel would answer, guessed from those that were asked: masks that look alike leave alike."""

import torch
from torch import Tensor

NOISE = 0.05
"""Of an answer, as a share of the answers' variance: masks are alike only as far as the layer resolves them."""


def guess(activations: Tensor, increase: Tensor, is_waiting: Tensor) -> tuple[Tensor, Tensor]:
    """Gaussian process regression over masks (Rasmussen and Williams 2006, algorithm 2.1; its use here is ours).

    The mean is linear in the mask's area; the covariance is Gaussian in the distance of masks at the layer's
    resolution, with the median distance of the asked ones as its length.

    Args:
        activations: (K, h, w).
        increase: (K,) float32, right where asked.
        is_waiting: (K,) bool: not asked; all but the ones that are the same everywhere, which answer 0 for certain.

    Returns:
        (K,) float32 increases, guessed where they are waiting; (K,) their standard deviation, 0 where they are not.
    """
    mean, deviation = increase.clone(), torch.zeros_like(increase)
    flat = activations.flatten(1).double()
    low, high = flat.amin(1, keepdim=True), flat.amax(1, keepdim=True)
    masks = (flat - low) / (high - low).clamp(min=1e-12)
    is_asked = ~is_waiting & (high > low)[:, 0]
    asked, rest, answers = masks[is_asked], masks[is_waiting], increase[is_asked].double()
    if not len(rest) or not len(asked):
        return mean, deviation
    slope = torch.linalg.lstsq(_line(asked), answers[:, None], driver="gelsd" if masks.is_cpu else None).solution
    residue = answers - (_line(asked) @ slope)[:, 0]
    own = torch.cdist(asked, asked).square()
    length = own.median().clamp(min=1e-12)
    factor = torch.linalg.cholesky((-own / (2 * length)).exp() + NOISE * torch.eye(len(asked)).to(own))
    across = (-torch.cdist(rest, asked).square() / (2 * length)).exp()
    guessed = (_line(rest) @ slope)[:, 0] + across @ torch.cholesky_solve(residue[:, None], factor)[:, 0]
    sure = torch.linalg.solve_triangular(factor, across.T, upper=False).square().sum(0)
    mean[is_waiting] = guessed.to(mean)
    deviation[is_waiting] = ((1 - sure).clamp(min=0) * residue.var(correction=0)).sqrt().to(mean)
    return mean, deviation


def _line(masks: Tensor) -> Tensor:
    """(n, p) -> (n, 2): 1 and the mask's area as a share of the input."""
    return torch.stack([torch.ones_like(masks[:, 0]), masks.mean(1)], 1)
