"""Score-CAM written out: in plain float32, through the network as it was trained."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import interpolate

from training.models.network import FrameClassifier


def layer_output(network: FrameClassifier, images: Tensor, layer: str) -> Tensor:
    """(1, 3, S, S) -> (K, h, w) of a child of the trunk."""
    values = images
    for name, child in network.trunk.named_children():
        values = child(values)
        if name == layer:
            return torch.as_tensor(values[0])
    raise AssertionError(layer)


def logits(network: FrameClassifier, images: list[Tensor], column: int) -> list[float]:
    """Each input's logit; 32 at a time, which is slow enough."""
    found: list[float] = []
    for start in range(0, len(images), 32):
        found += network(torch.cat(images[start : start + 32])).logits[:, column].tolist()
    return found


def slow_score_cam(
    network: FrameClassifier, prepared: NDArray[np.uint8], column: int, layer: str = "layer4"
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The map (h, w) and the increases (K,) of Wang et al. 2020, algorithm 1."""
    with torch.inference_mode():
        image = network.normalise(torch.from_numpy(prepared[None]))
        activations = layer_output(network, image, layer)
        masked = []
        for activation in activations:
            large = interpolate(activation[None, None], size=image.shape[2:], mode="bilinear", align_corners=False)
            low, high = float(large.min()), float(large.max())
            mask = (large - low) / (high - low) if high > low else torch.zeros_like(large)
            masked.append(image * mask)
        baseline = logits(network, [torch.zeros_like(image)], column)[0]
        increases = [value - baseline for value in logits(network, masked, column)]
        exponentials = [np.exp(increase) for increase in increases]
        total = np.zeros(activations.shape[1:], np.float64)
        for exponential, activation in zip(exponentials, activations, strict=True):
            total += exponential / sum(exponentials) * activation.numpy().astype(np.float64)
    return np.maximum(total, 0).astype(np.float32), np.array(increases, np.float32)
