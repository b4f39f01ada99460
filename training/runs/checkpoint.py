"""Checkpoints without pickles: weights and optimizer state as safetensors, the step and the numbers in the header."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn

from training.errors import UserError, writing
from training.files import json_text, outputs
from training.files.safetensors import read_header
from training.files.tensors import all_finite, load_tensors
from training.texts import Text

KEPT = 2
"""The newest so many checkpoints stay: should one turn out damaged, there is the one before."""
_NAME = re.compile(r"step-(\d{6,})\.safetensors")


@dataclass(frozen=True)
class Checkpoint:
    """A complete checkpoint on disk: both files are there and readable."""

    step: int
    """Steps that were done."""
    weights: Path
    optimizer: Path

    def header(self) -> dict[str, str]:
        """What was written beside the weights."""
        return read_header(self.weights).metadata

    def state(self) -> dict[str, Tensor]:
        """The network's tensors, on the CPU; raises `UserError` where a number is not finite."""
        return load_tensors(self.weights)


def save_checkpoint(
    folder: Path, step: int, network: nn.Module, optimizer: torch.optim.Optimizer, header: Mapping[str, str]
) -> Checkpoint:
    """Write beside and rename, weights last: a checkpoint whose weights are there is complete. Older ones go.

    Tensors that lie on disk (a memory bank) are read and written page by page: no copy of them is made in memory.

    Raises:
        UserError: a weight is not a finite number (the checkpoint before stays), or the disk is full.
    """
    state = finite_state(network, step)
    folder.mkdir(parents=True, exist_ok=True)
    for half in folder.glob(".step-*.partial-*"):  # of a process that was killed while it wrote
        half.unlink()
    tensors, numbers = flatten_optimizer(optimizer.state_dict())
    weights = folder / f"step-{step:06d}.safetensors"
    result = Checkpoint(step, weights, weights.with_suffix(".optimizer.safetensors"))
    write_tensors(result.optimizer, tensors, {"step": str(step), "numbers": json.dumps(numbers)})
    write_tensors(result.weights, state, {"step": str(step), **header})
    for old in list_checkpoints(folder)[KEPT:]:
        old.weights.unlink()
        old.optimizer.unlink()
    return result


def finite_state(network: nn.Module, step: int, without: tuple[str, ...] = ()) -> dict[str, Tensor]:
    """The tensors of a network after so many steps, but those whose names begin with one of `without`.

    Raises:
        UserError: a number is not finite.
    """
    state = {name: tensor for name, tensor in state_of(network).items() if not name.startswith(without)}
    for name, tensor in state.items():
        if not all_finite(tensor):
            raise UserError(
                "The weights {name} are not finite at step {step} and were not saved.",
                "Earlier weights are kept; start again with a lower learning_rate.",
                name,
                step,
            )
    return state


def state_of(network: nn.Module) -> dict[str, Tensor]:
    """The tensors of a network as they are written, on the CPU."""
    return {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}


def list_checkpoints(folder: Path) -> list[Checkpoint]:
    """Complete checkpoints of a folder, newest first; a damaged one is passed over."""
    result = []
    for path in folder.glob("step-*.safetensors") if folder.is_dir() else ():
        match = _NAME.fullmatch(path.name)
        if match is None:
            continue
        checkpoint = Checkpoint(int(match[1]), path, path.with_suffix(".optimizer.safetensors"))
        if _is_readable(checkpoint.weights) and _is_readable(checkpoint.optimizer):
            result.append(checkpoint)
    return sorted(result, key=lambda checkpoint: -checkpoint.step)


def restore(checkpoint: Checkpoint, network: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Put network and optimizer back where they were; raises `UserError` for another architecture."""
    state = checkpoint.state()
    wanted = network.state_dict()
    for name in sorted(wanted.keys() | state.keys()):
        if name not in wanted or name not in state or wanted[name].shape != state[name].shape:
            raise UserError(
                "The checkpoint {weights} belongs to another architecture: {name} does not fit.",
                "Start a new run.",
                checkpoint.weights,
                name,
            )
    network.load_state_dict(state)
    tensors = load_tensors(checkpoint.optimizer, "optimizer state")
    try:
        kept = unflatten_optimizer(tensors, json_text.parse_json(read_header(checkpoint.optimizer).metadata["numbers"]))
        _check_optimizer(kept, optimizer)
        optimizer.load_state_dict(kept)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise UserError(
            "The checkpoint {path} does not hold the state of this run's optimizer.",
            "Start a new run.",
            checkpoint.optimizer,
        ) from error


def _check_optimizer(state: Mapping[str, Any], optimizer: torch.optim.Optimizer) -> None:
    """Raises `ValueError` where a later step would fail: other settings, or tensors of another shape."""
    mine = optimizer.state_dict()["param_groups"]
    for theirs, group in zip(state["param_groups"], mine, strict=True):
        if theirs.keys() != group.keys() or theirs["params"] != group["params"]:
            raise ValueError("other parameters")
        if any(_kind(theirs[name]) != _kind(value) for name, value in group.items()):
            raise ValueError("settings of another type")
    shapes = [parameter.shape for group in optimizer.param_groups for parameter in group["params"]]
    for index, entries in state["state"].items():
        if any(isinstance(entry, Tensor) and entry.ndim and entry.shape != shapes[index] for entry in entries.values()):
            raise ValueError("tensors of another shape")


def _kind(value: Any) -> str:
    """What JSON keeps apart; a tuple comes back as a list."""
    if isinstance(value, list | tuple):
        return Text("list of {value}", [_kind(part) for part in value])
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def flatten_optimizer(state: Mapping[str, Any]) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """An optimizer's state as named tensors ("3.exp_avg") and JSON numbers."""
    tensors: dict[str, Tensor] = {}
    scalars: dict[str, dict[str, Any]] = {}
    for index, entries in state["state"].items():
        for name, value in entries.items():
            if isinstance(value, Tensor):
                tensors[f"{index}.{name}"] = value.detach().cpu().contiguous()
            else:
                scalars.setdefault(str(index), {})[name] = value
    return tensors, {"param_groups": state["param_groups"], "scalars": scalars}


def unflatten_optimizer(tensors: Mapping[str, Tensor], numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The inverse of `flatten_optimizer`."""
    state: dict[int, dict[str, Any]] = {}
    for key, tensor in tensors.items():
        index, name = key.split(".", 1)
        state.setdefault(int(index), {})[name] = tensor
    for index, entries in numbers["scalars"].items():
        state.setdefault(int(index), {}).update(entries)
    return {"state": state, "param_groups": numbers["param_groups"]}


def write_tensors(path: Path, tensors: dict[str, Tensor], header: Mapping[str, str]) -> None:
    """Write a file of a checkpoint beside and rename it; raises `UserError` if the disk is full."""
    with writing(path, SafetensorError, is_run=True), outputs.written_beside(path) as beside:
        save_file(tensors, beside, dict(header))


def _is_readable(path: Path) -> bool:
    try:
        read_header(path)
    except UserError:
        return False
    return True
