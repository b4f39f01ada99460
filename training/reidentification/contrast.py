"""Both trainings as methods of the training loop: NT-Xent on pairs of frames, and on pairs of parts of a tracklet.

Only single frames go through `embed`, so that gradients of batches beyond the memory can be cached frame by frame.
"""

import torch
from torch import Tensor

from training.losses.info_nce import NTXentLoss, negatives_ahead
from training.losses.terms import Losses
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder


class FrameContrast:
    """The single-frame encoder: two frames of a tracklet are a positive pair (Intrator et al. 2023, section 2.1)."""

    terms: tuple[str, ...] = ()
    share_name = "negatives_ahead"
    scale_names: tuple[str, ...] = ()
    scales: tuple[float, ...] = ()
    frames_per_row = 1

    def __init__(self, network: SingleFrameEncoder | MultiViewEncoder, temperature: float) -> None:
        """`network`: what checkpoints hold; of a multi-view encoder only its single-frame encoder learns."""
        self.network: torch.nn.Module = network
        self._frames = network.frames if isinstance(network, MultiViewEncoder) else network
        self._loss = NTXentLoss(temperature)
        self._vectors = torch.zeros(0, 1)

    def embed(self, images: Tensor) -> Tensor:
        """Images (B, 3, S, S) -> embeddings (B, D) float32 by the single-frame encoder."""
        embedding: Tensor = self._frames(images)
        return embedding

    def losses_of(self, embedding: Tensor, labels: Tensor) -> Losses:
        """Loss of (2N, D) embeddings: the first views of N tracklets, then the second ones; labels are not needed."""
        return self._contrast(embedding)

    def losses(self, images: Tensor, labels: Tensor) -> Losses:
        """`losses_of(embed(images), labels)`."""
        return self.losses_of(self.embed(images), labels)

    def after_step(self) -> None:
        """Nothing is due after a step."""

    @property
    def violating_share(self) -> float:
        """Share of the last batch's negatives that are closer than the positive."""
        return negatives_ahead(self._vectors)

    @property
    def embedding_norm(self) -> float:
        """Mean length of the last batch's vectors."""
        return float(self._vectors.norm(dim=1).mean()) if len(self._vectors) else 0.0

    def _contrast(self, vectors: Tensor) -> Losses:
        self._vectors = vectors.detach()
        return Losses(self._loss(vectors))


class TrackletContrast(FrameContrast):
    """The multi-view encoder: the first and the last part of a tracklet are a positive pair (section 2.2)."""

    def __init__(self, network: MultiViewEncoder, temperature: float) -> None:
        super().__init__(network, temperature)
        self._joint = network

    def losses_of(self, embedding: Tensor, labels: Tensor) -> Losses:
        """Loss of the embeddings (K, D) of all views.

        Args:
            embedding: of the views that `labels` names, row by row.
            labels: (2N, V) bool, whether there is a view: of the first parts of N tracklets, then of their last parts.
        """
        views = embedding.new_zeros((*labels.shape, embedding.shape[1]))
        views[labels] = embedding
        return self._contrast(self._joint.of_embeddings(views, labels))
