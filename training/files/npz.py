"""Reading .npz files that may come from elsewhere: declared names, types, shapes; no compression, no pickles."""

import io
import math
import struct
import tokenize
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from training.files import inputs, json_text
from training.texts import Text

MAX_ENTRIES = 256
MAX_RANK = 8
_HEADER_BYTES = 10_000
_UNREADABLE = (
    zipfile.BadZipFile,
    OSError,
    ValueError,
    EOFError,
    KeyError,
    IndexError,
    TypeError,
    OverflowError,
    RuntimeError,  # NotImplementedError (a zip of another kind) and RecursionError too
    MemoryError,
    struct.error,
    SyntaxError,  # numpy reads the header of an array as Python literals
    tokenize.TokenError,
)


class NpzError(ValueError):
    """The file is damaged or holds something else; the text says what."""


class Column(NamedTuple):
    """What one array of a file must be."""

    types: str
    """dtypes as numpy writes them, separated by blanks: "<i8 <i4"; "U" for text of any length."""
    shape: tuple[int | str, ...]
    """A number is that length, a name is a length that all columns of the file share: ("N", 2)."""
    is_optional: bool = False


JSON = Column("|u1", ("",))
"""A JSON text as bytes; read it with `json_of`."""


def read_npz(path: Path, columns: Mapping[str, Column], what: str = "file") -> dict[str, NDArray[Any]]:
    """The declared arrays of a file, checked before they are made; others in it are not looked at.

    Args:
        columns: what each array must be, by name. The empty name of a length fits any.

    Raises:
        UserError: no such file, or not a regular one.
        NpzError: damaged, compressed (numpy.savez never is), an array missing or of another type or shape.
    """
    inputs.regular_file(path, what)
    lengths: dict[str, int] = {}
    result: dict[str, NDArray[Any]] = {}
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            entries = {entry.filename: entry for entry in archive.infolist()}
            if len(archive.infolist()) > MAX_ENTRIES:
                raise NpzError("it has too many parts")
            for name, column in columns.items():
                entry = entries.get(f"{name}.npy")
                if entry is None and not column.is_optional:
                    raise NpzError(Text("it has no {name}", name))
                if entry is None:
                    continue
                is_plain = entry.compress_type == zipfile.ZIP_STORED
                if not is_plain or not entry.file_size == entry.compress_size <= path.stat().st_size:
                    raise NpzError(Text("{filename} is compressed or of a wrong size", entry.filename))
                result[name] = _array(name, archive.read(entry), column, lengths)
    except NpzError:
        raise
    except _UNREADABLE as error:
        raise NpzError("it is cut short or damaged") from error
    return result


def read_npy(path: Path, column: Column) -> NDArray[Any]:
    """The array of a .npy file, in memory.

    Raises:
        UserError: no such file, or not a regular one.
        NpzError: damaged, or of another type or shape.
    """
    inputs.regular_file(path)
    try:
        return _array(path.name, path.read_bytes(), column, {})
    except NpzError:
        raise
    except _UNREADABLE as error:
        raise NpzError("it is cut short or damaged") from error


def json_of(column: NDArray[Any]) -> dict[str, Any]:
    """The JSON object in a text column (uint8, or one text)."""
    try:
        text = column.tobytes() if column.dtype == np.uint8 else str(column)
        value = json_text.parse_json(text) if len(text) <= json_text.MAX_JSON_BYTES else None
    except ValueError as error:
        raise NpzError(Text("its description is damaged ({error})", error)) from error
    if not isinstance(value, dict):
        raise NpzError("its description is not a JSON object")
    return value


def _array(name: str, content: bytes, column: Column, lengths: dict[str, int]) -> NDArray[Any]:
    file = io.BytesIO(content)
    version = npy.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise NpzError(Text("{name} has an unknown format", name))
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, is_fortran, dtype = read(file, max_header_size=_HEADER_BYTES)
    if dtype.hasobject or (dtype.str not in column.types.split() and dtype.kind not in column.types.split()):
        raise NpzError(Text("{name} holds {dtype}", name, dtype))
    _check_shape(name, shape, column.shape, lengths)
    start = file.tell()
    if math.prod(shape) * dtype.itemsize != len(content) - start:
        raise NpzError(Text("{name} does not have its stated size", name))
    if not math.prod(shape) or not dtype.itemsize:
        return np.zeros(shape, dtype)
    flat = np.frombuffer(content, dtype, offset=start).copy()
    return flat.reshape(shape, order="F" if is_fortran else "C")


def _check_shape(name: str, shape: tuple[int, ...], wanted: tuple[int | str, ...], lengths: dict[str, int]) -> None:
    if len(shape) != len(wanted) or len(shape) > MAX_RANK or min(shape, default=0) < 0:
        raise NpzError(Text("{name} has {count} dimensions", name, len(shape)))
    for length, asked in zip(shape, wanted, strict=True):
        known = asked if isinstance(asked, int) else lengths.setdefault(asked, length) if asked else length
        if length != known:
            raise NpzError(Text("{name} has length {length:,} instead of {known:,}", name, length, known))
