"""Score-CAM: every channel of a layer masks the input, and counts by how much of the score its mask leaves.

Asking a model about masked inputs: which channels were asked, what they answered, and the Score-CAM of all that.

The quick form of a Score-CAM: few channels are asked, the others' answers are predicted; how well was measured.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.inference.explained_model import ExplainedModel, Target, check_layer
from training.inference.explanation import LAST_LAYER, NOT_MEASURED
from training.models.scores import scores_of
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


class MaskedPasses:
    """One frame, one layer, one target; channels are asked when they are wanted, and never twice.

    Args:
        model: answers in its plan's precision; activations are float32's.
        prepared: (S, S, 3) uint8 RGB from `prepare_frame`.
        target: what is explained.
        layer: whose channels mask.

    Raises:
        UserError: there is no such layer.
    """

    def __init__(self, model: ExplainedModel, prepared: NDArray[np.uint8], target: Target, layer: str) -> None:
        check_layer(model, layer)
        self.model = model
        self.prepared = prepared
        self.target = target
        self.activations = model.look(prepared, layer).activations
        """(K, h, w)"""
        flat = self.activations.reshape(len(self.activations), -1)
        self.is_waiting = flat.max(1) > flat.min(1)
        """(K,) bool: not asked yet. A channel that is the same everywhere needs not be: its increase is 0."""
        self.baseline = float(target(model.baseline(prepared))[0])
        self.total = int(self.is_waiting.sum())
        self.increase = np.zeros(len(flat), np.float32)
        """(K,): 0 where nobody asked."""

    @property
    def asked(self) -> int:
        """Channels that were asked."""
        return self.total - int(self.is_waiting.sum())

    def ask(self, channels: NDArray[np.int64], reporter: Reporter, total: int | None = None) -> None:
        """Ask the channels (n,) and remember their increases.

        Args:
            channels: numbers of channels that are waiting.
            reporter: receives progress and is asked before each batch whether to continue.
            total: channels that this explanation will ask in all; None: all that there are.

        Raises:
            Cancelled: the reporter asked to end, or to stop: half of the channels are nothing to keep.
            UserError: a GPU's memory does not suffice for a single masked input.
        """
        plan = self.model.plan
        # On a GPU a pass fills the device by itself. On a CPU a few channels are shared out evenly among the lanes.
        lanes = plan.lanes if plan.device == "cpu" else 1
        size = min(plan.batch, max(1, -(-len(channels) // lanes)))

        def answer(part: NDArray[np.int64]) -> NDArray[np.float32]:
            return self.target(self.model.fast.masked(self.prepared, self.activations[part]))

        answers = list(in_lanes(self._parts(channels, size, reporter, total or self.total), answer, lanes))
        if answers:
            self.increase[channels] = np.concatenate(answers) - self.baseline
            self.is_waiting[channels] = False

    def result(self, increase: NDArray[np.float32] | None = None) -> ScoreCam:
        """The Score-CAM of the increases (K,) so far, or of better guesses where not all were asked."""
        known = self.increase if increase is None else increase
        weights = scores_of(known[None], "softmax")[0]
        raw = np.maximum(np.einsum("k,khw->hw", weights, self.activations), 0)
        return ScoreCam(np.asarray(raw, np.float32), known.copy(), weights, self.asked + 1)

    def _parts(
        self, channels: NDArray[np.int64], size: int, reporter: Reporter, total: int
    ) -> Iterator[NDArray[np.int64]]:
        before = self.asked
        for start in range(0, len(channels), size):
            reporter.check()
            if reporter.stop_requested:
                raise Cancelled
            reporter.progress(before + start, total, "channels", WHAT)
            yield channels[start : start + size]
        reporter.progress(before + len(channels), total, "channels", WHAT)


def score_cam(
    model: ExplainedModel,
    prepared: NDArray[np.uint8],
    target: Target,
    *,
    layer: str = LAST_LAYER,
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
        reporter: receives progress in channels and is asked between batches whether to continue.

    Raises:
        UserError: there is no such layer.
        Cancelled: the reporter asked to end.
    """
    return finished(MaskedPasses(model, prepared, target, layer), reporter or SilentReporter())


def finished(passes: MaskedPasses, reporter: Reporter) -> ScoreCam:
    """Ask all channels that are still waiting; the exact Score-CAM.

    Raises:
        Cancelled: the reporter asked to end.
    """
    passes.ask(np.flatnonzero(passes.is_waiting), reporter)
    return passes.result()


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
    return quick_passes(MaskedPasses(model, prepared, target, layer), reporter or SilentReporter(), channels)


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
