"""Asking a model about masked inputs: which channels were asked, what they answered, and the Score-CAM of all that."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.inference.engine import softmax
from training.inference.explained_class import check_layer
from training.inference.explained_model import ExplainedModel, Target
from training.runs.reporter import Cancelled, Reporter

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
        batch: masked inputs in one pass; None: the plan's.
        align_corners: of the bilinear scaling; False fits `paste_map`.

    Raises:
        UserError: there is no such layer.
    """

    def __init__(
        self,
        model: ExplainedModel,
        prepared: NDArray[np.uint8],
        target: Target,
        layer: str,
        *,
        batch: int | None = None,
        align_corners: bool = False,
    ) -> None:
        check_layer(layer)
        self.model = model
        self.prepared = prepared
        self.target = target
        self.batch = batch or model.plan.batch
        self.align_corners = align_corners
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
        size = min(self.batch, max(1, -(-len(channels) // lanes)))
        answers = list(in_lanes(self._parts(channels, size, reporter, total or self.total), self._answer, lanes))
        if answers:
            self.increase[channels] = np.concatenate(answers) - self.baseline
            self.is_waiting[channels] = False

    def result(self, increase: NDArray[np.float32] | None = None) -> ScoreCam:
        """The Score-CAM of the increases (K,) so far, or of better guesses where not all were asked."""
        known = self.increase if increase is None else increase
        weights = softmax(known[None])[0]
        raw = np.maximum(np.einsum("k,khw->hw", weights, self.activations), 0)
        return ScoreCam(np.asarray(raw, np.float32), known.copy(), weights, self.asked + 1)

    def _answer(self, channels: NDArray[np.int64]) -> NDArray[np.float32]:
        maps = self.activations[channels]
        return self.target(self.model.fast.masked(self.prepared, maps, align_corners=self.align_corners))

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
