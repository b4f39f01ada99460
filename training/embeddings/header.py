"""What an embedding file says of itself: whose frames, which model, which calculation."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from training.errors import UserError
from training.files.json_text import parse_json
from training.texts import Text

SCHEMA_VERSION = 1
"""Of the file's layout; a reader refuses a newer one."""
CALCULATION_VERSION = 1
"""Of how the numbers come about; grows when the same model would give other numbers."""


class OtherRecordingError(UserError):
    """The embeddings are those of another recording than they are opened for."""


class EmbeddingHeader(BaseModel):
    """The attributes of an embedding file, apart from `frames_done` and `complete`; frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    schema_version: int = SCHEMA_VERSION
    calculation_version: int = CALCULATION_VERSION
    model_id: str
    model_sha256: str
    """Of the model's weights file."""
    classes: tuple[str, ...]
    """Names of the scores' columns; empty where the model has no classifier."""
    space: Literal["backbone", "projection"] = "backbone"
    normalized: bool = False
    """Whether every embedding has length 1."""
    precision: str = "float32"
    """What the forward passes were computed in: float32, bfloat16 or float16."""
    preprocessing: str
    """JSON: how a frame became an input (size, mean, std, field of view)."""
    video_fingerprint: str
    video_path: str
    """Empty: names of files may name patients. Older versions wrote where the video lay when it was scored."""
    created_utc: str
    """ISO 8601."""

    def difference(self, other: Self) -> str:
        """The first thing in which two files' numbers would differ, in words; "" where none would."""
        for name, words in _IDENTITY.items():
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                return (
                    Text("{words} ({theirs} then, {mine} now)", words, theirs, mine)
                    if len(f"{mine}{theirs}") < 80
                    else words
                )
        return ""


_IDENTITY = {
    "video_fingerprint": "another video",
    "model_sha256": "another model",
    "model_id": "a model of another name",
    "classes": "other classes",
    "space": "another space",
    "normalized": "another normalisation",
    "precision": "another precision",
    "preprocessing": "another preprocessing",
    "calculation_version": "another version of the calculation",
    "schema_version": "another version of the file format",
}


def write_attributes(file: Any, header: EmbeddingHeader) -> None:
    """Write the header and an empty progress onto an open `h5py.File`."""
    import h5py

    for name, value in header.model_dump().items():
        if isinstance(value, tuple):
            file.attrs.create(name, list(value), shape=(len(value),), dtype=h5py.string_dtype())
        else:
            file.attrs[name] = value
    file.attrs["frames_done"] = np.int64(0)
    file.attrs["complete"] = np.bool_(False)


def header_of(attributes: Mapping[str, Any], path: Path) -> EmbeddingHeader:
    """The header among a file's attributes.

    Raises:
        UserError: the file is of a newer schema, or is no embedding file.
    """
    version = attributes.get("schema_version")
    if type(version) is not int:
        raise UserError("{path} is an HDF5 file without embeddings.", "Score the study again.", path)
    if version > SCHEMA_VERSION:
        raise UserError(
            "{path} was written by a newer version of this program (file format {version}, this one knows "
            "{schema_version}).",
            "Update the program, or score the study again.",
            path,
            version,
            SCHEMA_VERSION,
        )
    values = {name: attributes[name] for name in EmbeddingHeader.model_fields if name in attributes}
    try:
        header = EmbeddingHeader.model_validate(values, strict=True)
        if not isinstance(parse_json(header.preprocessing), dict):
            raise ValueError("not an object")
    except ValidationError as error:
        where = error.errors()[0]["loc"][0]
        raise UserError(
            "{path}: the attribute {where} is missing or wrong.", "Score the study again.", path, where
        ) from error
    except ValueError as error:
        raise UserError(
            "{path}: the attribute preprocessing is not a JSON object.", "Score the study again.", path
        ) from error
    return header


def check_recording(path: Path, fingerprint: str, recording: str) -> None:
    """Refuse a file that was computed from another recording.

    Args:
        path: the file.
        fingerprint: of the recording that it was computed from; empty in files without one.
        recording: fingerprint of the wanted recording; empty where it is unknown.

    Raises:
        OtherRecordingError: both are known and differ.
    """
    if fingerprint and recording and fingerprint != recording:
        raise OtherRecordingError("The scores in {path} belong to another recording.", "Score the study again.", path)
