"""PIRL: a frame and its jigsaw belong to the memory of the frame (Misra and van der Maaten 2020), as a baseline.

Ours, so that only the prior differs from PGCon: a random view in place of the whole image, InfoNCE in place of the
paper's NCE, negatives, temperature, heads, batch and rates of PGCon. As in the paper the memory averages the view's
vector, and both terms meet in it: `alpha * InfoNCE(z_v, R_i) + beta * InfoNCE(z_j, R_i)`.
"""

import torch
from torch import Tensor

from training.losses.info_nce import nce_of_similarities, similarities
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

    def contrast(self, vectors: Tensor, memory: Tensor, negatives: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        """Loss () and which frames were mistaken, of (B, 2, D)."""
        loss, mistaken = vectors.new_zeros(()), torch.zeros(len(vectors), dtype=torch.bool, device=vectors.device)
        with torch.autocast(vectors.device.type, enabled=False):
            for weight, anchors, others in zip(self.weights, vectors.unbind(1), negatives, strict=True):
                own, apart = similarities(anchors, memory, others)
                loss = loss + weight * nce_of_similarities(own, apart, self.temperature).mean()
                mistaken = (apart > own.unsqueeze(1)).any(1).detach()
        return loss, mistaken
