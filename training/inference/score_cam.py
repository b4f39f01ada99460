"""Score-CAM: every channel of a layer masks the input, and counts by how much of the score its mask leaves."""

import numpy as np
from numpy.typing import NDArray

from training.inference.explained_model import ExplainedModel, Target
from training.inference.explanation import LAST_LAYER
from training.inference.masked_passes import MaskedPasses, ScoreCam
from training.runs.reporter import Reporter, SilentReporter


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
        reporter: receives progress in channels and is asked between batches whether to continue.

    Raises:
        UserError: there is no such layer.
        Cancelled: the reporter asked to end.
    """
    passes = MaskedPasses(model, prepared, target, layer, batch=batch, align_corners=align_corners)
    return finished(passes, reporter or SilentReporter())


def finished(passes: MaskedPasses, reporter: Reporter) -> ScoreCam:
    """Ask all channels that are still waiting; the exact Score-CAM.

    Raises:
        Cancelled: the reporter asked to end.
    """
    passes.ask(np.flatnonzero(passes.is_waiting), reporter)
    return passes.result()
