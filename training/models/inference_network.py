"""A network as inference needs it: weights as arrays, what they belong to, and how frames are normalised. No torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.safetensors import load_arrays
from training.models.config import OWN_STRIDE, ModelConfig
from training.models.folder import COPY_AGAIN, ModelFolder
from training.models.scores import ScoreKind, evidence_weight
from training.texts import Text

Space = Literal["backbone", "projection"]
"""Embeddings before or after a pretraining's projection head."""
Weights = Mapping[str, NDArray[np.float32]]


class Dense(NamedTuple):
    """A linear layer: x -> x @ weight.T + bias."""

    weight: NDArray[np.float32]
    """(outputs, inputs)"""
    bias: NDArray[np.float32]
    """(outputs,)"""

    def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """(B, inputs) -> (B, outputs)"""
        return np.asarray(values @ self.weight.T + self.bias, np.float32)


@dataclass(frozen=True)
class InferenceNetwork:
    """A trunk, global average pooling and what follows; a pretraining has no classes."""

    model_id: str
    backbone: str
    classes: tuple[str, ...]
    input_size: int
    """Side of the prepared square in px."""
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    trunk: Weights = field(repr=False)
    """Under the trunk's own names, batch normalisation apart."""
    round_mask: bool = False
    embedding_layer: Dense | None = field(default=None, repr=False)
    """Between pooling and embedding."""
    classifier: Dense | None = field(default=None, repr=False)
    """None: a pretraining."""
    head: tuple[Dense, ...] | None = field(default=None, repr=False)
    """A pretraining's projection head, each layer after a ReLU; None: there is none to apply."""
    sha256: str = ""
    """Of the weights' file."""
    scores: ScoreKind = "softmax"
    """How scores follow from logits."""
    features: int = 0
    """F: channels of the last feature map."""
    stride: int = OWN_STRIDE
    """Pixels of input for one position of it."""

    @property
    def space(self) -> Space:
        """Where its embeddings lie."""
        return "backbone" if self.head is None else "projection"

    @property
    def embedding_size(self) -> int:
        """D: numbers in one embedding."""
        last = self.head[-1] if self.head else self.embedding_layer
        return self.features if last is None else len(last.bias)

    @property
    def cam_size(self) -> int:
        """h = w of the last feature map."""
        return -(-self.input_size // self.stride)

    @property
    def has_map(self) -> bool:
        """Whether its features are those of places in the frame, and not a vector of the whole frame."""
        return self.stride <= self.input_size

    @property
    def has_cams(self) -> bool:
        """Whether there are classes and a map that explains them."""
        return bool(self.classes) and self.has_map

    @cached_property
    def cam_weight(self) -> NDArray[np.float32]:
        """(C, F): the evidence for the scores as seen from the feature map; C = 0 without classes.

        An embedding layer is linear and so is the pooling: `W (A mean(f) + a) + b` is `mean((W A) f) + W a + b`.
        """
        if self.classifier is None:
            return np.zeros((0, self.features), np.float32)
        weight = evidence_weight(self.classifier.weight, self.scores)
        return weight if self.embedding_layer is None else weight @ self.embedding_layer.weight


def network_of_model(folder: ModelFolder) -> InferenceNetwork:
    """The network of a model folder.

    Raises:
        UserError: the weights are damaged, not finite, or lack a tensor; or there is no network.
    """
    folder.need_network()
    return replace(network_of_state(folder.config, load_arrays(folder.weights_path)), sha256=folder.sha256)


def network_of_state(config: ModelConfig, state: Weights) -> InferenceNetwork:
    """The network of a state as `FrameClassifier` names it; raises `UserError` where a tensor is missing."""
    layer = dense_of(state, "embedding_layer") if config.embedding_layer else None
    return InferenceNetwork(
        config.model_id,
        config.backbone,
        config.classes,
        config.input_size,
        config.mean,
        config.std,
        part_of(state, "trunk."),
        config.round_mask,
        layer,
        dense_of(state, "classifier"),
        scores=config.scores,
        features=config.feature_size,
        stride=config.stride or OWN_STRIDE,
    )


def part_of(state: Weights, prefix: str) -> Weights:
    """The arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}


def dense_of(state: Weights, name: str) -> Dense:
    """The linear layer of a name; raises `UserError` where a tensor of it is missing."""
    try:
        return Dense(*(np.asarray(state[f"{name}.{part}"], np.float32) for part in ("weight", "bias")))
    except KeyError as error:
        raise UserError(Text("The weights lack the tensor {arg}.", error.args[0]), COPY_AGAIN) from error
