"""Forward passes: prepared frames in; embeddings, logits and maps out. OpenVINO on CPUs, torch on GPUs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.compute.plan import ComputePlan, has_openvino
from training.errors import UserError
from training.models.backbones import find_backbone
from training.models.inference_network import InferenceNetwork
from training.models.scores import ScoreKind, scores_of
from training.runs.reporter import Reporter

BATCH = "batch"
"""Passes of as many frames as the plan says."""
WITHOUT_OPENVINO = "OpenVINO cannot be used on this computer; computing with torch, which is slower."


class ModelOutput(NamedTuple):
    """What the model says of B inputs, float32."""

    embedding: NDArray[np.float32]
    """(B, D), not normalised."""
    logits: NDArray[np.float32]
    """(B, C); C = 0 without classes."""


@dataclass(frozen=True)
class EngineOutput:
    """What the model says of B frames, in main memory."""

    embeddings: NDArray[np.float32]
    """(B, D)"""
    logits: NDArray[np.float32]
    """(B, C); C = 0 without classes"""
    cams: NDArray[np.float32]
    """(B, C, h, w) raw"""
    kind: ScoreKind = "softmax"
    """How scores follow from logits."""

    @property
    def scores(self) -> NDArray[np.float32]:
        """(B, C) in [0, 1]"""
        return scores_of(self.logits, self.kind)


class FrameLook(NamedTuple):
    """What the model makes of one frame, float32."""

    activations: NDArray[np.float32]
    """(K, h', w') feature map of the layer that was asked for."""
    cams: NDArray[np.float32]
    """(C, h, w) raw"""
    output: ModelOutput
    """B = 1"""


class Engine(ABC):
    """A network that is ready for forward passes; may be called from several threads at once."""

    def __init__(self, network: InferenceNetwork, plan: ComputePlan) -> None:
        self.network = network
        self.plan = plan

    @abstractmethod
    def run(self, frames: NDArray[np.uint8]) -> EngineOutput:
        """(B, S, S, 3) uint8 RGB, prepared -> what the model says of them.

        Raises:
            UserError: memory does not suffice for a single frame.
        """

    @abstractmethod
    def look(self, frame: NDArray[np.uint8], layer: str) -> FrameLook:
        """(S, S, 3) uint8 RGB, prepared -> its feature map at a layer, and what the model says of it."""

    @abstractmethod
    def masked(self, frame: NDArray[np.uint8], activations: NDArray[np.float32]) -> ModelOutput:
        """Say something of a frame under each of n masks.

        Args:
            frame: (S, S, 3) uint8 RGB, prepared.
            activations: (n, h', w'). Each is scaled up to S x S (bilinear), then to [0, 1] by its own range, and
                multiplied with what the network sees; one without a range is 0 everywhere.

        Returns:
            B = n.

        Raises:
            UserError: memory does not suffice for a single mask.
        """


def open_engine(
    network: InferenceNetwork,
    plan: ComputePlan,
    log: Callable[[str], None] = lambda _: None,
    *,
    first: str | None = BATCH,
) -> Engine:
    """The engine for the plan's device.

    `first` is what OpenVINO compiles at once: `BATCH`, a layer for `look`, or None; the rest follows when it is needed.

    Raises:
        UserError: the weights do not fit the network.
    """
    has_graph = find_backbone(network.backbone).make_graph is not None
    if plan.device == "cpu" and has_graph and has_openvino():
        from training.inference.openvino_engine import OpenVinoEngine

        return OpenVinoEngine(network, plan, first)
    from training.inference.torch_engine import TorchEngine

    if plan.device == "cpu" and has_graph:
        log(WITHOUT_OPENVINO)
    return TorchEngine(network, plan, log)


def does_not_fit(network: InferenceNetwork) -> UserError:
    """The sentence on weights that are not those of the network."""
    return UserError(
        "The weights of {model_id} do not fit the network {backbone}.",
        "Copy the model folder again from its source, or choose another model.",
        network.model_id,
        network.backbone,
    )


def embed_prepared(
    network: InferenceNetwork, plan: ComputePlan, pixels: NDArray[np.uint8], reporter: Reporter
) -> NDArray[np.float32]:
    """(N, S, S, 3) uint8 RGB, prepared -> (N, D) float32, as scoring embeds them.

    Args:
        network: what embeds.
        plan: device, precision, batch, lanes.
        pixels: may be mapped; N at least 1.
        reporter: may cancel between batches.
    """
    engine = open_engine(network, plan, reporter.log)

    def batches() -> Iterator[NDArray[np.uint8]]:
        for start in range(0, len(pixels), plan.batch):
            reporter.check()
            yield np.ascontiguousarray(pixels[start : start + plan.batch])

    return np.concatenate([output.embeddings for output in in_lanes(batches(), engine.run, plan.lanes)])
