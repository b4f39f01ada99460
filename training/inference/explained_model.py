"""A model ready to be explained: a classifier, or a pretraining without classes; kept by who asks often.

A target of Score-CAM is a function from its output for a masked input to one number.

What of a model's output is explained: a class, or the frame's own embedding; and what cannot be.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import ComputePlan, DeviceName, choose_plan, inference_device
from training.errors import UserError
from training.inference.engine import Engine, FrameLook, ModelOutput, open_engine
from training.inference.explanation import LAST_LAYER, METHODS, SIMILARITY
from training.models.backbones import find_backbone
from training.models.folder import ModelFolder
from training.models.inference_network import Dense, InferenceNetwork, network_of_model
from training.models.scores import ScoreKind, scores_of
from training.pretraining.pretrained import Pretrained, is_pretraining
from training.texts import Text

Target = Callable[[ModelOutput], NDArray[np.float32]]
"""`ModelOutput` of B inputs -> (B,) float32, the larger the more."""


def class_logit(column: int) -> Target:
    """A class's logit, before the softmax (Wang et al. 2020, algorithm 1)."""
    return lambda output: output.logits[:, column]


def class_evidence(column: int, kind: ScoreKind) -> Target:
    """What a class's score follows from: its logit, less normal's where findings are scored against normal (ours)."""
    if kind == "softmax" or column == 0:
        return class_logit(column)
    return lambda output: output.logits[:, column] - output.logits[:, 0]


TEMPERATURE = 0.1
"""Cosines are divided by it, as in contrastive losses: otherwise a softmax over channels hardly distinguishes them."""
SHORT = 0.05
"""Differences shorter than this share of the frame's own have no direction that means anything."""


def similarity_to(embedding: NDArray[np.float32], baseline: NDArray[np.float32]) -> Target:
    """Similarity to a frame's embedding (D,), relative to the baseline's (D,); needs no labels.

    cos(e - b, embedding - b) / TEMPERATURE. Ours: Vats et al. leave the target of their weak labels open. Embeddings
    are means of what a ReLU lets through and all share a large part: without taking the baseline out, the cosines of
    512 masked inputs differed by 0.002, and the overlay was no more than the mean activation.
    """
    own = embedding - baseline
    length = float(np.linalg.norm(own))
    shortest = max(SHORT * length, 1e-12)
    wanted = own / max(length, 1e-12) / TEMPERATURE

    def similarity(output: ModelOutput) -> NDArray[np.float32]:
        change = output.embedding - baseline
        lengths = np.maximum(np.linalg.norm(change, axis=1, keepdims=True), shortest)
        return np.asarray((change / lengths) @ wanted, np.float32)

    return similarity


class ExplainedModel:
    """A network twice: in float32 for what is shown, in the plan's precision for a Score-CAM's many passes.

    Args:
        network: the weights.
        plan: device, precision and batch; None: the best for this machine.
        pretrained: the run that the network is of; None for a model.
    """

    def __init__(
        self, network: InferenceNetwork, plan: ComputePlan | None = None, pretrained: Pretrained | None = None
    ) -> None:
        self.network = network
        self.plan = plan or choose_plan(inference_device("auto")[0])
        self.exact: Engine = open_engine(network, replace(self.plan, precision="float32"), first=LAST_LAYER)
        self.pretrained = pretrained

    @cached_property
    def fast(self) -> Engine:
        """The network in the plan's precision, opened when it is first needed: a CAM does without it."""
        return self.exact if self.plan.precision == "float32" else open_engine(self.network, self.plan, first=None)

    @staticmethod
    def open(
        path: Path,
        *,
        device: DeviceName = "auto",
        precision: str = "auto",
        step: int | None = None,
        input_size: int | None = None,
    ) -> "ExplainedModel":
        """A model folder, or a pretraining's run folder (its newest weights, or those kept at `step`).

        `input_size`: of the frames, where it is not the size that the network was trained at.

        Raises:
            UserError: neither of the two, or damaged.
        """
        plan = choose_plan(inference_device(device)[0], precision=precision)
        pretrained = Pretrained.open(path, step) if is_pretraining(path) else None
        network = pretrained.network() if pretrained else network_of_model(ModelFolder.open(path))
        return ExplainedModel(replace(network, input_size=input_size or network.input_size), plan, pretrained)

    @property
    def model_id(self) -> str:
        """Named in every picture."""
        return self.network.model_id

    @property
    def input_size(self) -> int:
        """Side of the prepared square in px."""
        return self.network.input_size

    @property
    def classes(self) -> tuple[str, ...]:
        """Empty for a pretraining."""
        return self.network.classes

    @cached_property
    def head(self) -> tuple[Dense, ...]:
        """The projection head of a pretraining, each layer after a ReLU; raises `UserError` for a model."""
        if self.pretrained is None:
            raise UserError(
                "The model {model_id} has no projection head: fine-tuning removes it.",
                "Use the space backbone, or a pretraining.",
                self.model_id,
            )
        return self.pretrained.network(with_head=True).head or ()

    def look(self, prepared: NDArray[np.uint8], layer: str = LAST_LAYER) -> FrameLook:
        """What the network makes of a frame (S, S, 3), in float32."""
        return self.exact.look(prepared, layer)

    def baseline(self, prepared: NDArray[np.uint8]) -> ModelOutput:
        """What the network says of nothing: the input is all zero after normalisation. B = 1."""
        return self.fast.masked(prepared, np.zeros((1, 1, 1), np.float32))

    def scores(self, output: ModelOutput) -> dict[str, float]:
        """Every class's score in [0, 1] of the first input; empty without classes."""
        return dict(zip(self.classes, scores_of(output.logits, self.exact.network.scores)[0].tolist(), strict=True))


def check_layer(model: ExplainedModel, layer: str) -> None:
    """Raise a UserError unless the network has this layer."""
    layers = find_backbone(model.network.backbone).layers
    if layer not in layers:
        raise UserError("The network has no layer {layer}.", "It has: {layers}.", repr(layer), ", ".join(layers))


def check_request(model: ExplainedModel, method: str, layer: str) -> None:
    """Check what can be checked before any work is done.

    Raises:
        UserError: no such method or layer; a CAM of a model without classifier or of an earlier layer.
    """
    if method not in METHODS:
        raise UserError("There is no explanation {method}.", "There are: {methods}.", repr(method), ", ".join(METHODS))
    check_layer(model, layer)
    if not model.network.has_map and method != "prior-grid":
        raise UserError(
            "{model_id} makes no map of a frame: where it sees something cannot be shown.",
            "Explain the frame with a model that this program trained.",
            model.model_id,
        )
    if method == "cam" and not model.classes:
        raise UserError(
            "{model_id} has no linear classifier, so there is no CAM.",
            "Use Score-CAM, which explains the embedding instead.",
            model.model_id,
        )
    if method == "cam" and layer != LAST_LAYER:
        raise UserError(
            "A CAM explains {last_layer}, not {layer}.", "Use Score-CAM for other layers.", LAST_LAYER, layer
        )


def choose_class(model: ExplainedModel, output: ModelOutput, wanted: str) -> str:
    """The class that is explained: the wanted one, else the highest but normal, else `SIMILARITY`.

    Raises:
        UserError: the model has no such class.
    """
    if wanted in model.classes or wanted == SIMILARITY:
        return wanted
    if wanted:
        has = (
            Text("It has: {classes}.", ", ".join(model.classes))
            if model.classes
            else "The model has no classes; leave out the class."
        )
        raise UserError(Text("The model has no class {wanted}.", repr(wanted)), has)
    if not model.classes:
        return SIMILARITY
    return model.classes[1 + int(output.logits[0, 1:].argmax())]


def target_of(model: ExplainedModel, prepared: NDArray[np.uint8], output: ModelOutput, class_name: str) -> Target:
    """The evidence for a class, or the similarity to the frame's own embedding (`output`, of the frame `prepared`)."""
    if class_name in model.classes:
        return class_evidence(model.classes.index(class_name), model.network.scores)
    return similarity_to(output.embedding[0], model.baseline(prepared).embedding[0])
