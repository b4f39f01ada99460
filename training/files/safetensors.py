"""Safetensors files without torch: what one announces (names, types, shapes), and its tensors as arrays; checked."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.inputs import regular_file
from training.files.json_text import parse_json
from training.texts import Text

# A header is a few kilobytes for a ResNet; the format itself allows 100 MB, which nobody writes.
MAX_HEADER_BYTES = 16 * 1024 * 1024
MAX_TENSORS = 100_000
MAX_RANK = 8
Loaded = TypeVar("Loaded")
METADATA = "__metadata__"
ITEM_BYTES = {"BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "F16": 2, "BF16": 2, "I32": 4, "F32": 4, "I64": 8, "F64": 8}
"""Bytes of one number of each type that this program reads."""

ZIP_STARTS = (b"PK\x03\x04",)
PICKLE_STARTS = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
PICKLE_SUFFIXES = frozenset({".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin"})
COPY_AGAIN = "Copy the file again from its source."


class Announced(NamedTuple):
    """The header of a file; its tensors fill the rest of the file without gaps."""

    shapes: dict[str, tuple[int, ...]]
    """By name."""
    metadata: dict[str, str]


def is_pickle(path: Path) -> bool:
    """True where the file's first bytes (or its name) say that it is a pickle or torch's zip of pickles."""
    with regular_file(path, "weights file").open("rb") as file:
        start = file.read(8)
    # A safetensors file begins with the length of its header, whose lowest bytes may be those of a pickle's start.
    is_length = len(start) == 8 and start[3:] == bytes(5)
    return start[:4] in ZIP_STARTS or (start[:2] in PICKLE_STARTS and not is_length) or _has_pickle_name(path)


def _has_pickle_name(path: Path) -> bool:
    return path.suffix.lower() in PICKLE_SUFFIXES


def read_header(path: Path) -> Announced:
    """Check the header of a safetensors file.

    Raises:
        UserError: the file is a pickle, is cut off, or is no sound safetensors file.
    """
    try:
        if is_pickle(path):
            raise UserError(
                "{path} is a pickle, which can run code when it is loaded, so it is not opened.",
                "Give a model folder that holds model.safetensors.",
                path,
            )
        return _parsed(_text(path), path.stat().st_size)
    except ValueError as error:
        raise UserError(Text("{path} is not a readable safetensors file: {error}.", path, error), COPY_AGAIN) from error
    except OSError as error:
        raise UserError(
            "{path} cannot be read ({reason}).", "Check the file.", path, error.strerror or error
        ) from error


def load_arrays(path: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors of a file, by name, as float32.

    Raises:
        UserError: no sound safetensors file, or a number in it is not finite.
    """
    from safetensors.numpy import load_file

    loaded = loaded_checked(path, load_file, lambda array: bool(np.isfinite(array).all()), "weights")
    return {name: np.asarray(array, np.float32) for name, array in loaded.items()}


def loaded_checked(
    path: Path, load: Callable[[Path], dict[str, Loaded]], is_finite: Callable[[Loaded], bool], what: str
) -> dict[str, Loaded]:
    """What a library loads of a sound file, by name; `what` is what the sentence calls the tensors.

    Raises:
        UserError: no sound safetensors file, or a number in it is not finite.
    """
    from safetensors import SafetensorError

    read_header(path)
    try:
        tensors = load(path)
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            Text("{path} is not a readable safetensors file ({error}).", path, error), COPY_AGAIN
        ) from error
    for name, tensor in tensors.items():
        if not is_finite(tensor):
            raise UserError(
                "{path} cannot be used: the {what} {name} hold numbers that are not finite.",
                "Choose another file, or copy it again from its source.",
                path,
                Text(what),
                name,
            )
    return tensors


def _text(path: Path) -> bytes:
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(MAX_HEADER_BYTES, path.stat().st_size - 8):
            raise ValueError("the length of its header is wrong")
        return file.read(length)


def _parsed(text: bytes, file_bytes: int) -> Announced:
    header = parse_json(text)
    if not isinstance(header, dict):
        raise ValueError("its header is not a JSON object")
    metadata = header.pop(METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError("its metadata are not text")
    if len(header) > MAX_TENSORS:
        raise ValueError("it has too many tensors")
    end, shapes = 0, {}
    for start, stop, name, shape in sorted(_place(name, entry) for name, entry in header.items()):
        if start != end:
            raise ValueError(Text("the tensor {name} does not start where the previous one ends", name))
        end, shapes[name] = stop, shape
    if 8 + len(text) + end != file_bytes:
        raise ValueError("its size does not match its header")
    return Announced(shapes, metadata)


def _place(name: str, entry: Any) -> tuple[int, int, str, tuple[int, ...]]:
    """First and last byte (exclusive), name and shape of one tensor."""
    wrong = ValueError(Text("the tensor {name} is described wrongly", name))
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise wrong
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in ITEM_BYTES:
        raise ValueError(Text("the tensor {name} has an unsupported type", name))
    if not _are_sizes(shape) or not _are_sizes(offsets) or len(shape) > MAX_RANK or len(offsets) != 2:
        raise wrong
    if offsets[1] - offsets[0] != math.prod(shape) * ITEM_BYTES[kind]:
        raise ValueError(Text("the tensor {name} does not have the size of its shape", name))
    return offsets[0], offsets[1], name, tuple(shape)


def _are_sizes(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 2**48 for value in values)
