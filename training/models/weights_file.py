"""Weights files of other programs: which of their tensors are a trunk's, whatever their names are prefixed with.

Pickles are read with `weights_only`: torch then makes tensors and plain containers, and runs no code of the file.
"""

import argparse
import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from training.errors import UserError
from training.files import safetensors
from training.files.tensors import all_finite, load_tensors
from training.models.backbones import find_backbone
from training.models.transformers_names import timm_names
from training.texts import Text

NESTED = ("state_dict", "model", "teacher", "student", "net", "network", "backbone")
"""Where checkpoints keep their tensors, in the order in which a table of equal worth is preferred."""
PREFERRED = ("trunk", "backbone", "encoder_q", "teacher", "student", "module")
"""Parts of a prefix, likewise: of a momentum encoder and the trained one (MoCo) the trained one, of student and teacher
(DINO) the teacher, as their authors evaluate."""


class Match(NamedTuple):
    """The trunk's weights in a file."""

    state: dict[str, Tensor]
    """Under the trunk's names; floats are float32."""
    prefix: str
    """Of their names in the file."""
    unused: tuple[str, ...]
    """Names of the file's other tensors."""

    def sentence(self, path: Path) -> Text:
        """What of the file is used and what is not."""
        names_inside = (name.removeprefix(self.prefix).removeprefix("module.") for name in self.unused)
        parts = sorted({name.partition(".")[0] for name in names_inside})
        names = ", ".join(parts[:6]) + (" …" if len(parts) > 6 else "")
        return Text(
            "{file}: {count} tensors are the backbone's (names begin with “{prefix}”); not used: {unused}.",
            path.name,
            len(self.state),
            self.prefix,
            names or Text("none"),
        )


def trunk_weights(path: Path, backbone: str) -> Match:
    """The weights of a backbone in a file: safetensors, or a pickle of tensors (.pth, .pt, .ckpt).

    Files of torchvision, timm, transformers (vision transformers), MoCo, DINO and lightly are understood, and every
    other one in which the trunk's tensors have those names behind some prefix. Of several such prefixes the one with
    the most tensors counts, then `NESTED` and `PREFERRED`.

    Raises:
        UserError: the file holds more than tensors and plain values, a number is not finite, or a weight of the
            backbone is missing or of another shape; the sentence names it and what the file has.
    """
    entry = find_backbone(backbone)
    wanted = {name: tensor.shape for name, tensor in entry.make_trunk().state_dict().items()}
    best: tuple[int, int, int] | None = None
    match = Match({}, "", ())
    names: list[str] = []
    for place, table in enumerate(map(timm_names, tables_of_file(path))):
        names += table
        for prefix in _prefixes(table):
            part = {name.removeprefix(prefix): tensor for name, tensor in table.items() if name.startswith(prefix)}
            state = {**part, **entry.trunk_state(part)}
            fitting = {name: state[name] for name in wanted if name in state and state[name].shape == wanted[name]}
            rank = (len(fitting), -place, -_preference(prefix))
            if fitting and (best is None or rank > best):
                used = {id(tensor) for tensor in fitting.values()}
                best = rank
                match = Match(fitting, prefix, tuple(n for n, tensor in table.items() if id(tensor) not in used))
    counters = [name for name in wanted if name not in match.state and name.endswith("num_batches_tracked")]
    missing = [name for name in wanted if name not in match.state and name not in counters]
    if missing:
        raise UserError(
            "{source} does not fit a {backbone}: the weights {name} are missing or of another shape "
            "({missing} of {count}).",
            "Choose the backbone that the weights belong to (--set backbone=timm:NAME). The file has {names}.",
            path,
            backbone,
            missing[0],
            len(missing),
            len(wanted),
            ", ".join(names[:4]) + " …",
        )
    for name, tensor in match.state.items():
        if tensor.is_floating_point() and not all_finite(tensor):
            raise UserError("In {path} the weights {name} are not finite.", safetensors.COPY_AGAIN, path, name)
    state = {name: tensor.float() if tensor.is_floating_point() else tensor for name, tensor in match.state.items()}
    return match._replace(state={**state, **{name: torch.zeros((), dtype=torch.int64) for name in counters}})


def tables_of_file(path: Path) -> Iterator[dict[str, Tensor]]:
    """The tables of tensors in a file, outermost first; raises `UserError` where it holds more than plain values."""
    content = load_tensors(path) if not safetensors.is_pickle(path) else _unpickled(path)
    yield from _tables_in(content)


def _tables_in(content: object) -> Iterator[dict[str, Tensor]]:
    if not isinstance(content, Mapping):
        return
    table = {name: value for name, value in content.items() if isinstance(name, str) and isinstance(value, Tensor)}
    if table:
        yield table
    for name in NESTED:
        yield from _tables_in(content.get(name))


def _unpickled(path: Path) -> Any:
    try:
        with torch.serialization.safe_globals([argparse.Namespace]):  # the options in checkpoints of DINO
            return torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise UserError(
            "{file} holds more than tensors, so it is not opened.",
            "Save its state_dict alone, or as safetensors.",
            path,
        ) from error


def _prefixes(table: Mapping[str, Tensor]) -> list[str]:
    """All beginnings of names that end in a dot, and none."""
    parts = [name.split(".") for name in table]
    return list(dict.fromkeys(["", *(".".join(p[:k]) + "." for p in parts for k in range(1, min(len(p), 5)))]))


def _preference(prefix: str) -> int:
    """Lower is better."""
    parts = [part.removesuffix("_backbone") for part in prefix.split(".")]  # lightly: teacher_backbone
    places = [PREFERRED.index(part) for part in parts if part in PREFERRED]
    return min(places, default=0 if not prefix else len(PREFERRED))
