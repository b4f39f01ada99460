"""What can be asked of the inference child; light values that travel as one line of JSON."""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter, ValidationError

from training.errors import UserError
from training.files.json_text import parse_json
from training.inference.explanation import LAST_LAYER, Method
from training.settings import Settings, first_wrong
from training.texts import Text
from training.video import NUMBERING

Box: TypeAlias = tuple[float, float, float, float]
"""(x_min, y_min, x_max, y_max) in pixels of the frame; half-open."""


class _Request(Settings):
    """What all requests share; frozen, checked when made."""

    model: Path
    """Model folder, or the run folder of a fine-tuning or a pretraining."""
    step: int | None = Field(default=None, ge=0)
    """Of a pretraining's kept weights; None: the newest."""
    field_of_view: dict[str, Any] | None = None
    """`FieldOfView.to_json()` of the study, as its embedding file has it; None: found in the study, and remembered."""
    precision: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """Of the forward passes; auto: the fastest that the device computes in, as in scoring."""


class ExplainRequest(_Request):
    """Why does the model say this of a frame? Answered by one `ExplanationAnswer`, or with `refine` by two."""

    kind: Literal["explain"] = "explain"
    path: Path
    """Video file or folder of images."""
    index: Path | None = None
    """The study's saved index (.npz); None: it is made, which takes its time."""
    numbering: int = NUMBERING
    """The rules by which the index is made then."""
    frame_index: int = Field(ge=0)
    method: Method = "cam"
    class_name: str = ""
    """"" is the highest score that is not normal's; `SIMILARITY` is the likeness to the frame's own embedding."""
    layer: str = LAST_LAYER
    refine: bool = False
    """With method "score-cam": the quick form is answered first, `is_final` False, and the exact one replaces it."""
    keep_in: Path | None = None
    """Folder of a study's kept explanations (`training.service.requests`): looked into first, and added to."""


class EmbedRequest(_Request):
    """Where does a frame, a region of one, or a picture lie in a model's space? Answered by an `EmbeddingAnswer`."""

    kind: Literal["embed"] = "embed"
    path: Path | None = None
    """Video file or folder of images; None where `image` is given."""
    index: Path | None = None
    numbering: int = NUMBERING
    frame_index: int = Field(default=0, ge=0)
    region: Box | None = None
    """Embed only this part of the frame, drawn by a person; None: the whole frame."""
    image: Path | None = None
    """A picture from disk instead of a study's frame."""
    space: Literal["backbone", "projection"] = "backbone"
    normalized: bool = False
    """Scale the vector to length 1, as in an embedding file whose header says so."""


Request: TypeAlias = Annotated[ExplainRequest | EmbedRequest, Field(discriminator="kind")]
_ADAPTER: TypeAdapter[ExplainRequest | EmbedRequest] = TypeAdapter(Request)


def as_line(number: int, request: ExplainRequest | EmbedRequest) -> str:
    """A request as the line that the child reads, without its line end."""
    return json.dumps({"number": number, "request": request.model_dump(mode="json")})


def from_line(line: str) -> tuple[int, ExplainRequest | EmbedRequest]:
    """The number and the request of a line.

    Raises:
        ValueError: not a numbered request at all.
        UserError: a request with a value that does not fit; it names the first.
    """
    data = parse_json(line)
    if not isinstance(data, dict) or not isinstance(data.get("number"), int):
        raise ValueError(Text("not a request: {line}", repr(line[:80])))
    try:
        return data["number"], _ADAPTER.validate_python(data.get("request"))
    except ValidationError as error:
        where, said = first_wrong(error, "the request")
        raise UserError("{where} is not valid: {said}.", "", where, said) from error


CALCULATION = 1
"""Counts up when explanations come out differently: what was kept before is then made again."""
FOLDER = "explanations"
"""In the study's folder of the library."""


def kept_path(folder: Path, model_sha256: str, request: ExplainRequest, method: Method | None = None) -> Path:
    """The file of an explanation: `<folder>/<model>/<frame>-<method>-<class and layer as a hash>.npz`.

    Args:
        folder: of the study's explanations.
        model_sha256: of the weights, so that two models of one name are never mixed up.
        request: what was asked; frame, class, layer, precision and field of view count, and `CALCULATION`.
        method: instead of the request's.
    """
    chosen = method or request.method
    view = json.dumps(request.field_of_view, sort_keys=True)
    layer = "" if chosen == "cam" else request.layer
    rest = (str(CALCULATION), request.class_name, layer, request.precision, view)
    key = hashlib.sha256("\n".join(rest).encode()).hexdigest()[:12]
    return folder / model_sha256[:16] / f"{request.frame_index:08d}-{chosen}-{key}.npz"
