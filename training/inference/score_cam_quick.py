"""The quick form of a Score-CAM: few channels are asked, the others' answers are predicted; how well was measured."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.inference.explained_model import ExplainedModel, Target
from training.inference.explanation import LAST_LAYER, NOT_MEASURED
from training.inference.masked_passes import MaskedPasses, ScoreCam
from training.runs.reporter import Reporter, SilentReporter

NOISE = 0.05
"""Of an answer, as a share of the answers' variance: masks are alike only as far as the layer resolves them."""


def guess(
    activations: NDArray[np.float32], increase: NDArray[np.float32], is_waiting: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Gaussian process regression over masks (Rasmussen and Williams 2006, algorithm 2.1; its use here is ours).

    The mean is linear in the mask's area; the covariance is Gaussian in the distance of masks at the layer's
    resolution, with the median distance of the asked ones as its length.

    Args:
        activations: (K, h, w).
        increase: (K,) float32, right where asked.
        is_waiting: (K,) bool: not asked; all but the ones that are the same everywhere, which answer 0 for certain.

    Returns:
        (K,) float32 increases, guessed where they are waiting; (K,) their standard deviation, 0 where they are not.
    """
    from scipy.linalg import cho_factor, cho_solve, solve_triangular
    from scipy.spatial.distance import cdist

    mean, deviation = increase.copy(), np.zeros_like(increase)
    flat = activations.reshape(len(activations), -1).astype(np.float64)
    low, high = flat.min(1, keepdims=True), flat.max(1, keepdims=True)
    masks = (flat - low) / np.maximum(high - low, 1e-12)
    is_asked = ~is_waiting & (high > low)[:, 0]
    asked, rest, answers = masks[is_asked], masks[is_waiting], increase[is_asked].astype(np.float64)
    if not len(rest) or not len(asked):
        return mean, deviation
    slope = np.linalg.lstsq(_line(asked), answers, rcond=None)[0]
    residue = answers - _line(asked) @ slope
    own = cdist(asked, asked, "sqeuclidean")
    length = max(float(np.median(own)), 1e-12)
    factor = cho_factor(np.exp(-own / (2 * length)) + NOISE * np.eye(len(asked)), lower=True)
    across = np.exp(-cdist(rest, asked, "sqeuclidean") / (2 * length))
    sure = np.square(solve_triangular(factor[0], across.T, lower=True)).sum(0)
    mean[is_waiting] = _line(rest) @ slope + across @ cho_solve(factor, residue)
    deviation[is_waiting] = np.sqrt(np.maximum(1 - sure, 0) * residue.var())
    return mean, deviation


def _line(masks: NDArray[np.float64]) -> NDArray[Any]:
    """(n, p) -> (n, 2): 1 and the mask's area as a share of the input."""
    return np.stack([np.ones(len(masks)), masks.mean(1)], axis=1)


QUICK_CHANNELS = 96
FIRST, STEP = 32, 16
MEASURED_CHANNELS = 1280
AGREEMENT = 0.98
"""Mean correlation of the quick map with the exact one, both scaled up to 224 x 224, in the setting QUICK_CHANNELS.

Measured 2026-11-21 on 20 bleeding frames of WCEBleedGen (drawn with seed 0): 0.985 (least 0.86) for a ResNet-18 at 224
px finetuned on two thirds of that set, 0.982 (least 0.85) for one at 128 px trained on synthetic images. Energy alone,
other channels left out, gave 0.84 with as many channels for the latter. 2026-11-23, on 20 such frames: 0.999 (least
0.993) for the starter model, an EfficientNet-Lite0 at 160 px. `tests.benchmarks.bench_score_cam` measures any model.
"""


def quick_score_cam(
    model: ExplainedModel,
    prepared: NDArray[np.uint8],
    target: Target,
    *,
    channels: int = QUICK_CHANNELS,
    layer: str = LAST_LAYER,
    reporter: Reporter | None = None,
) -> ScoreCam:
    """Score-CAM that asks `channels` channels only (ours); exact where the layer has no more.

    First those of most energy (sum of squares), then in steps those that are expected to weigh most, by what the
    answers so far let one guess. The rest takes part with its guess.

    Raises:
        UserError: there is no such layer.
        Cancelled: the reporter asked to end.
    """
    passes = MaskedPasses(model, prepared, target, layer)
    return quick_passes(passes, reporter or SilentReporter(), channels)


def quick_passes(passes: MaskedPasses, reporter: Reporter, channels: int = QUICK_CHANNELS) -> ScoreCam:
    """The quick form over passes that `score_cam.finished` can take further, to the exact one, without asking twice."""
    energy = np.square(passes.activations).sum((1, 2))
    wanted = min(channels, passes.total)
    expected, mean = energy, None
    while passes.asked < wanted:
        count = min(wanted - passes.asked, STEP if passes.asked else FIRST)
        worth = np.where(passes.is_waiting, expected, -np.inf)
        passes.ask(np.argsort(-worth, kind="stable")[:count], reporter, wanted)
        mean, deviation = guess(passes.activations, passes.increase, passes.is_waiting)
        expected = mean + deviation + np.log(np.maximum(energy, 1e-18)) / 2
    return passes.result(mean) if wanted < passes.total else passes.result()


def agreement_note(passes: MaskedPasses, layer: str, is_class: bool) -> str:
    """A sentence where AGREEMENT was not measured for what was asked, else ""."""
    if passes.asked == passes.total or (is_class and layer == LAST_LAYER and len(passes.increase) <= MEASURED_CHANNELS):
        return ""
    return NOT_MEASURED


def agreement_of(passes: MaskedPasses) -> float:
    """The measured agreement of these passes' quick form; 1 where it asked every channel."""
    return 1.0 if passes.asked == passes.total else AGREEMENT
