"""Asking a model about masked inputs: which channels were asked, what they answered, and the Score-CAM of all that."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import interpolate

from training.compute.out_of_memory import forget_the_rest
from training.compute.overlap import in_lanes
from training.compute.plan import threads_shared_out
from training.errors import UserError
from training.inference.explained_model import ExplainedModel, Target
from training.inference.layered_trunk import check_layer
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
        self.target = target
        self.batch = batch or model.plan.batch
        self.align_corners = align_corners
        with torch.inference_mode():
            self.image = model.normalised(prepared)
            self.activations = model.exact.layer_and_features(self.image, layer)[0][0].float()
            """(K, h, w)"""
            flat = self.activations.flatten(1)
            self.is_waiting = flat.amax(1) > flat.amin(1)
            """(K,) bool: not asked yet. A channel that is the same everywhere needs not be: its increase is 0."""
            self.baseline = float(self._answer(torch.zeros_like(self.image))[0])
        self.total = int(self.is_waiting.sum())
        self.increase = torch.zeros(len(flat), device=flat.device)
        """(K,): 0 where nobody asked."""

    @property
    def asked(self) -> int:
        """Channels that were asked."""
        return self.total - int(self.is_waiting.sum())

    @torch.inference_mode()
    def ask(self, channels: Tensor, reporter: Reporter, total: int | None = None) -> None:
        """Ask the channels (n,) and remember their increases.

        Args:
            channels: numbers of channels that are waiting.
            reporter: receives progress and is asked before each batch whether to continue.
            total: channels that this explanation will ask in all; None: all that there are.

        Raises:
            Cancelled: the reporter asked to end, or to stop: half of the channels are nothing to keep.
            UserError: a GPU's memory does not suffice for a single masked input.
        """
        while True:
            try:
                answers = self._answers(channels, reporter, total or self.total)
                break
            except torch.OutOfMemoryError:
                self._halve(reporter)
        if answers:
            self.increase[channels] = torch.cat(answers) - self.baseline
            self.is_waiting[channels] = False

    def _answers(self, channels: Tensor, reporter: Reporter, total: int) -> list[Tensor]:
        plan = self.model.plan
        # On a GPU a pass fills the device by itself. On a CPU a few channels are shared out evenly among the lanes.
        lanes = plan.lanes if plan.device.type == "cpu" else 1
        size = min(self.batch, max(1, -(-len(channels) // lanes)))
        parts = self._parts(channels, size, reporter, total)
        with threads_shared_out():
            prepare = partial(torch.set_num_threads, plan.threads_per_lane)
            return list(in_lanes(parts, self._masked_answer, lanes, prepare))

    def _halve(self, reporter: Reporter) -> None:
        if self.batch == 1:
            raise UserError(
                "There is not enough memory to explain this frame.", "Close other programs that use the GPU."
            )
        self.batch //= 2
        forget_the_rest(self.model.plan.device)
        reporter.log(f"Out of memory: continuing with {self.batch} masked inputs at a time.")

    @torch.inference_mode()
    def result(self, increase: Tensor | None = None) -> ScoreCam:
        """The Score-CAM of the increases (K,) so far, or of better guesses where not all were asked."""
        known = self.increase if increase is None else increase
        weights = known.softmax(0)
        raw = torch.einsum("k,khw->hw", weights, self.activations).relu()
        return ScoreCam(_numpy(raw), _numpy(known), _numpy(weights), self.asked + 1)

    def _masked_answer(self, channels: Tensor) -> Tensor:
        with torch.inference_mode():  # holds for one thread only
            return self._answer(
                self.image * masks_of(self.activations[channels], self.image.shape[-1], self.align_corners)
            )

    def _answer(self, inputs: Tensor) -> Tensor:
        return self.target(self.model.output(self.model.fast.features(inputs)))

    def _parts(self, channels: Tensor, size: int, reporter: Reporter, total: int) -> Iterator[Tensor]:
        before = self.asked
        for start in range(0, len(channels), size):
            reporter.check()
            if reporter.stop_requested:
                raise Cancelled
            reporter.progress(before + start, total, "channels", WHAT)
            yield channels[start : start + size]
        reporter.progress(before + len(channels), total, "channels", WHAT)


def masks_of(activations: Tensor, size: int, align_corners: bool = False) -> Tensor:
    """(n, h, w) -> (n, 1, size, size): bilinear, then each in [0, 1] by its own range; all 0 where it has none."""
    large = interpolate(activations[:, None], size=(size, size), mode="bilinear", align_corners=align_corners)
    low, high = large.amin((2, 3), keepdim=True), large.amax((2, 3), keepdim=True)
    extent = high - low
    return torch.where(extent > 0, (large - low) / extent, torch.zeros_like(large))


def _numpy(tensor: Tensor) -> NDArray[np.float32]:
    return np.asarray(tensor.float().cpu().numpy(), np.float32)
