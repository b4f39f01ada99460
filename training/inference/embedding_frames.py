"""Embeddings of frames that are prepared already, with every core busy."""

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.compute.plan import ComputePlan, threads_shared_out
from training.inference.engine import FrameEngine
from training.inference.frame_embedder import FrameEmbedder
from training.models.network import FrameClassifier
from training.runs.reporter import Reporter


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
