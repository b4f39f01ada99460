"""What pretraining trains: a trunk and the projection head that finetuning throws away."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from training.models.backbones import find_backbone

WIDTHS = (128, 128, 128)


class ProjectionHead(nn.Sequential):
    """3 x (ReLU, dense 128) on the pooled embedding (Pascual et al. 2022, section 3.3): (B, D) -> (B, 128).

    Without widths it is the identity (the paper's Table 2, no projection): (B, D) -> (B, D).
    """

    def __init__(self, inputs: int, widths: Sequence[int] = WIDTHS) -> None:
        layers: list[nn.Module] = []
        for before, after in zip((inputs, *widths), widths, strict=False):
            layers += [nn.ReLU(), nn.Linear(before, after)]
        super().__init__(*layers)


def init_as_keras(head: nn.Module) -> None:
    """Draw a head's dense layers anew as Keras does: Glorot uniform weights, zero bias.

    Pascual et al. 2022 say "randomly initialized" and use TensorFlow 2.4, whose default this is. PyTorch's default is
    narrower: squared distances after three layers are some 40 to 80 times smaller, so they start at the margin of 0.2
    instead of far above it. PyTorch's stays the default here: in short trials from random weights (ResNet-18, 64 px,
    one seed) Keras' diverged at the paper's rate of 0.1.
    """
    for layer in head.modules():
        if isinstance(layer, nn.Linear):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)


class PretrainOutput(NamedTuple):
    """What the network says of B frames, float32."""

    embedding: Tensor
    """(B, D): pooled, before the head; what finetuning and kNN use."""
    projection: Tensor
    """(B, P): after the head; what the loss sees."""


class Pretrainer(nn.Module):
    """Trunk, global average pooling, projection head."""

    mean: Tensor
    std: Tensor

    def __init__(self, backbone: str, widths: Sequence[int] = WIDTHS) -> None:
        super().__init__()
        self.backbone = backbone
        entry = find_backbone(backbone)
        self.trunk = entry.make_trunk()
        self.head = ProjectionHead(entry.embedding_size, widths)
        self.register_buffer("mean", torch.tensor(entry.mean).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(entry.std).view(1, 3, 1, 1), persistent=False)

    def embed(self, images: Tensor) -> Tensor:
        """(B, 3, S, S) float, normalised -> (B, D) float32, pooled in float32 whatever the trunk's precision."""
        return torch.mean(self.trunk(images), dim=(2, 3), dtype=torch.float32)

    def forward(self, images: Tensor) -> PretrainOutput:
        """(B, 3, S, S) float, normalised -> `PretrainOutput`; the head computes in float32."""
        embedding = self.embed(images)
        with torch.autocast(images.device.type, enabled=False):
            return PretrainOutput(embedding, self.head(embedding))
