"""Forward passes at full speed: prepared frames in, rows of the embedding file out."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from threading import local

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.compute.overlap import in_lanes
from training.compute.plan import ComputePlan, threads_shared_out
from training.errors import UserError
from training.inference.cam import class_activation_maps
from training.inference.frame_embedder import FrameEmbedder
from training.inference.fused import fused
from training.inference.layered_trunk import folded
from training.models.network import FrameClassifier
from training.runs.reporter import Reporter


@dataclass(frozen=True)
class EngineOutput:
    """What the model says of B frames, in main memory."""

    embeddings: NDArray[np.float32]
    """(B, D)"""
    scores: NDArray[np.float32]
    """(B, C) in [0, 1]; C = 0 without a classifier"""
    cams: NDArray[np.float32]
    """(B, C, h, w) raw"""


class FrameEngine:
    """A network rebuilt for inference as the plan says; may be called from several threads at once.

    Args:
        network: from `load_network` or `load_embedder`; its trunk is replaced by a faster one that computes the same.
        plan: device, precision, batch.
        log: receives what could not be done as planned.
    """

    def __init__(
        self, network: FrameClassifier | FrameEmbedder, plan: ComputePlan, log: Callable[[str], None] = lambda _: None
    ) -> None:
        self.plan = plan
        self.network: FrameClassifier | FrameEmbedder = network.eval().requires_grad_(False).to(plan.device)
        trunk = folded(network.trunk).to(plan.device, plan.precision).to(memory_format=torch.channels_last)
        fast = fused(trunk) if plan.device.type == "cpu" else None
        self.is_fused = fast is not None
        self.network.trunk = fast if fast is not None else trunk
        self._log = log
        self._largest = plan.batch
        self._streams = local()

    def run(self, frames: NDArray[np.uint8]) -> EngineOutput:
        """(B, S, S, 3) uint8 RGB, prepared -> what the model says of them.

        Where memory runs out the batch is halved and that is said; the scores are the same in any batch.

        Raises:
            UserError: memory does not suffice for a single frame.
        """
        while True:
            size = self._largest
            try:
                parts = [self._pass(frames[start : start + size]) for start in range(0, len(frames), size)]
                return EngineOutput(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
            except RuntimeError as error:
                if not _is_out_of_memory(error):
                    raise
                self._halve(size)

    def _halve(self, size: int) -> None:
        if size == 1:
            raise UserError(
                f"There is not enough memory on the {self.plan.device.type} device for a single frame.",
                "Close other programs that use it, or choose --device cpu.",
            )
        # Several threads may fail at the same size; only the first of them halves it.
        if self._largest == size:
            self._largest = size // 2
            self._log(f"Out of memory: continuing with batches of {self._largest} instead of {size}.")
        if self.plan.device.type == "cuda":
            torch.cuda.empty_cache()

    @torch.inference_mode()
    def _pass(self, frames: NDArray[np.uint8]) -> tuple[NDArray[np.float32], ...]:
        with self._stream():
            images = torch.from_numpy(frames)
            if self.plan.device.type == "cuda":
                images = images.pin_memory()
            output = self.network(images.to(self.plan.device, non_blocking=True))
            cams = class_activation_maps(output.features, self.network.cam_weight)
            return _to_numpy(output.embedding), _to_numpy(output.scores), _to_numpy(cams)

    def _stream(self) -> AbstractContextManager[object]:
        """On CUDA a stream for each thread, so that one copies frames while another computes."""
        if self.plan.device.type != "cuda":
            return nullcontext()
        if not hasattr(self._streams, "own"):
            self._streams.own = torch.cuda.Stream(self.plan.device)  # type: ignore[no-untyped-call]
            self._streams.own.wait_stream(torch.cuda.default_stream(self.plan.device))
        return torch.cuda.stream(self._streams.own)


def _to_numpy(tensor: Tensor) -> NDArray[np.float32]:
    return np.asarray(tensor.float().cpu().numpy(), np.float32)


def _is_out_of_memory(error: RuntimeError) -> bool:
    return isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error)


def embed_prepared(
    network: FrameClassifier | FrameEmbedder, plan: ComputePlan, pixels: NDArray[np.uint8], reporter: Reporter
) -> NDArray[np.float32]:
    """(N, S, S, 3) uint8 RGB, prepared -> (N, D) float32, as scoring embeds them.

    Args:
        network: its trunk is replaced by a faster one.
        plan: device, precision, batch, lanes.
        pixels: may be mapped; N at least 1.
        reporter: may cancel between batches.
    """
    engine = FrameEngine(network, plan, reporter.log)

    def batches() -> Iterator[NDArray[np.uint8]]:
        for start in range(0, len(pixels), plan.batch):
            reporter.check()
            yield np.ascontiguousarray(pixels[start : start + plan.batch])

    with threads_shared_out():
        outputs = in_lanes(batches(), engine.run, plan.lanes, lambda: torch.set_num_threads(plan.threads_per_lane))
        return np.concatenate([output.embeddings for output in outputs])
