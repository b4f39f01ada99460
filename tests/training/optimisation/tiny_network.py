"""A network to pretrain that a test can afford many steps of, and batches for it."""

import torch
from torch import Tensor, nn

from training.models.projection_head import Pretrainer, ProjectionHead


class TinyPretrainer(Pretrainer):
    """Two convolutions with batch normalisation in place of a ResNet; `dropout` makes it draw random numbers."""

    def __init__(self, dropout: float = 0.0) -> None:
        nn.Module.__init__(self)
        self.trunk = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Conv2d(8, 12, 3),
            nn.BatchNorm2d(12),
        )
        self.head = ProjectionHead(12, (6,))


def tiny_pretrainer(*, train: bool, dropout: float = 0.0) -> TinyPretrainer:
    """The same weights each time; statistics that are not those of a new layer."""
    torch.manual_seed(5)
    network = TinyPretrainer(dropout)
    for part in network.modules():
        if isinstance(part, nn.BatchNorm2d):
            nn.init.uniform_(part.weight, 0.5, 1.5)
            part.running_mean = torch.rand(part.num_features)
            part.running_var = torch.rand(part.num_features) + 0.5
    return network.train(train)


def sequence_batch(step: int, rank: int, frames: int = 9) -> tuple[Tensor, Tensor]:
    """Images (frames, 3, 16, 16) and pseudo-labels of one sequence; each step and rank has its own."""
    generator = torch.Generator().manual_seed(100 * step + rank)
    colours = 3 * torch.randn(frames, 3, 1, 1, generator=generator)
    images = colours + torch.randn(frames, 3, 16, 16, generator=generator)
    return images, torch.arange(frames) + 1_000_000 * rank


def gradients_of(network: nn.Module) -> dict[str, Tensor]:
    """Name -> gradient of each parameter."""
    return {name: part.grad.clone() for name, part in network.named_parameters() if part.grad is not None}
