"""What of a model's output is explained: a class, or the frame's own embedding; and what cannot be."""

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.inference.engine import ModelOutput
from training.inference.explained_model import ExplainedModel, Target, class_logit, similarity_to
from training.inference.explanation import LAST_LAYER, LAYERS, METHODS, SIMILARITY
from training.texts import Text


def check_layer(layer: str) -> None:
    """Raise a UserError unless the network has this layer."""
    if layer not in LAYERS:
        raise UserError("The network has no layer {layer}.", "It has: {layers}.", repr(layer), ", ".join(LAYERS))


def check_request(model: ExplainedModel, method: str, layer: str) -> None:
    """Check what can be checked before any work is done.

    Raises:
        UserError: no such method or layer; a CAM of a model without classifier or of an earlier layer.
    """
    if method not in METHODS:
        raise UserError("There is no explanation {method}.", "There are: {methods}.", repr(method), ", ".join(METHODS))
    check_layer(layer)
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
    """A class's logit, or the similarity to the frame's own embedding (`output`, of the frame `prepared`)."""
    if class_name in model.classes:
        return class_logit(model.classes.index(class_name))
    return similarity_to(output.embedding[0], model.baseline(prepared).embedding[0])


def column_of(model: ExplainedModel, class_name: str) -> int:
    """The class's column, for a CAM.

    Raises:
        UserError: it is the similarity, which is no class and has no weights.
    """
    if class_name not in model.classes:
        raise UserError("A CAM needs a class.", "Choose one of {classes}, or Score-CAM.", ", ".join(model.classes))
    return model.classes.index(class_name)
