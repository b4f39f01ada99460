"""Score-CAM: every channel of a layer masks the input, and counts by how much of the score its mask leaves."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import interpolate

from training.inference.explain_target import Target
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import LAST_LAYER
from training.inference.layered_trunk import check_layer
from training.inference.overlap import in_lanes
from training.inference.thread_share import threads_shared_out
from training.runs.reporter import Cancelled, Reporter, SilentReporter

WHAT = "Score-CAM"


class ScoreCam(NamedTuple):
    """A Score-CAM and how it came about."""

    map: NDArray[np.float32]
    """(h, w) at the layer's own resolution, >= 0, in units of its activations."""
    increase: NDArray[np.float32]
    """(K,): each channel's increase of the target over the baseline; 0 where a channel is the same everywhere."""
    weights: NDArray[np.float32]
    """(K,), sum 1: the softmax of the increases."""
    passes: int
    """Forward passes of masked inputs, the baseline's included."""


def score_cam(
    model: ExplainedModel,
    prepared: NDArray[np.uint8],
    target: Target,
    *,
    layer: str = LAST_LAYER,
    batch: int | None = None,
    align_corners: bool = False,
    reporter: Reporter | None = None,
) -> ScoreCam:
    """Exact Score-CAM (Wang et al. 2020, eq. 3 to 9 and algorithm 1).

    For channel k of the layer, with A_k its activation: H_k = A_k scaled up to the input, then to [0, 1] by its own
    minimum and maximum; C_k = f(X * H_k) - f(X_b), the increase over the baseline; alpha = softmax of C over all
    channels; L = ReLU(sum_k alpha_k A_k). X is what the network sees (mean and std taken out), X_b is all zero there
    (the grey that the statistics call the mean), and f is the target: a class's logit, not its probability.

    A channel that is the same everywhere has no range to scale by: its mask is 0, its input the baseline, its increase
    0, and so it needs no forward pass. It still takes its part in the softmax.

    Public implementations differ: the authors' own code weights by the probability after the softmax over classes,
    without baseline and without softmax over channels, and leaves constant channels out; pytorch-grad-cam has no
    baseline (under the softmax over channels it makes no difference) and aligns corners when it scales up; torch-cam
    subtracts the unmasked input's logit (again no difference under the softmax) and normalises before it scales up.

    Args:
        model: passes with masks run in its plan's precision, activations are float32's.
        prepared: (S, S, 3) uint8 RGB from `prepare_frame`.
        target: what is explained.
        layer: whose channels mask.
        batch: masked inputs in one pass; None: the plan's.
        align_corners: of the bilinear scaling; False fits `paste_map`.
        reporter: hears of progress in channels and is asked between batches whether to go on.

    Raises:
        UserError: there is no such layer.
        Cancelled: the reporter asked to end.
    """
    check_layer(layer)
    with torch.inference_mode():
        image = model.normalised(prepared)
        activations = model.exact.layer_and_features(image, layer)[0][0].float()
        return of_channels(
            model, image, activations, _uneven(activations), target, batch, align_corners, reporter or SilentReporter()
        )


def of_channels(
    model: ExplainedModel,
    image: Tensor,
    activations: Tensor,
    channels: Tensor,
    target: Target,
    batch: int | None,
    align_corners: bool,
    reporter: Reporter,
) -> ScoreCam:
    """The Score-CAM for which the given `channels` (n,) of `activations` (K, h, w) were asked; others count as 0."""

    def ask(part: Tensor) -> Tensor:
        with torch.inference_mode():  # holds for one thread only
            masks = masks_of(activations[part], image.shape[-1], align_corners)
            return _ask(model, image * masks, target)

    # A batch too small for its lane leaves cores idle: few channels are shared out evenly.
    lanes = model.plan.lanes if model.plan.device.type == "cpu" else 1
    size = min(batch or model.plan.batch, max(1, -(-len(channels) // lanes)))
    with threads_shared_out():
        parts = _batches(channels, size, reporter)
        answers = list(in_lanes(parts, ask, lanes, lambda: torch.set_num_threads(model.plan.threads_per_lane)))
    increase = torch.zeros(len(activations), device=image.device)
    if answers:
        increase[channels] = torch.cat(answers) - _ask(model, torch.zeros_like(image), target)
    weights = increase.softmax(0)
    raw = torch.einsum("k,khw->hw", weights, activations).relu()
    return ScoreCam(_numpy(raw), _numpy(increase), _numpy(weights), len(channels) + 1)


def masks_of(activations: Tensor, size: int, align_corners: bool = False) -> Tensor:
    """(n, h, w) -> (n, 1, size, size): bilinear, then each in [0, 1] by its own range; all 0 where it has none."""
    large = interpolate(activations[:, None], size=(size, size), mode="bilinear", align_corners=align_corners)
    low, high = large.amin((2, 3), keepdim=True), large.amax((2, 3), keepdim=True)
    extent = high - low
    return torch.where(extent > 0, (large - low) / extent, torch.zeros_like(large))


def _uneven(activations: Tensor) -> Tensor:
    """Numbers of the channels that are not the same everywhere."""
    flat = activations.flatten(1)
    return (flat.amax(1) > flat.amin(1)).nonzero()[:, 0]


def _ask(model: ExplainedModel, inputs: Tensor, target: Target) -> Tensor:
    return target(model.judge(model.fast.features(inputs)))


def _batches(channels: Tensor, size: int, reporter: Reporter) -> Iterator[Tensor]:
    total = len(channels)
    for start in range(0, total, size):
        reporter.check()
        if reporter.stop_requested:
            raise Cancelled  # half of the channels are no map that could be kept
        reporter.progress(start, total, "channels", WHAT)
        yield channels[start : start + size]
    reporter.progress(total, total, "channels", WHAT)


def _numpy(tensor: Tensor) -> NDArray[np.float32]:
    return np.asarray(tensor.float().cpu().numpy(), np.float32)
