"""PGCon, prior guided contrast: the reddest part of a frame belongs to the frame's own jigsaw (Vats et al. 2022).

Eq. 1 to 4: `alpha * InfoNCE(z_p, R_i) + beta * InfoNCE(z_p, z_d)`, k negatives for each term from the memory bank R,
tau 0.07, alpha = beta = 0.5. Ours: the bank remembers z_p; z_p is the anchor of both terms.
"""

import torch
from torch import Tensor

from training.losses.pgcon import prior_contrast
from training.losses.terms import BankContrast
from training.methods.bank_method import BankMethod

NAME = "pgcon"


class PgCon(BankMethod):
    """z_p of the prior view, z_d of nine tiles in random order, and the memory of every frame's z_p."""

    def embed(self, images: Tensor) -> Tensor:
        """Packed views (B, P): prior view and tiles -> (B, 2, D): z_p, z_d."""
        prior, tiles = self.layout.unpack(images)
        with self.precision(images.device):
            return torch.stack([self.network.project(prior), self.network.puzzle(tiles)], 1)

    def contrast(self, vectors: Tensor, memory: Tensor, negatives: tuple[Tensor, Tensor]) -> BankContrast:
        """The loss of (B, 2, D)."""
        alpha, beta = self.weights
        return prior_contrast(
            vectors[:, 0], vectors[:, 1], memory, negatives, temperature=self.temperature, alpha=alpha, beta=beta
        )
