"""Networks as OpenVINO graphs, built from their weights; batch normalisation is folded into the convolutions.

Building one takes a fraction of a second, so no graph is kept on disk, and none can disagree with its weights.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.compute.openvino import ops
from training.errors import UserError

Weights = Mapping[str, NDArray[np.float32]]
Node = Any
"""An output of an OpenVINO operation; the package has no usable types."""
RESNET_EPSILON = 1e-5
LITE0_EPSILON = 1e-3
LITE0_STRIDED = {(1, 1), (2, 0), (3, 0), (4, 0)}
"""Layer and block of the convolutions that halve the side, beside the first."""


class _Weights:
    """A trunk's weights; a missing or misshapen one is the file's fault."""

    def __init__(self, weights: Weights, epsilon: float) -> None:
        self.weights = weights
        self.epsilon = np.float32(epsilon)

    def __contains__(self, name: str) -> bool:
        return name in self.weights

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        if name not in self.weights:
            raise UserError("The weights lack the tensor {name}.", "Copy the model again from its source.", name)
        return np.asarray(self.weights[name], np.float32)

    def folded(self, conv: str, norm: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Kernel and bias of a convolution and its batch normalisation."""
        scale = self[f"{norm}.weight"] / np.sqrt(self[f"{norm}.running_var"] + self.epsilon)
        bias = self[f"{norm}.bias"] - self[f"{norm}.running_mean"] * scale
        return self[f"{conv}.weight"] * scale[:, None, None, None], bias


def resnet_graph(images: Node, weights: Weights) -> dict[str, Node]:
    """A ResNet of `training.models.resnet`: (B, 3, S, S) -> feature maps by layer, `layer1` to `layer4`."""
    known = _Weights(weights, RESNET_EPSILON)

    def conv(values: Node, name: str, norm: str, stride: int = 1) -> Node:
        return _convolution(values, *known.folded(name, norm), stride)

    values = ops.relu(conv(images, "conv1", "bn1", 2))
    values = ops.max_pool(values, [2, 2], [1, 1], [1, 1], [1, 1], [3, 3]).output(0)
    layers: dict[str, Node] = {}
    for number in range(1, 5):
        block = 0
        while f"layer{number}.{block}.conv1.weight" in known:
            part, stride = f"layer{number}.{block}.", 2 if number > 1 and block == 0 else 1
            shortcut = values
            if f"{part}downsample.0.weight" in known:
                shortcut = conv(values, f"{part}downsample.0", f"{part}downsample.1", stride)
            if f"{part}conv3.weight" in known:  # a bottleneck
                inner = ops.relu(conv(values, f"{part}conv1", f"{part}bn1"))
                inner = ops.relu(conv(inner, f"{part}conv2", f"{part}bn2", stride))
                inner = conv(inner, f"{part}conv3", f"{part}bn3")
            else:
                inner = ops.relu(conv(values, f"{part}conv1", f"{part}bn1", stride))
                inner = conv(inner, f"{part}conv2", f"{part}bn2")
            values, block = ops.relu(ops.add(inner, shortcut)), block + 1
        layers[f"layer{number}"] = values
    return layers


def efficientnet_lite0_graph(images: Node, weights: Weights) -> dict[str, Node]:
    """The trunk of `training.models.efficientnet`: (B, 3, S, S) -> feature maps by layer, `layer1` to `layer4`."""
    known = _Weights(weights, LITE0_EPSILON)

    def conv(values: Node, name: str, stride: int = 1, groups: int = 1) -> Node:
        return _convolution(values, *known.folded(name, f"{name}_norm"), stride, groups, is_same=True)

    def rectified(values: Node) -> Node:
        return ops.clamp(values, 0.0, 6.0)

    values = rectified(conv(images, "stem.conv", 2))
    layers: dict[str, Node] = {}
    for number in range(1, 5):
        block = 0
        while f"layer{number}.{block}.layers.depthwise.weight" in known:
            part, stride, inner = f"layer{number}.{block}.layers.", 2 if (number, block) in LITE0_STRIDED else 1, values
            if f"{part}expand.weight" in known:
                inner = rectified(conv(inner, f"{part}expand"))
            wide = len(known[f"{part}depthwise.weight"])
            inner = conv(rectified(conv(inner, f"{part}depthwise", stride, wide)), f"{part}project")
            has_shortcut = stride == 1 and values.get_output_partial_shape(0)[1] == inner.get_output_partial_shape(0)[1]
            values, block = ops.add(inner, values) if has_shortcut else inner, block + 1
        if f"layer{number}.{block}.conv.weight" in known:  # the convolution at the end
            values = rectified(conv(values, f"layer{number}.{block}.conv"))
        layers[f"layer{number}"] = values
    return layers


def _convolution(
    values: Node,
    kernel: NDArray[np.float32],
    bias: NDArray[np.float32],
    stride: int = 1,
    groups: int = 1,
    *,
    is_same: bool = False,
) -> Node:
    """With half a kernel of padding, or TensorFlow's "same" padding, which differs where the stride is 2."""
    half = [0, 0] if is_same and stride > 1 else [kernel.shape[-1] // 2] * 2
    padding: Mapping[str, Any] = {"auto_pad": "same_upper"} if is_same and stride > 1 else {}
    if groups > 1:
        kernel = kernel.reshape(groups, len(kernel) // groups, *kernel.shape[1:])
    make = ops.group_convolution if groups > 1 else ops.convolution
    result = make(values, ops.constant(kernel), [stride, stride], half, half, [1, 1], **padding)
    return ops.add(result, ops.constant(bias.reshape(1, -1, 1, 1)))
