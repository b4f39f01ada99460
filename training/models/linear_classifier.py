"""The linear classifier of a model folder, read and replaced without torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.safetensors import COPY_AGAIN
from training.models.config import ModelConfig
from training.models.folder import ModelFolder, write_model_folder

WEIGHT, BIAS = "classifier.weight", "classifier.bias"
SAME_NETWORK = "same_network"
"""In a card: SHA-256 of the weights of models that differ in the classifier only; their embeddings are this model's."""


class LinearClassifier(NamedTuple):
    """Logits are `embeddings @ weight.T + bias`."""

    weight: NDArray[np.floating]
    """(C, D)"""
    bias: NDArray[np.floating]
    """(C,)"""

    def scores(self, embeddings: NDArray[np.floating]) -> NDArray[np.float32]:
        """(M, D) -> (M, C) softmax scores, computed in float32; NaN where the embedding is NaN."""
        points = np.asarray(embeddings, np.float32)
        logits = points @ np.asarray(self.weight, np.float32).T + np.asarray(self.bias, np.float32)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)

    def with_rows(self, count: int) -> "LinearClassifier":
        """With rows for new classes, C = `count` in all.

        A new row is the mean of the others, so that no class is favoured before anything was learned.
        """
        new = count - len(self.bias)
        weight = np.concatenate([self.weight, np.tile(self.weight.mean(axis=0), (new, 1))])
        return LinearClassifier(weight, np.concatenate([self.bias, np.full(new, self.bias.mean(), self.bias.dtype)]))


def read_classifier(folder: ModelFolder) -> LinearClassifier:
    """The classifier of a model, float32.

    Raises:
        UserError: the weights cannot be read, or are not finite.
    """
    tensors = _read(folder.weights_path, (WEIGHT, BIAS))
    found = LinearClassifier(*(np.asarray(tensors[name], np.float32) for name in (WEIGHT, BIAS)))
    if not all(np.isfinite(part).all() for part in found):
        raise UserError(
            f"{folder.weights_path} cannot be used: its classifier holds numbers that are not finite.", COPY_AGAIN
        )
    return found


def write_with_classifier(
    old: ModelFolder, path: Path, config: ModelConfig, classifier: LinearClassifier, card: Mapping[str, Any]
) -> ModelFolder:
    """Write a model folder with the network of `old` and another classifier; `card` gets the list `same_network`.

    Args:
        old: its other weights are copied as they are.
        path: the folder to make.
        config: of the new model; differs from the old one's in name and classes only.
        classifier: stored as float32.
        card: of the new model.

    Raises:
        UserError: the old weights cannot be read, or the folder cannot be written.
    """
    new = {name: np.asarray(part, np.float32) for name, part in zip((WEIGHT, BIAS), classifier, strict=True)}
    tensors = {**_read(old.weights_path), **new}
    return write_model_folder(path, config, tensors, {**card, SAME_NETWORK: sorted(network_digests(old))})


def network_digests(model: ModelFolder) -> frozenset[str]:
    """SHA-256 of all weights whose embeddings are this model's: its own, and those in its card."""
    return frozenset({model.sha256}) | same_network(model.card)


def same_network(card: Mapping[str, Any]) -> frozenset[str]:
    """The digests that a card names; empty where it names none."""
    named = card.get(SAME_NETWORK)
    return frozenset(text for text in named if isinstance(text, str)) if isinstance(named, list) else frozenset()


def _read(path: Path, names: tuple[str, ...] = ()) -> dict[str, NDArray[Any]]:
    """Tensors by name; all of them where none is named."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in names or file.keys()}
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is not a readable safetensors file ({error}).", COPY_AGAIN) from error
