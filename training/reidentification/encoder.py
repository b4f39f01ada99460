"""The two encoders of Intrator et al. 2023: of a single frame (section 2.1) and of a tracklet's views (section 2.2).

Both are trained by equation 1, which is `training.losses.info_nce.NTXentLoss` on unit vectors: the batch's first views
(frames, or ends of tracklets) followed by their second ones. The paper does not say whether vectors are normalised;
SimCLR, which it follows, does so in the loss, and neither encoder does it.

Both trainings as methods of the training loop: NT-Xent on pairs of frames, and on pairs of parts of a tracklet.

Only single frames go through `embed`, so that gradients of batches beyond the memory can be cached frame by frame.
"""

import torch
from torch import Tensor, nn

from training.losses import info_nce, terms
from training.methods.method import Method
from training.models import backbones, resnet
from training.reidentification.config import RESNET50_V2, EncoderConfig

CLS_DEVIATION = 0.02
"""Standard deviation of the CLS token's random start (BERT's initialiser, Devlin et al. 2018)."""


class SingleFrameEncoder(nn.Module):
    """Trunk, global average pooling, MLP head to 128 numbers (section 3.1): 24 M parameters with ResNet-50 V2."""

    mean: Tensor
    std: Tensor

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        if config.backbone == RESNET50_V2:
            self.trunk, size, mean, std = resnet.resnet50_v2_trunk(), resnet.FEATURES, resnet.MEAN, resnet.STD
        else:
            entry = backbones.find_backbone(config.backbone)
            self.trunk, size, mean, std = entry.make_trunk(), entry.embedding_size, entry.mean, entry.std
        self.head = _mlp(size, config.head_hidden, config.embedding)
        # Subtracted from RGB in [0, 1], and what the difference is divided by, as the trunk's ImageNet weights expect.
        self.register_buffer("mean", torch.tensor(mean).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(std).view(1, 3, 1, 1), persistent=False)

    def forward(self, images: Tensor) -> Tensor:
        """(B, 3, S, S) float, normalised -> (B, 128) float32, not of length 1; pooling and head compute in float32."""
        pooled = torch.mean(self.trunk(images), dim=(2, 3), dtype=torch.float32)
        with torch.autocast(images.device.type, enabled=False):
            embedding: Tensor = self.head(pooled)
            return embedding


class MultiViewEncoder(nn.Module):
    """The embeddings of a tracklet's views and a CLS token through transformer blocks; the CLS through an MLP head.

    Section 2.2, figure 2: 3 blocks (section 3.1), which add 1 M parameters to the single-frame encoder. Ours: no
    position code, so that the views are a set; blocks as Vaswani et al. 2017 have them (normalisation after the sum,
    ReLU); the frames' embeddings enter as they are.

    Args:
        frames: the single-frame encoder, which the paper trains first; it is trained on as part of this one.
    """

    def __init__(self, frames: SingleFrameEncoder) -> None:
        super().__init__()
        config = frames.config
        self.frames = frames
        self.cls = nn.Parameter(torch.randn(config.embedding) * CLS_DEVIATION)
        block = nn.TransformerEncoderLayer(
            config.embedding, config.heads, config.feed_forward, config.dropout, batch_first=True
        )
        # Nested tensors would be faster with a mask, but warn that they are a prototype.
        self.blocks = nn.TransformerEncoder(block, config.blocks, enable_nested_tensor=False)
        for parameter in self.blocks.parameters():
            if parameter.ndim > 1:  # TransformerEncoder starts all its blocks as copies of one
                nn.init.xavier_uniform_(parameter)
        self.projection = _mlp(config.embedding, config.projection_hidden, config.embedding)

    def forward(self, images: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, 128) float32, not of length 1: the vectors of B tracklets of at most V views (B, V, 3, S, S).

        Only what the mask (B, V) names goes through the trunk, so padding is no part of its batch statistics.
        """
        there = torch.ones(images.shape[:2], dtype=torch.bool, device=images.device) if mask is None else mask
        embedded = self.frames(images[there])
        embeddings = embedded.new_zeros((*there.shape, embedded.shape[-1]))
        embeddings[there] = embedded
        return self.of_embeddings(embeddings, there)

    def of_embeddings(self, embeddings: Tensor, mask: Tensor | None = None) -> Tensor:
        """As `forward`, from the views' embeddings (B, V, 128) float32 by the single-frame encoder."""
        there = torch.ones(embeddings.shape[:2], dtype=torch.bool, device=embeddings.device) if mask is None else mask
        cls = self.cls.expand(len(embeddings), 1, -1)
        is_padding = torch.cat([there.new_zeros(len(there), 1), ~there], 1)
        with torch.autocast(embeddings.device.type, enabled=False):
            tokens = torch.cat([cls, embeddings.float()], 1)
            vector: Tensor = self.projection(self.blocks(tokens, src_key_padding_mask=is_padding)[:, 0])
            return vector


def parameter_count(module: nn.Module) -> int:
    """Parameters that are trained; the statistics of batch normalisation are not among them."""
    return sum(parameter.numel() for parameter in module.parameters())


def _mlp(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    """One hidden layer with ReLU, as SimCLR's projection head; the paper says "MLP"."""
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(inplace=True), nn.Linear(hidden, outputs))


class FrameContrast(Method):
    """The single-frame encoder: two frames of a tracklet are a positive pair (Intrator et al. 2023, section 2.1)."""

    share_name = "negatives_ahead"

    def __init__(self, network: SingleFrameEncoder | MultiViewEncoder, temperature: float) -> None:
        """`network`: what checkpoints hold; of a multi-view encoder only its single-frame encoder learns."""
        self._frames = network.frames if isinstance(network, MultiViewEncoder) else network
        self._loss = info_nce.NTXentLoss(temperature)
        super().__init__(network)

    def prepare(self) -> None:
        """Nothing depends on settings."""

    def embed(self, images: Tensor) -> Tensor:
        """Images (B, 3, S, S) -> embeddings (B, D) float32 by the single-frame encoder."""
        embedding: Tensor = self._frames(images)
        return embedding

    def losses_of(self, embedding: Tensor, labels: Tensor) -> terms.Losses:
        """Loss of (2N, D) embeddings: the first views of N tracklets, then the second ones; labels are not needed."""
        return self._contrast(embedding)

    @property
    def violating_share(self) -> float:
        """Share of the last batch's negatives that are closer than the positive."""
        return 0.0 if self._embedding is None else info_nce.negatives_ahead(self._embedding)

    def _contrast(self, vectors: Tensor) -> terms.Losses:
        self._embedding = vectors.detach()
        return terms.Losses(self._loss(vectors))


class TrackletContrast(FrameContrast):
    """The multi-view encoder: the first and the last part of a tracklet are a positive pair (section 2.2)."""

    def __init__(self, network: MultiViewEncoder, temperature: float) -> None:
        super().__init__(network, temperature)
        self._joint = network

    def losses_of(self, embedding: Tensor, labels: Tensor) -> terms.Losses:
        """Loss of the embeddings (K, D) of all views, row by row those that `labels` (2N, V) names.

        `labels` says whether there is a view: of the first parts of N tracklets, then of their last parts.
        """
        views = embedding.new_zeros((*labels.shape, embedding.shape[1]))
        views[labels] = embedding
        return self._contrast(self._joint.of_embeddings(views, labels))


class EmbeddedTrackletContrast(TrackletContrast):
    """The multi-view encoder alone: what it gets are embeddings by a single-frame encoder that stays as it is."""

    def embed(self, images: Tensor) -> Tensor:
        """Embeddings (B, D) as they are."""
        return images
