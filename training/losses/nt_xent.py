"""NT-Xent, the normalised temperature-scaled cross-entropy of SimCLR (Chen et al. 2020, eq. 1)."""

import torch
from torch import Tensor, nn

from training.errors import UserError


class NtXentLoss(nn.Module):
    """Each view's positive is the other view of its frame; all other views of the batch are negatives.

    `-log(exp(s_ij / t) / sum_{k != i} exp(s_ik / t))`, cosine similarities s, the mean over all 2B views.
    """

    def __init__(self, temperature: float = 0.1) -> None:
        super().__init__()
        if temperature <= 0:
            raise UserError(f"The temperature of NT-Xent must be positive, not {temperature}.")
        self.temperature = temperature

    def forward(self, projections: Tensor) -> Tensor:
        """Loss () of projections (2B, D) float: the first views of B frames, then their second ones in that order."""
        if projections.ndim != 2 or len(projections) % 2:
            raise UserError(f"NT-Xent needs two views of each frame, (2B, D), not {tuple(projections.shape)}.")
        with torch.autocast(projections.device.type, enabled=False):
            directions = nn.functional.normalize(projections.float(), dim=1)
            similarities = directions @ directions.T / self.temperature
            similarities.fill_diagonal_(float("-inf"))  # a view is no candidate for itself
            half = len(projections) // 2
            other = torch.arange(2 * half, device=projections.device).roll(half)
            return nn.functional.cross_entropy(similarities, other)
