"""Forward passes: prepared frames in; embeddings, logits and maps out. OpenVINO on CPUs, torch on GPUs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.overlap import in_lanes
from training.compute.plan import ComputePlan, choose_plan, has_openvino
from training.errors import UserError
from training.models.backbones import GRAPH, find_backbone
from training.models.inference_network import InferenceNetwork
from training.models.scores import ScoreKind, scores_of
from training.runs.reporter import Reporter
from training.texts import Text

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
    if network.backbone == GRAPH and plan.device != "cpu":
        log(Text("{name} is computed on the CPU: it is a classifier of another program.", network.model_id))
        plan = choose_plan("cpu")
    if plan.device == "cpu" and has_openvino():
        from training.inference.openvino_engine import OpenVinoEngine

        if find_backbone(network.backbone).is_own or (reason := _conversion_fails(network)) is None:
            return OpenVinoEngine(network, plan, first)
        log(
            Text(
                "OpenVINO does not compute {backbone} as torch does ({reason}); computing with torch, which is slower.",
                network.backbone,
                reason,
            )
        )
    from training.inference.torch_engine import TorchEngine

    if plan.device == "cpu" and not has_openvino():
        log(WITHOUT_OPENVINO)
    return TorchEngine(network, plan, log)


CHECKED_FRAMES, MOST_APART = 10, 1e-3
"""Frames on which a converted network is compared with torch, and how far embeddings may differ, as a share of the
largest number."""


def _conversion_fails(network: InferenceNetwork) -> Text | None:
    """Why OpenVINO cannot compute a network that is none of the program's own; None where it can."""
    from training.inference.openvino_engine import OpenVinoEngine
    from training.inference.torch_engine import TorchEngine

    plan = ComputePlan("cpu", "float32", CHECKED_FRAMES, 1, 1)
    size = network.input_size
    frames = np.random.default_rng(0).integers(0, 256, (CHECKED_FRAMES, size, size, 3), dtype=np.uint8)
    theirs = TorchEngine(network, plan).run(frames).embeddings
    try:
        ours = OpenVinoEngine(network, plan, None).run(frames).embeddings
    except Exception as error:  # whatever its converter raises
        return Text("{error}", (str(error).splitlines() or [type(error).__name__])[0])
    apart = float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-9))
    return None if apart <= MOST_APART else Text("embeddings differ by {apart:.2g}", apart)


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
    outputs = run_prepared(open_engine(network, plan, reporter.log), pixels, reporter)
    return np.concatenate([output.embeddings for output in outputs])


def run_prepared(engine: Engine, pixels: NDArray[np.uint8], reporter: Reporter) -> Iterator[EngineOutput]:
    """What the engine says of frames (N, S, S, 3), batch by batch; see `embed_prepared`."""

    def batches() -> Iterator[NDArray[np.uint8]]:
        for start in range(0, len(pixels), engine.plan.batch):
            reporter.check()
            yield np.ascontiguousarray(pixels[start : start + engine.plan.batch])

    return in_lanes(batches(), engine.run, engine.plan.lanes)
