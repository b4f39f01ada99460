"""Characterisation of findings frame by frame (CADx; Intrator et al. 2023, section 3.2)."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.errors import UserError
from training.models.backbones import find_backbone
from training.reidentification import fragmentation, views
from training.runs.reporter import Cancelled, Reporter

SCORED_AT_ONCE = 64


class FrameClassifier(nn.Module):
    """Trunk, global average pooling, MLP (its inner width is ours) with one output, sigmoid.

    The paper has a MobileNet with 2.4 M parameters; ours are the trunks that are at hand.
    """

    mean: Tensor
    std: Tensor

    def __init__(self, backbone: str, hidden: int) -> None:
        super().__init__()
        entry = find_backbone(backbone)
        self.trunk = entry.make_trunk()
        self.head = nn.Sequential(nn.Linear(entry.embedding_size, hidden), nn.ReLU(inplace=True), nn.Linear(hidden, 1))
        self.register_buffer("mean", torch.tensor(entry.mean).view(1, 3, 1, 1), persistent=False)
        self.register_buffer("std", torch.tensor(entry.std).view(1, 3, 1, 1), persistent=False)

    def forward(self, crops: Tensor) -> Tensor:
        """(B, S, S, 3) uint8 RGB -> (B,) float32 logits; the score is their sigmoid."""
        images = crops.permute(0, 3, 1, 2).float() / 255
        images = ((images - self.mean) / self.std).contiguous(memory_format=torch.channels_last)
        logits: Tensor = self.head(torch.mean(self.trunk(images), dim=(2, 3), dtype=torch.float32))[:, 0]
        return logits


def train_classifier(
    network: FrameClassifier,
    crops: Sequence[views.Crops],
    is_positive: NDArray[np.bool_],
    settings: fragmentation.ClassifierTraining,
    reporter: Reporter,
) -> None:
    """Train on frames of T tracklets by binary cross-entropy (Adam; section 3.2); ends in evaluation mode.

    Raises:
        UserError: all tracklets are of one class, or the loss is not finite.
        Cancelled: a stop, or as the reporter asked.
    """
    if is_positive.all() or not is_positive.any():
        raise UserError("All findings that train are of one class.", "Add findings of the other class.")
    frames = [
        (at, int(row))
        for at, each in enumerate(crops)
        for row in views.spread_views(len(each), settings.most_frames or len(each))
    ]
    rng, steps = np.random.default_rng([settings.seed, 2]), -(-len(frames) // settings.batch)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate)
    network.to(memory_format=torch.channels_last).train()
    for epoch in range(settings.epochs):
        order = rng.permutation(len(frames))
        for step, part in enumerate(np.array_split(order, steps)):
            reporter.check()
            if reporter.stop_requested:
                raise Cancelled
            reporter.progress(epoch * steps + step, settings.epochs * steps, "steps", "training the frame classifier")
            chosen = [frames[number] for number in part]
            logits = network(_tensor(network, np.stack([crops[at][row] for at, row in chosen])))
            truth = torch.tensor([float(is_positive[at]) for at, _ in chosen], device=logits.device)
            loss: Tensor = nn.functional.binary_cross_entropy_with_logits(logits, truth)
            if not math.isfinite(loss.item()):
                raise UserError("Training the frame classifier diverged.", "Use a lower learning rate.")
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
            optimizer.step()
    network.eval()


def frame_scores(network: FrameClassifier, crops: Sequence[views.Crops]) -> list[NDArray[np.float32]]:
    """T arrays (n,) in [0, 1]: the score of each crop; the network must be in evaluation mode."""
    result = []
    with torch.inference_mode():
        for each in crops:
            parts = [each[start : start + SCORED_AT_ONCE] for start in range(0, len(each), SCORED_AT_ONCE)]
            scores = [torch.sigmoid(network(_tensor(network, part))).cpu().numpy() for part in parts]
            result.append(np.asarray(np.concatenate(scores), np.float32))
    return result


def _tensor(network: FrameClassifier, crops: views.Crops) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(crops)).to(network.mean.device)
