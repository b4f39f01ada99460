"""Class activation maps of a linear classifier over average pooling: exact, and as cheap as one matrix product."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def class_activation_maps(features: Tensor, weight: Tensor) -> Tensor:
    """Laiz et al., eq. 7: M_c(x, y) = sum_k w_k^c f_k(x, y).

    The mean of M_c over all positions is the class's logit less its bias.

    Args:
        features: (B, D, h, w) last feature map.
        weight: (C, D) of the linear classifier.

    Returns:
        (B, C, h, w) float32, in units of logits; of either sign.
    """
    if features.ndim != 4 or weight.ndim != 2 or features.shape[1] != weight.shape[1]:
        raise ValueError(f"(B, D, h, w) and (C, D) do not fit: {tuple(features.shape)}, {tuple(weight.shape)}")
    return torch.einsum("bdhw,cd->bchw", features.float(), weight.float())


def normalise_cam(cam: NDArray[np.floating]) -> NDArray[np.float32]:
    """A raw map (h, w) made fit to be shown: in [0, 1], by the frame's own range above zero.

    0 is "speaks not for the class" (all negative evidence), 1 the frame's strongest evidence for it. Each frame has its
    own range, so the map says *where*, never *how much*: that is what the score beside it is for. A map with nothing
    above zero, or of a missing frame (NaN), is all 0.
    """
    positive = np.nan_to_num(np.maximum(cam.astype(np.float32), 0))
    peak = positive.max(initial=0)
    return np.asarray(positive / peak if peak > 0 else np.zeros_like(positive), np.float32)
