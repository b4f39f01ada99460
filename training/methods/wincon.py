"""WINCon, within-instance negatives: PGCon that also pushes away what is left of frames without their prior view.

Vats et al. 2022, eq. 5 to 7: z_win of every frame of the batch is appended to the negatives of both terms.
"""

import torch
from torch import Tensor

from training.losses.pgcon import prior_contrast
from training.losses.terms import BankContrast
from training.methods.bank_method import BankMethod

NAME = "wincon"


class WinCon(BankMethod):
    """z_p, z_d and z_win; z_win goes through the head of z_p (ours)."""

    views_of_a_frame = ("prior", "distorted", "win")

    def embed(self, images: Tensor) -> Tensor:
        """Packed views (B, P): prior view, tiles, WIN view -> (B, 3, D): z_p, z_d, z_win."""
        prior, tiles, win = self.layout.unpack(images)
        with self.precision(images.device):
            project, puzzle = self.network.project, self.network.puzzle
            return torch.stack([project(prior), puzzle(tiles), project(win)], 1)

    def contrast(self, vectors: Tensor, memory: Tensor, negatives: tuple[Tensor, Tensor]) -> BankContrast:
        """The loss of (B, 3, D)."""
        (alpha, beta), (z_p, z_d, z_win) = self.weights, vectors.unbind(1)
        return prior_contrast(
            z_p, z_d, memory, negatives, z_win=z_win, temperature=self.temperature, alpha=alpha, beta=beta
        )
