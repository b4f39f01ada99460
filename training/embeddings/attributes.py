"""The header as HDF5 attributes, and back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from training.embeddings.header import SCHEMA_VERSION, EmbeddingHeader
from training.errors import UserError
from training.files.json_text import parse_json


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
        raise UserError(f"{path} is an HDF5 file without embeddings.", "Score the study again.")
    if version > SCHEMA_VERSION:
        raise UserError(
            f"{path} was written by a newer version of this program (file format {version}, "
            f"this one knows {SCHEMA_VERSION}).",
            "Update the program, or score the study again.",
        )
    values = {name: attributes[name] for name in EmbeddingHeader.model_fields if name in attributes}
    try:
        header = EmbeddingHeader.model_validate(values, strict=True)
        if not isinstance(parse_json(header.preprocessing), dict):
            raise ValueError("not an object")
    except ValidationError as error:
        where = error.errors()[0]["loc"][0]
        raise UserError(f"{path}: the attribute {where} is missing or wrong.", "Score the study again.") from error
    except ValueError as error:
        raise UserError(
            f"{path}: the attribute preprocessing is not a JSON object.", "Score the study again."
        ) from error
    return header
