"""Forward passes on a CPU by OpenVINO; torch is not imported."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.compute.openvino import core, openvino, ops, traced
from training.compute.overlap import in_lanes
from training.compute.plan import ComputePlan
from training.inference.engine import BATCH, Engine, EngineOutput, FrameLook, ModelOutput, does_not_fit
from training.inference.explanation import LAST_LAYER, LAYERS
from training.models.backbones import find_backbone
from training.models.inference_network import Dense, InferenceNetwork

HINTS = {"float32": "f32", "bfloat16": "bf16", "float16": "f16"}
Node = Any
"""An output of an OpenVINO operation; the package has no usable types."""


class OpenVinoEngine(Engine):
    """A network compiled for this CPU, one stream for each lane.

    Args:
        network: the weights.
        plan: precision, batch and lanes.
        first: the graph that is compiled at once, if any: of `BATCH`, or of a layer.

    Raises:
        UserError: the weights do not fit the network.
    """

    def __init__(self, network: InferenceNetwork, plan: ComputePlan, first: str | None = BATCH) -> None:
        super().__init__(network, plan)
        self._graphs: dict[str, Any] = {}
        self._requests: dict[str, list[Any]] = {}
        self._lock = threading.Lock()
        if first is not None:
            self._graph(first)

    def run(self, frames: NDArray[np.uint8]) -> EngineOutput:
        """See `Engine`."""
        result = self._infer(BATCH if len(frames) == self.plan.batch else "frames", [frames])
        logits, cams = self._of_classes(result)
        return EngineOutput(result[0], logits, cams, self.network.scores)

    def look(self, frame: NDArray[np.uint8], layer: str) -> FrameLook:
        """See `Engine`."""
        result = self._infer(layer, [frame[None]])
        logits, maps = self._of_classes(result)
        return FrameLook(result[-1][0], maps[0], ModelOutput(result[0], logits))

    def masked(self, frame: NDArray[np.uint8], activations: NDArray[np.float32]) -> ModelOutput:
        """See `Engine`."""
        result = self._infer("masked", [frame[None], activations])
        return ModelOutput(result[0], self._of_classes([*result, result[0]])[0])

    def _of_classes(self, outputs: list[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
        """Logits and maps of what a graph gave; empty ones where it has no classes."""
        count, side = len(outputs[0]), self.network.cam_size
        if self.network.classifier is None:
            return [np.zeros((count, 0), np.float32), np.zeros((count, 0, side, side), np.float32)]
        return outputs[1:3]

    def _infer(self, key: str, inputs: Sequence[NDArray[Any]]) -> list[NDArray[np.float32]]:
        """The outputs of a graph; requests, which hold the memory of a pass, are used again by any thread."""
        graph = self._graph(key)
        with self._lock:
            free = self._requests.setdefault(key, [])
            request = free.pop() if free else graph.create_infer_request()
        arrays = [np.ascontiguousarray(values) for values in inputs]
        result = request.infer(arrays, share_inputs=True, share_outputs=True)  # its own memory until it is free again
        outputs = [np.array(values, np.float32) for values in result.values()]
        with self._lock:
            free.append(request)
        return outputs

    def _graph(self, key: str) -> Any:
        """The compiled graph of `run`, of `look` at a layer, or of `masked`; made on first use."""
        with self._lock:
            if key not in self._graphs:
                self._graphs[key] = self._compiled(key)
            return self._graphs[key]

    def _compiled(self, key: str) -> Any:
        try:
            batch = {BATCH: self.plan.batch, "frames": -1}.get(key, 1)
            graph = _masked_graph(self.network) if key == "masked" else frame_graph(self.network, key, batch)
        except RuntimeError as error:
            raise does_not_fit(self.network) from error
        return _compile(graph, self.plan)


def _compile(graph: Any, plan: ComputePlan) -> Any:
    settings = {
        "INFERENCE_PRECISION_HINT": HINTS[plan.precision],
        "NUM_STREAMS": str(plan.lanes),
        "INFERENCE_NUM_THREADS": str(plan.lanes * plan.threads_per_lane),
        "ENABLE_CPU_PINNING": False,  # other processes use the cores, too
    }
    return core().compile_model(graph, "CPU", settings)


def open_front(
    network: InferenceNetwork, layer: str, plan: ComputePlan
) -> Callable[[NDArray[np.float32]], NDArray[np.float32]]:
    """The first layers of a network, compiled: (B, 3, S, S) float32, normalised -> its feature map (B, F, h, w)."""
    size = network.input_size
    images = ops.parameter([-1, 3, size, size], openvino.Type.f32)
    graph = openvino.Model([ops.result(_layers(network, images)[layer])], [images], "front")
    compiled = _compile(graph, plan)

    def run(part: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.array(compiled.create_infer_request().infer([part], share_inputs=True)[0], np.float32)

    def front(values: NDArray[np.float32]) -> NDArray[np.float32]:
        parts = (values[at : at + plan.batch] for at in range(0, len(values), plan.batch))
        return np.concatenate(list(in_lanes(parts, run, plan.lanes)))

    return front


def frame_graph(network: InferenceNetwork, key: str, batch: int) -> Any:
    """(B, S, S, 3) uint8 -> embeddings; with classes logits and CAMs; where `key` is a layer, its feature map.

    B is `batch`, or any where that is -1. A graph of one size is 3 to 4 % faster, and its first pass twice as fast.
    """
    size = network.input_size
    frames = ops.parameter([batch, size, size, 3], openvino.Type.u8)
    layers = _layers(network, _normalised(network, frames))
    outputs = _outputs(network, layers[LAST_LAYER])
    if network.classifier is not None:
        # (B, F, h, w) -> (B, C, h, w): Laiz et al., eq. 7, a convolution with the classifier's weights.
        kernel = ops.constant(network.cam_weight[:, :, None, None])
        outputs.append(ops.convolution(layers[LAST_LAYER], kernel, [1, 1], [0, 0], [0, 0], [1, 1]))
    if key in LAYERS:
        outputs.append(layers[str(key)])
    return openvino.Model([ops.result(output) for output in outputs], [frames], "frames")


def _masked_graph(network: InferenceNetwork) -> Any:
    """(1, S, S, 3) uint8, (n, h, w) activations -> embeddings and, with classes, logits under each mask."""
    size = network.input_size
    frame = ops.parameter([1, size, size, 3], openvino.Type.u8)
    activations = ops.parameter([-1, -1, -1], openvino.Type.f32)
    masks = _masks(ops.unsqueeze(activations, ops.constant(np.int64(1))), size)
    layers = _layers(network, ops.multiply(_normalised(network, frame), masks))
    outputs = _outputs(network, layers[LAST_LAYER])
    return openvino.Model([ops.result(output) for output in outputs], [frame, activations], "masked")


def _normalised(network: InferenceNetwork, frames: Node) -> Node:
    """(B, S, S, 3) uint8 -> (B, 3, S, S) float32, mean and std taken out."""
    images = ops.convert(ops.transpose(frames, ops.constant(np.array([0, 3, 1, 2]))), "f32")
    if network.round_mask:
        images = ops.multiply(images, ops.constant(round_mask(network.input_size)[None, None]))
    mean, std = (np.array(part, np.float32).reshape(1, 3, 1, 1) * 255 for part in (network.mean, network.std))
    return ops.divide(ops.subtract(images, ops.constant(mean)), ops.constant(std))


def round_mask(size: int) -> NDArray[np.float32]:
    """(S, S): 1 where a pixel's centre lies within S / 2 of the middle, else 0 (see `training.compute.round_mask`)."""
    squares = (np.arange(size, dtype=np.float32) - np.float32((size - 1) / 2)) ** 2
    return np.asarray(squares[:, None] + squares <= (size / 2) ** 2, np.float32)


def _layers(network: InferenceNetwork, images: Node) -> Mapping[str, Node]:
    make_graph = find_backbone(network.backbone).make_graph
    return _converted(network, images) if make_graph is None else make_graph(images, network.trunk)


def _converted(network: InferenceNetwork, images: Node) -> Mapping[str, Node]:
    """The feature maps of a trunk that OpenVINO converts from torch, child by child, which is imported now.

    Raises:
        RuntimeError: an operation cannot be converted.
    """
    import torch

    from training.inference.torch_engine import torch_trunk
    from training.models.outside import fix_input_size

    size, layers, trunk = network.input_size, {}, torch_trunk(network)
    fix_input_size(trunk, size)
    example, values = torch.zeros(1, 3, size, size), images
    for name, child in trunk.named_children():
        model = traced(child, example)
        for target in model.inputs[0].node.output(0).get_target_inputs():
            target.replace_source_output(values if isinstance(values, openvino.Output) else values.output(0))
        values = model.outputs[0].node.input_value(0)
        layers[name] = values
        with torch.inference_mode():
            example = child(example)
    return layers


def _outputs(network: InferenceNetwork, features: Node) -> list[Node]:
    """(B, F, h, w) -> embedding (B, D) and, with classes, logits (B, C)."""
    embedding = ops.reduce_mean(features, ops.constant(np.array([2, 3])), keep_dims=False)
    if network.embedding_layer is not None:
        embedding = _dense(embedding, network.embedding_layer)
    logits = [_dense(embedding, network.classifier)] if network.classifier is not None else []
    for layer in network.head or ():
        embedding = _dense(ops.relu(embedding), layer)
    return [embedding, *logits]


def _dense(values: Node, layer: Dense) -> Node:
    product = ops.matmul(values, ops.constant(layer.weight), transpose_a=False, transpose_b=True)
    return ops.add(product, ops.constant(layer.bias))


def _masks(activations: Node, size: int) -> Node:
    """(n, 1, h, w) -> (n, 1, size, size): bilinear, then each in [0, 1] by its own range; all 0 where it has none."""
    large = ops.interpolate(
        activations,
        ops.constant(np.array([size, size])),
        "linear_onnx",
        "sizes",
        axes=ops.constant(np.array([2, 3])),
        coordinate_transformation_mode="half_pixel",
    )
    low, high = _range(large)
    least, most = _range(activations)  # scaling up leaves rounding errors where a map is the same everywhere
    has_range, nothing = ops.greater(most, least), ops.constant(np.float32(0))
    divisor = ops.select(has_range, ops.subtract(high, low), ops.constant(np.float32(1)))
    return ops.select(has_range, ops.divide(ops.subtract(large, low), divisor), nothing)


def _range(maps: Node) -> tuple[Node, Node]:
    """(n, 1, h, w) -> (n, 1, 1, 1) smallest and largest value of each."""
    places = ops.constant(np.array([2, 3]))
    return ops.reduce_min(maps, places, keep_dims=True), ops.reduce_max(maps, places, keep_dims=True)
