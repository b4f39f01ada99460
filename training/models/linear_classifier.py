"""The linear classifier of a model folder, read and replaced without torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.safetensors import COPY_AGAIN, load_arrays, loaded_checked
from training.models.config import ModelConfig
from training.models.folder import CLASSIFIER, EVALUATED, ModelFolder, write_model_folder
from training.models.inference_network import dense_of
from training.models.scores import ScoreKind, scores_of
from training.texts import Text

WEIGHT, BIAS = CLASSIFIER, "classifier.bias"
SAME_NETWORK = "same_network"
"""In a card: SHA-256 of the weights of models that differ in the classifier only; their embeddings are this model's."""


class LinearClassifier(NamedTuple):
    """Logits are `embeddings @ weight.T + bias`."""

    weight: NDArray[np.floating]
    """(C, D)"""
    bias: NDArray[np.floating]
    """(C,)"""

    def scores(self, embeddings: NDArray[np.floating], kind: ScoreKind = "softmax") -> NDArray[np.float32]:
        """(M, D) -> (M, C) in [0, 1], computed in float32; NaN where the embedding is NaN."""
        points = np.asarray(embeddings, np.float32)
        logits = points @ np.asarray(self.weight, np.float32).T + np.asarray(self.bias, np.float32)
        return scores_of(logits, kind)

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
    return _classifier_of(folder.weights_path)


def read_evaluated(folder: ModelFolder) -> LinearClassifier:
    """The classifier that the card's figures are of, float32: it never learned from the held-out patients.

    A fine-tuning starts from it and compares with it, so that these patients can be held out again. The same as
    `read_classifier` where the model has no other one.

    Raises:
        UserError: it cannot be read, is not finite, or has another shape than the model's classifier.
    """
    path = folder.path / EVALUATED
    if not path.is_file():
        return read_classifier(folder)
    result = _classifier_of(path)
    wanted = (len(folder.config.classes), folder.config.embedding_size)
    if result.weight.shape != wanted or result.bias.shape != wanted[:1]:
        raise UserError(
            Text("{path} has the wrong shape, {shape} instead of {wanted}.", path, result.weight.shape, wanted),
            COPY_AGAIN,
        )
    return result


def _classifier_of(path: Path) -> LinearClassifier:
    return LinearClassifier(*dense_of(load_arrays(path), "classifier"))


def write_with_classifier(
    old: ModelFolder,
    path: Path,
    config: ModelConfig,
    classifier: LinearClassifier,
    card: Mapping[str, Any],
    evaluated: LinearClassifier | None = None,
) -> ModelFolder:
    """Write a model folder with the network of `old` and another classifier; `card` gets the list `same_network`.

    Args:
        old: its other weights are copied as they are.
        path: the folder to make.
        config: of the new model; differs from the old one's in name and classes only.
        classifier: stored as float32.
        card: of the new model.
        evaluated: see `read_evaluated`; None: the same.

    Raises:
        UserError: the old weights cannot be read, or the folder cannot be written.
    """
    from safetensors.numpy import load_file

    kept = loaded_checked(old.weights_path, load_file, lambda array: bool(np.isfinite(array).all()), "weights")
    tensors = {**kept, **tensors_of(classifier)}
    card = {**card, SAME_NETWORK: sorted(network_digests(old))}
    return write_model_folder(path, config, tensors, card, None if evaluated is None else tensors_of(evaluated))


def tensors_of(classifier: LinearClassifier) -> dict[str, NDArray[np.float32]]:
    """As they are stored, float32."""
    return {name: np.asarray(part, np.float32) for name, part in zip((WEIGHT, BIAS), classifier, strict=True)}


def network_digests(model: ModelFolder) -> frozenset[str]:
    """SHA-256 of all weights whose embeddings are this model's: its own, and those in its card."""
    return frozenset({model.sha256}) | same_network(model.card)


def same_network(card: Mapping[str, Any]) -> frozenset[str]:
    """The digests that a card names; empty where it names none."""
    named = card.get(SAME_NETWORK)
    return frozenset(text for text in named if isinstance(text, str)) if isinstance(named, list) else frozenset()
