"""A pretraining's network as scoring sees it: an embedding before or after the projection head, and no classes."""

import torch
from torch import Tensor, nn

from training.models.backbones import find_backbone
from training.models.inference_network import Space
from training.models.network import FrameOutput, load_state
from training.models.projection_head import ProjectionHead
from training.pretraining.config import PretrainConfig
from training.pretraining.pretrained import Pretrained


class FrameEmbedder(nn.Module):
    """Trunk, global average pooling and, for the space "projection", the projection head.

    It answers as a `FrameClassifier` of no classes does: logits (B, 0), CAMs (B, 0, h, w).
    """

    mean: Tensor
    std: Tensor
    cam_weight: Tensor

    def __init__(self, config: PretrainConfig, space: Space) -> None:
        super().__init__()
        self.config = config
        backbone = find_backbone(config.backbone)
        self.trunk = backbone.make_trunk()
        width = backbone.embedding_size
        self.head = ProjectionHead(width, config.projection) if space == "projection" else None
        self.register_buffer("mean", torch.tensor(backbone.mean).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(backbone.std).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("cam_weight", torch.zeros(0, width), persistent=False)

    def forward(self, frames: Tensor) -> FrameOutput:
        """(B, H, W, 3) uint8 RGB -> embedding (B, D) float32, no logits; pooled in float32 whatever the trunk's is."""
        images = frames.permute(0, 3, 1, 2).to(torch.float32).sub_(self.mean * 255).div_(self.std * 255)
        features = self.trunk(images.to(next(self.trunk.parameters()).dtype))
        embedding = features.mean(dim=(2, 3), dtype=torch.float32)
        if self.head is not None:
            embedding = self.head(embedding)
        return FrameOutput(embedding, embedding.new_zeros(len(embedding), 0), features)


def load_embedder(pretrained: Pretrained, space: Space) -> FrameEmbedder:
    """The network of a kept step, float32, in eval mode, on the CPU.

    Raises:
        UserError: its weights do not fit its config.
    """
    network = FrameEmbedder(pretrained.config, space)
    load_state(network.trunk, pretrained.trunk_state(), pretrained.weights)
    if network.head is not None:
        load_state(network.head, pretrained.head_state(), pretrained.weights)
    return network.eval()
