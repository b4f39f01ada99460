"""Loading safetensors files into torch, checked: a sound header, and finite numbers only."""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from training.files.safetensors import loaded_checked

BLOCK = 1 << 20
"""Numbers that are looked at together."""


def load_tensors(path: Path, what: str = "weights") -> dict[str, Tensor]:
    """The tensors of a safetensors file, by name, on the CPU.

    Raises:
        UserError: no sound safetensors file, or a number in it is not finite.
    """
    return loaded_checked(path, load_file, all_finite, what)


def all_finite(tensor: Tensor) -> bool:
    """Whether all numbers are finite, block by block: of a tensor larger than memory there is no room for a mask."""
    return all(bool(torch.isfinite(block).all()) for block in torch.split(tensor.reshape(-1), BLOCK))
