"""PIRL: a frame and its jigsaw belong to the memory of the frame (Misra and van der Maaten 2020), as a baseline.

Ours, so that only the prior differs from PGCon: a random view in place of the whole image, InfoNCE in place of the
paper's NCE, negatives, temperature, heads, batch and rates of PGCon. As in the paper the memory averages the view's
vector, and both terms meet in it: `alpha * InfoNCE(z_v, R_i) + beta * InfoNCE(z_j, R_i)`.
"""

import torch
from torch import Tensor

from training.losses.info_nce import nce_of_similarities, similarities
from training.losses.terms import BankContrast, share_ahead
from training.methods.bank_method import BankMethod

NAME = "pirl"


class Pirl(BankMethod):
    """z_v of a random view, z_j of nine tiles in random order, and the memory of every frame's z_v."""

    views_of_a_frame = ("view", "jigsaw")

    def embed(self, images: Tensor) -> Tensor:
        """Packed views (B, P): random view and tiles -> (B, 2, D): z_v, z_j."""
        view, tiles = self.layout.unpack(images)
        with self.precision(images.device):
            return torch.stack([self.network.project(view), self.network.puzzle(tiles)], 1)

    def contrast(self, vectors: Tensor, memory: Tensor, negatives: tuple[Tensor, Tensor]) -> BankContrast:
        """The loss of (B, 2, D)."""
        alpha, beta = self.weights
        with torch.autocast(vectors.device.type, enabled=False):
            (own_view, other_views), (own_jigsaw, others) = (
                similarities(anchors, memory, apart)
                for anchors, apart in zip(vectors.unbind(1), negatives, strict=True)
            )
            view = nce_of_similarities(own_view, other_views, self.temperature).mean()
            jigsaw = nce_of_similarities(own_jigsaw, others, self.temperature).mean()
            ahead = share_ahead(own_jigsaw, others)
        return BankContrast(alpha * view + beta * jigsaw, view.detach(), jigsaw.detach(), ahead)
