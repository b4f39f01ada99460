"""The header as HDF5 attributes, and back."""

from typing import Any

import numpy as np
from pydantic import ValidationError

from training.embeddings.header import SCHEMA_VERSION, EmbeddingHeader
from training.errors import UserError


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


def read_attributes(file: Any, path: object) -> EmbeddingHeader:
    """The header of an open `h5py.File`.

    Raises:
        UserError: the file is of a newer schema, or is no embedding file.
    """
    attributes = dict(file.attrs)
    version = attributes.get("schema_version")
    if version is None:
        raise UserError(f"{path} is an HDF5 file, but holds no embeddings.", "Score the study again.")
    if int(version) > SCHEMA_VERSION:
        raise UserError(
            f"{path} was written by a newer version of this program (file format {int(version)}, "
            f"this one knows {SCHEMA_VERSION}).",
            "Update the program, or score the study again.",
        )
    values = {name: _plain(attributes[name]) for name in EmbeddingHeader.model_fields if name in attributes}
    try:
        return EmbeddingHeader.model_validate(values)
    except ValidationError as error:
        where = error.errors()[0]["loc"][0]
        raise UserError(f"{path}: the attribute {where} is missing or wrong.", "Score the study again.") from error


def _plain(value: Any) -> Any:
    """h5py's values as Python's."""
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if isinstance(value, np.generic) else value
