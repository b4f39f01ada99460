"""Small classifiers as ONNX files, as other programs write them, and what they compute."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

WIDTH = 8


def weights(count: int, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    draw = np.random.default_rng(seed)
    shapes = {"kernel": (WIDTH, 3, 3, 3), "weight": (count, WIDTH), "bias": (count,)}
    return {name: draw.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def write_onnx(
    path: Path,
    count: int = 3,
    *,
    last: str = "",
    batch: int | str = "batch",
    side: int | str = 64,
    is_last: bool = False,
    with_embedding: bool = False,
    over: int = 1,
) -> Path:
    """Convolution, ReLU, mean, linear layer, and what is named by `last` (Sigmoid, or Softmax over an axis)."""
    tensors = [numpy_helper.from_array(array, name) for name, array in weights(count).items()]
    nodes: list[Any] = []
    source = "images"
    if is_last:
        nodes.append(helper.make_node("Transpose", ["images"], ["channels_first"], perm=[0, 3, 1, 2]))
        source = "channels_first"
    nodes += [
        helper.make_node("Conv", [source, "kernel"], ["conv"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["conv"], ["maps"]),
        helper.make_node("GlobalAveragePool", ["maps"], ["pooled"]),
    ]
    nodes.append(helper.make_node("Flatten", ["pooled"], ["embedding"]))
    nodes.append(helper.make_node("Gemm", ["embedding", "weight", "bias"], ["scores" if not last else "z"], transB=1))
    axis: dict[str, Any] = {"axis": over} if last == "Softmax" else {}
    if last:
        nodes.append(helper.make_node(last, ["z"], ["scores"], **axis))
    shape = [batch, side, side, 3] if is_last else [batch, 3, side, side]
    outputs = [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [batch, count])]
    if with_embedding:
        outputs.append(helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [batch, WIDTH]))
    inputs = [helper.make_tensor_value_info("images", TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "classifier", inputs, outputs, tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


class Network(torch.nn.Module):
    """The same in torch."""

    def __init__(self, count: int = 3) -> None:
        super().__init__()
        for name, array in weights(count).items():
            self.register_buffer(name, torch.from_numpy(array))

    def embed(self, images: torch.Tensor) -> torch.Tensor:
        kernel: Any = self.kernel
        return torch.nn.functional.conv2d(images, kernel, stride=2, padding=1).relu().mean((2, 3))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        weight: Any = self.weight
        bias: Any = self.bias
        return torch.nn.functional.linear(self.embed(images), weight, bias)
