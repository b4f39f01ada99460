"""The quick form of a Score-CAM: only the channels of most energy are asked; how far it can be trusted was measured."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.inference.explain_target import Target
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import LAST_LAYER
from training.inference.layered_trunk import check_layer
from training.inference.score_cam import ScoreCam, of_channels
from training.runs.reporter import Reporter, SilentReporter

QUICK_CHANNELS = 64
AGREEMENT = 0.95
"""Mean correlation of the quick map with the exact one."""


def quick_score_cam(
    model: ExplainedModel,
    prepared: NDArray[np.uint8],
    target: Target,
    *,
    channels: int = QUICK_CHANNELS,
    layer: str = LAST_LAYER,
    reporter: Reporter | None = None,
) -> ScoreCam:
    """Score-CAM that asks only the `channels` channels of most energy (ours).

    Raises:
        UserError: there is no such layer.
        Cancelled: the reporter asked to end.
    """
    check_layer(layer)
    with torch.inference_mode():
        image = model.normalised(prepared)
        activations = model.exact.layer_and_features(image, layer)[0][0].float()
        return of_channels(
            model,
            image,
            activations,
            strongest(activations, channels),
            target,
            None,
            False,
            reporter or SilentReporter(),
        )


def strongest(activations: Tensor, count: int) -> Tensor:
    """Numbers of the at most `count` channels of (K, h, w) with the largest sum of squares, ascending."""
    energy = activations.square().sum((1, 2))
    return energy.topk(min(count, len(energy))).indices.sort().values
