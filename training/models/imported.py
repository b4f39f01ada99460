"""Classifiers of other programs (ONNX, TorchScript) as model folders that can score.

Their graph is stored as OpenVINO's own format among the weights, as bytes, with what they lack added: pixels as the
program prepares them go in, and one position of a feature map comes out: the embedding, if the graph has one, and
behind it a logit for each of its outputs, from which the classifier of the model picks those of its classes.
"""

import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from training.compute.openvino import core, frontend, openvino, ops, traced
from training.errors import UserError
from training.files import inputs, json_text
from training.models import IMAGENET_MEAN, IMAGENET_STD
from training.models.backbones import GRAPH
from training.models.config import NORMAL, ModelConfig
from training.models.folder import ModelFolder, file_sha256, write_model_folder
from training.models.scores import ScoreKind
from training.runs.reporter import Reporter
from training.settings import Items, first_wrong
from training.texts import Text

NETWORK, CONSTANTS = "trunk.graph", "trunk.constants"
"""Tensors of bytes in the weights: the graph (XML) and its numbers."""
TRIED, APART = 10, 1e-3
"""Pictures that a graph is tried with, and how far the scores of one may differ alone and among others."""
LEAST = 1e-7
"""Probabilities are kept as far as this from 0 and 1."""
Positive = Annotated[float, Field(gt=0)]
NO_TRAINING = "Such a model scores studies. It cannot be trained further, and has no CAMs."


class Description(BaseModel):
    """What a file does not say of itself; read from JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    classes: Items[str] = Field(min_length=1, max_length=1000)
    """In the order of the outputs."""
    normal: str = NORMAL
    """Which of them means that nothing is to be found."""
    activation: Literal["softmax", "sigmoid", "none"]
    """What makes the outputs scores; none: they are scores."""
    input_size: int | None = Field(default=None, ge=32, le=2048)
    """Side of the input in px; needed where the file leaves it open."""
    mean: tuple[float, float, float] = IMAGENET_MEAN
    """Subtracted from RGB in [0, 1]."""
    std: tuple[Positive, Positive, Positive] = IMAGENET_STD
    """What the difference is divided by."""
    channels: Literal["RGB", "BGR"] = "RGB"
    output: str = ""
    """Name of the output that has the classes; empty: the first one."""
    embedding: str = ""
    """Name of the output that is the embedding; empty: the outputs of the classes are."""

    @staticmethod
    def read(path: Path) -> "Description":
        """Read a file; raises `UserError`."""
        content = json_text.read_json_object(path, "description of a classifier")
        try:
            return Description.model_validate(content)
        except ValidationError as error:
            where, said = first_wrong(error, Text("content"))
            keys = ", ".join(Description.model_fields)
            raise UserError("{path}: {where}: {msg}.", "Its keys are: {keys}.", path, where, said, keys) from error


def import_classifier(
    file: Path, described: Description, out: Path, model_id: str, reporter: Reporter, *, runs_code: bool = False
) -> ModelFolder:
    """Make a model folder of somebody else's classifier.

    Args:
        file: ONNX, or TorchScript.
        described: classes, pixels, and what the outputs are.
        out: the folder.
        model_id: name of the model.
        reporter: receives lines of the log.
        runs_code: whether a TorchScript file, which is a program, may be loaded. What is stored is a graph, not a
            program.

    Raises:
        UserError: the file cannot be read, or does not fit its description.
    """
    model = _read(inputs.regular_file(file, "classifier"), described, runs_code)
    size = _square_input(model, described, file)
    images = _renewed_input(model, described, size)
    outputs, embedding = _outputs(model, described, file)
    graph = openvino.Model([ops.result(part) for part in (outputs, embedding) if part is not None], [images], "tried")
    values = _tried(graph, size, file)
    count = values[0].shape[1]
    if count != len(described.classes):
        raise UserError(
            "{file} has {count} outputs, but {classes} classes are described.",
            "List the classes in the order of the outputs.",
            file.name,
            count,
            len(described.classes),
        )
    logits, kind = _logits(outputs, values[0], described)
    reporter.log(
        Text("Scores of the classes add up to 1.") if kind == "softmax" else Text("Each class has a score of its own.")
    )
    parts = [logits] if embedding is None else [embedding, logits]
    width = sum(part.shape[1] for part in values)
    features = ops.reshape(ops.concat(parts, 1), ops.constant(np.array([-1, width, 1, 1])), special_zero=False)
    weight, names = _choice(described, kind, width)
    config = ModelConfig(
        model_id=model_id,
        backbone=GRAPH,
        classes=names,
        input_size=size,
        mean=described.mean,
        std=described.std,
        features=width,
        stride=2 * size,  # no map
        scores=kind,
    )
    tensors = {**_stored(openvino.Model([ops.result(features)], [images], "classifier")), "classifier.weight": weight}
    tensors["classifier.bias"] = np.zeros(len(names), np.float32)
    card = {
        "schema_version": 1,
        "notice": "Research use only, not for diagnosis.",
        "model_id": model_id,
        "classes": list(names),
        "trained_on": None,
        "warning": "A classifier of another program: what it was trained on is unknown, and nothing was measured.",
        "method": {"name": GRAPH, "settings": described.model_dump(mode="json")},
        "lineage": {"init": GRAPH, "sha256": file_sha256(file)},
    }
    return write_model_folder(out, config, tensors, card)


def imported_graph(images: Any, weights: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """`Backbone.make_graph` of imported classifiers; raises `RuntimeError` where the stored graph is damaged."""
    parts = [weights.get(name.removeprefix("trunk."), np.zeros(0, np.uint8)) for name in (NETWORK, CONSTANTS)]
    model = core().read_model(parts[0].tobytes(), openvino.Tensor(np.ascontiguousarray(parts[1])))
    _feed(model, images)
    return {"layer4": model.outputs[0].node.input_value(0)}


def no_trunk() -> Any:
    """`Backbone.make_trunk` of imported classifiers."""
    raise UserError("A classifier of another program can only be computed by OpenVINO on a CPU.", NO_TRAINING)


def _read(file: Path, described: Description, runs_code: bool) -> Any:
    try:
        if file.suffix.lower() == ".onnx":
            reader = frontend("onnx")
            return reader.convert(reader.load(str(file)))
        return _script(file, described, runs_code)
    except UserError:
        raise
    except Exception as error:  # whatever a reader raises
        lines = [line for line in str(error).splitlines() if line.strip()]
        raise UserError(
            "{file} cannot be read: {reason}.",
            "Export the classifier again, as ONNX with fixed input size.",
            file.name,
            (lines[-1] if lines else type(error).__name__).rstrip("."),
        ) from error


def _script(file: Path, described: Description, runs_code: bool) -> Any:
    """The graph of a TorchScript file, whose code is run by torch."""
    if not runs_code:
        raise UserError(
            "{file} is no ONNX file. A TorchScript file is a program, and loading it runs it.",
            "Export the classifier as ONNX. If you trust the file: --set runs_code=true.",
            file.name,
        )
    if described.input_size is None:
        raise _without_size(file)
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns that it will do without TorchScript one day
        script = torch.jit.load(file, map_location="cpu").eval()  # type: ignore[no-untyped-call]
    return traced(script, torch.zeros(1, 3, described.input_size, described.input_size))


def _square_input(model: Any, described: Description, file: Path) -> int:
    """Side of its input in px; the graph is set to any number of pictures of it."""
    shape = model.inputs[0].partial_shape
    sides = [int(each.get_length()) if each.is_static else 0 for each in shape] if shape.rank.is_static else []
    if len(model.inputs) != 1 or len(sides) != 4 or (3 not in (sides[1], sides[3]) and sides[1] and sides[3]):
        raise UserError(
            "{file} does not take pictures: its input is {shape}.",
            "A classifier has one input, (B, 3, S, S) or (B, S, S, 3).",
            file.name,
            ", ".join(str(each.partial_shape) for each in model.inputs),
        )
    is_last = sides[3] == 3 and sides[1] != 3
    found = set(sides[1:3] if is_last else sides[2:]) - {0}
    if len(found) > 1 or (described.input_size and found - {described.input_size}):
        raise UserError(
            "{file} takes pictures of {shape}.",
            "Pictures must be square, and as large as input_size in the description says.",
            file.name,
            str(shape),
        )
    size = described.input_size or next(iter(found), 0)
    if not size:
        raise _without_size(file)
    try:
        model.reshape(openvino.PartialShape([-1, size, size, 3] if is_last else [-1, 3, size, size]))
    except RuntimeError as error:
        raise _one_at_a_time(file) from error
    return size


def _without_size(file: Path) -> UserError:
    return UserError("{file} does not say its input size.", "Add input_size to its description.", file.name)


def _one_at_a_time(file: Path) -> UserError:
    return UserError(
        "{file} does not take several pictures at once.",
        "Export it with a free first dimension (dynamic_axes, or dynamic_shapes, of torch.onnx.export).",
        file.name,
    )


def _renewed_input(model: Any, described: Description, size: int) -> Any:
    """A new input, (B, 3, S, S) float32 as the program gives it, in the place of the model's own."""
    own = model.inputs[0]
    images = ops.parameter([-1, 3, size, size], openvino.Type.f32)
    values = images
    if described.channels == "BGR":
        values = ops.gather(values, ops.constant(np.array([2, 1, 0])), ops.constant(np.int64(1)))
    if own.partial_shape[1] != openvino.Dimension(3):
        values = ops.transpose(values, ops.constant(np.array([0, 2, 3, 1])))
    _feed(model, ops.convert(values, own.element_type.get_type_name()))
    return images


def _feed(model: Any, values: Any) -> None:
    """Put a node in the place of the model's input."""
    source = values if isinstance(values, openvino.Output) else values.output(0)
    for target in model.inputs[0].node.output(0).get_target_inputs():
        target.replace_source_output(source)


def _outputs(model: Any, described: Description, file: Path) -> tuple[Any, Any]:
    """Outputs of the classes (B, C), and the embedding (B, D) or None, as nodes."""
    named = {name: each for each in model.outputs for name in each.get_names()}
    for name in filter(None, (described.output, described.embedding)):
        if name not in named:
            raise UserError("{file} has no output {name}.", "It has: {names}.", file.name, name, ", ".join(named))

    def flat(each: Any) -> Any:
        values = ops.convert(each.node.input_value(0), "f32")
        if len(each.partial_shape) == 4:  # a feature map: its mean
            values = ops.reduce_mean(values, ops.constant(np.array([2, 3])), keep_dims=False)
        axes = -1 if len(each.partial_shape) > 1 else 1
        return ops.reshape(values, ops.constant(np.array([0, axes])), special_zero=True)

    chosen = named[described.output] if described.output else model.outputs[0]
    return flat(chosen), flat(named[described.embedding]) if described.embedding else None


def _tried(graph: Any, size: int, file: Path) -> list[NDArray[np.float32]]:
    """Outputs of `TRIED` random pictures; those of one must not depend on the others."""
    pictures = np.random.default_rng(0).normal(size=(TRIED, 3, size, size)).astype(np.float32)
    try:
        compiled = core().compile_model(graph, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        together = [np.array(each, np.float32) for each in compiled([pictures]).values()]
        alone = [np.array(each, np.float32) for each in compiled([pictures[:1]]).values()]
    except RuntimeError as error:
        raise _one_at_a_time(file) from error
    for many, one in zip(together, alone, strict=True):
        if not np.isfinite(many).all():
            raise UserError("{file} gives numbers that are not finite.", "Export the classifier again.", file.name)
        if len(many) != TRIED or np.abs(many[:1] - one).max() > APART * max(float(np.abs(many).max()), LEAST):
            raise _one_at_a_time(file)
    return together


def _logits(outputs: Any, values: NDArray[np.float32], described: Description) -> tuple[Any, ScoreKind]:
    """The outputs (B, C) as logits, and how scores follow from them; `values` are outputs that were tried."""
    are_shares = bool((values >= 0).all() and (values <= 1 + APART).all())
    add_up = are_shares and bool(np.abs(values.sum(1) - 1).max() < APART)
    if described.activation == "softmax" and add_up:
        raise UserError(
            "The outputs add up to 1 already, so they are no logits.",
            "Set activation to none in the description.",
        )
    if described.activation != "none":
        return outputs, "softmax" if described.activation == "softmax" else "against_normal"
    if not are_shares:
        raise UserError(
            "The outputs are no scores: they reach from {least:.2f} to {most:.2f}.",
            "Set activation to softmax (one class a frame) or sigmoid (several) in the description.",
            float(values.min()),
            float(values.max()),
        )
    shares = ops.clamp(outputs, LEAST, 1 - LEAST)
    if add_up:
        return ops.log(shares), "softmax"
    rest = ops.subtract(ops.constant(np.float32(1)), shares)
    return ops.subtract(ops.log(shares), ops.log(rest)), "against_normal"


class _Choice(NamedTuple):
    weight: NDArray[np.float32]
    """(C, width): which of the features is the logit of each class."""
    names: tuple[str, ...]
    """Normal first."""


def _choice(described: Description, kind: ScoreKind, width: int) -> _Choice:
    """Normal has no logit of its own where each class has its own score: it is what no finding reaches."""
    findings = [name for name in described.classes if name != described.normal]
    if not findings or (kind == "softmax" and described.normal not in described.classes):
        raise UserError(
            "Of the classes {classes} none is {normal}." if findings else "All classes are {normal}.",
            "Say with normal, in the description, which class means that nothing is to be found.",
            *((", ".join(described.classes), described.normal) if findings else (described.normal,)),
        )
    names = (NORMAL, *findings)
    if len(set(names)) != len(names):
        raise UserError("The classes {classes} are not unique.", "Rename one.", ", ".join(names))
    weight = np.zeros((len(names), width), np.float32)
    first = width - len(described.classes)
    for row, name in enumerate(names):
        if row or kind == "softmax":
            weight[row, first + described.classes.index(name if row else described.normal)] = 1
    return _Choice(weight, names)


def _stored(model: Any) -> dict[str, NDArray[Any]]:
    with tempfile.TemporaryDirectory() as folder:
        graph, constants = Path(folder) / "graph.xml", Path(folder) / "graph.bin"
        openvino.serialize(model, graph, constants)
        return {NETWORK: np.fromfile(graph, np.uint8), CONSTANTS: np.fromfile(constants, np.uint8)}
