"""Safetensors files without torch: what one announces (names, types, shapes), and its tensors as arrays; checked."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.inputs import regular_file
from training.texts import Text

Loaded = TypeVar("Loaded")
TYPES = frozenset({"BOOL", "U8", "I8", "I16", "F16", "BF16", "I32", "F32", "I64", "F64"})
"""Of numbers that this program reads."""
MAX_RANK = 8

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
    return (
        start[:4] in ZIP_STARTS
        or (start[:2] in PICKLE_STARTS and not is_length)
        or path.suffix.lower() in PICKLE_SUFFIXES
    )


def refuse_pickle(path: Path) -> None:
    """Raise `UserError` for a pickle."""
    if is_pickle(path):
        raise UserError(
            "{path} is a pickle, which can run code when it is loaded, so it is not opened.",
            "Give a model folder that holds model.safetensors.",
            path,
        )


def read_header(path: Path) -> Announced:
    """Check the header of a safetensors file.

    Raises:
        UserError: the file is a pickle, is cut off, or is no sound safetensors file.
    """
    from safetensors import SafetensorError, safe_open

    try:
        refuse_pickle(path)
        with safe_open(path, framework="np") as file:
            slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 - no dict
            shapes = {name: tuple(each.get_shape()) for name, each in slices.items()}
            for name, each in slices.items():
                if each.get_dtype() not in TYPES or len(shapes[name]) > MAX_RANK:
                    raise ValueError(Text("the tensor {name} has an unsupported type or shape", name))
            return Announced(shapes, file.metadata() or {})
    except (SafetensorError, ValueError) as error:
        raise UserError(Text("{path} is not a readable safetensors file: {error}.", path, error), COPY_AGAIN) from error
    except OSError as error:
        raise UserError(
            "{path} cannot be read ({reason}).", "Check the file.", path, error.strerror or error
        ) from error


def load_arrays(path: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors of a file, by name, as float32, but bytes as they are.

    Raises:
        UserError: no sound safetensors file, or a number in it is not finite.
    """
    from safetensors.numpy import load_file

    loaded = loaded_checked(path, load_file, lambda array: bool(np.isfinite(array).all()), "weights")
    return {name: array if array.dtype == np.uint8 else np.asarray(array, np.float32) for name, array in loaded.items()}


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
