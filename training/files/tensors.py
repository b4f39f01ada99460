"""Loading safetensors files into torch, checked: a sound header, and finite numbers only."""

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from training.errors import UserError
from training.files.safetensors import COPY_AGAIN, read_header
from training.texts import Text

BLOCK = 1 << 20
"""Numbers that are looked at together."""


def load_tensors(path: Path, what: str = "weights") -> dict[str, Tensor]:
    """The tensors of a safetensors file, by name, on the CPU.

    Args:
        path: the file.
        what: the tensors are called so in the sentence.

    Raises:
        UserError: no sound safetensors file, or a number in it is not finite.
    """
    read_header(path)
    try:
        tensors: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError, ValueError, KeyError) as error:
        raise UserError(
            Text("{path} is not a readable safetensors file ({error}).", path, error), COPY_AGAIN
        ) from error
    for name, tensor in tensors.items():
        if not all_finite(tensor):
            raise UserError(
                "{path} cannot be used: the {what} {name} hold numbers that are not finite.",
                "Choose another file, or copy it again from its source.",
                path,
                Text(what),
                name,
            )
    return tensors


def all_finite(tensor: Tensor) -> bool:
    """Whether all numbers are finite, block by block: of a tensor larger than memory there is no room for a mask.

    Args:
        tensor: of any shape and type, contiguous.
    """
    return all(bool(torch.isfinite(block).all()) for block in torch.split(tensor.reshape(-1), BLOCK))
