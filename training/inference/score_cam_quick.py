"""The quick form of a Score-CAM: few channels are asked, the others' answers are predicted; how well was measured."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.inference.explained_model import ExplainedModel, Target
from training.inference.explanation import LAST_LAYER
from training.inference.masked_passes import MaskedPasses, ScoreCam
from training.runs.reporter import Reporter, SilentReporter

NOISE = 0.05
"""Of an answer, as a share of the answers' variance: masks are alike only as far as the layer resolves them."""


def guess(activations: Tensor, increase: Tensor, is_waiting: Tensor) -> tuple[Tensor, Tensor]:
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
    mean, deviation = increase.clone(), torch.zeros_like(increase)
    flat = activations.flatten(1).double()
    low, high = flat.amin(1, keepdim=True), flat.amax(1, keepdim=True)
    masks = (flat - low) / (high - low).clamp(min=1e-12)
    is_asked = ~is_waiting & (high > low)[:, 0]
    asked, rest, answers = masks[is_asked], masks[is_waiting], increase[is_asked].double()
    if not len(rest) or not len(asked):
        return mean, deviation
    slope = torch.linalg.lstsq(_line(asked), answers[:, None], driver="gelsd" if masks.is_cpu else None).solution
    residue = answers - (_line(asked) @ slope)[:, 0]
    own = torch.cdist(asked, asked).square()
    length = own.median().clamp(min=1e-12)
    factor = torch.linalg.cholesky((-own / (2 * length)).exp() + NOISE * torch.eye(len(asked)).to(own))
    across = (-torch.cdist(rest, asked).square() / (2 * length)).exp()
    guessed = (_line(rest) @ slope)[:, 0] + across @ torch.cholesky_solve(residue[:, None], factor)[:, 0]
    sure = torch.linalg.solve_triangular(factor, across.T, upper=False).square().sum(0)
    mean[is_waiting] = guessed.to(mean)
    deviation[is_waiting] = ((1 - sure).clamp(min=0) * residue.var(correction=0)).sqrt().to(mean)
    return mean, deviation


def _line(masks: Tensor) -> Tensor:
    """(n, p) -> (n, 2): 1 and the mask's area as a share of the input."""
    return torch.stack([torch.ones_like(masks[:, 0]), masks.mean(1)], 1)


QUICK_CHANNELS = 96
FIRST, STEP = 32, 16
MEASURED_CHANNELS = 512
AGREEMENT = 0.98
"""Mean correlation of the quick map with the exact one, both scaled up to 224 x 224, in the setting QUICK_CHANNELS.

Measured 2026-11-21 on 20 bleeding frames of WCEBleedGen (drawn with seed 0): 0.985 (least 0.86) for a ResNet-18 at 224
px finetuned on two thirds of that set, 0.982 (least 0.85) for the demo model at 128 px. Energy alone, other channels
left out, gave 0.84 with as many channels for the demo model. `tests.benchmarks.bench_score_cam` measures any model.
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
    energy = passes.activations.square().sum((1, 2))
    wanted = min(channels, passes.total)
    expected = energy
    with torch.inference_mode():
        while passes.asked < wanted:
            count = min(wanted - passes.asked, STEP if passes.asked else FIRST)
            worth = expected.masked_fill(~passes.is_waiting, -torch.inf)
            passes.ask(worth.topk(count).indices, reporter, wanted)
            mean, deviation = guess(passes.activations, passes.increase, passes.is_waiting)
            expected = mean + deviation + energy.clamp(min=1e-18).log() / 2
        return passes.result(mean) if wanted < passes.total else passes.result()


def agreement_note(passes: MaskedPasses, layer: str, is_class: bool) -> str:
    """A sentence where AGREEMENT was not measured for what was asked, else ""."""
    if passes.asked == passes.total or (is_class and layer == LAST_LAYER and len(passes.increase) <= MEASURED_CHANNELS):
        return ""
    return "Agreement with exact Score-CAM was measured only for classes and the last layer of a ResNet-18."


def agreement_of(passes: MaskedPasses) -> float:
    """The measured agreement of these passes' quick form; 1 where it asked every channel."""
    return 1.0 if passes.asked == passes.total else AGREEMENT
