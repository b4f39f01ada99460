"""Encoders of clips in weights files of VideoMAE's authors and of the transformers library."""

import re
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from training.errors import UserError
from training.models.clip_encoder import ClipEncoder
from training.models.weights_file import tables_of_file

CUBES = ("patch_embed.proj", "embeddings.patch_embeddings.projection")
"""Ends of the names of the layer that embeds cubes, after the encoder's prefix: of the authors, of transformers."""
BLOCK = re.compile(r"(?:blocks|encoder\.layer)\.(\d+)\.(.+)")
PARTS = {
    "norm1": "norm1",
    "layernorm_before": "norm1",
    "norm2": "norm2",
    "layernorm_after": "norm2",
    "attn.proj": "self_attn.out_proj",
    "attention.output.dense": "self_attn.out_proj",
    "mlp.fc1": "linear1",
    "intermediate.dense": "linear1",
    "mlp.fc2": "linear2",
    "output.dense": "linear2",
}
"""A layer of a block there -> its name here; queries, keys and values are put together."""
QKV = ("query", "key", "value")
NORMS = ("norm", "layernorm", "fc_norm")
"""Names of the last normalisation; a fine-tuned network has it behind the mean of the tokens (fc_norm)."""


def fill_clip_encoder(encoder: ClipEncoder, path: Path) -> None:
    """Put the encoder of a VideoMAE file into an encoder of the same sizes; decoder and classifier are left out.

    Args:
        path: safetensors, or a torch file that holds only tensors and plain values, pretrained or fine-tuned.

    Raises:
        UserError: no VideoMAE, more than tensors in the file, or an encoder of another size, which is named.
    """
    wanted = encoder.state_dict()
    for table in tables_of_file(path):
        for end in CUBES:
            prefix = next(
                (name.removesuffix(f"{end}.weight") for name in table if name.endswith(f"{end}.weight")), None
            )
            if prefix is not None:
                state = _state(
                    {name.removeprefix(prefix): table[name] for name in table if name.startswith(prefix)}, end
                )
                _check(state, wanted, path)
                encoder.load_state_dict(state)
                return
    raise UserError(
        "{name} holds no encoder of VideoMAE.",
        "Give a file of its authors or of transformers (safetensors, or .pth with tensors only).",
        path.name,
    )


def _state(table: Mapping[str, Tensor], cubes: str) -> dict[str, Tensor]:
    """The tensors under the names of `ClipEncoder`, float32."""
    convolution = table[f"{cubes}.weight"].float()  # (D, 3, frames, rows, columns)
    state = {
        "embed.weight": convolution.permute(0, 2, 3, 4, 1).flatten(1),
        "embed.bias": table[f"{cubes}.bias"].float(),
    }
    for norm in NORMS:
        for kind in ("weight", "bias"):
            if f"{norm}.{kind}" in table:
                state.setdefault(f"blocks.norm.{kind}", table[f"{norm}.{kind}"].float())
    attention: dict[str, dict[str, Tensor]] = {}
    for name, tensor in table.items():
        if (found := BLOCK.fullmatch(name)) is None:
            continue
        layer, kind = f"blocks.layers.{found[1]}", found[2].rpartition(".")[2]
        part = found[2].removesuffix(f".{kind}")
        if part in PARTS:
            state[f"{layer}.{PARTS[part]}.{kind}"] = tensor.float()
        else:
            attention.setdefault(layer, {})[found[2].removeprefix("attention.").removeprefix("attn.")] = tensor.float()
    for layer, parts in attention.items():
        state |= _attention(
            f"{layer}.self_attn", {name.removeprefix("attention."): each for name, each in parts.items()}
        )
    return state


def _attention(layer: str, parts: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights and biases of queries, keys and values; VideoMAE's keys have no bias."""
    separate = [parts[f"{name}.weight"] for name in QKV if f"{name}.weight" in parts]
    weight = parts["qkv.weight"] if "qkv.weight" in parts else torch.cat(separate or [torch.zeros(0, 0)])
    none = torch.zeros(len(weight) // 3)
    biases = [
        parts.get(f"{short}_bias", parts.get(f"{name}.bias", none)) for short, name in zip("qkv", QKV, strict=True)
    ]
    return {f"{layer}.in_proj_weight": weight, f"{layer}.in_proj_bias": parts.get("qkv.bias", torch.cat(biases))}


def _check(state: Mapping[str, Tensor], wanted: Mapping[str, Tensor], path: Path) -> None:
    """Raise `UserError` for the first tensor that is missing, of another shape or not finite."""
    more = next((name for name in state if name not in wanted), None)
    for name, tensor in wanted.items():
        if more is not None or name not in state or state[name].shape != tensor.shape:
            there = "missing" if name not in state else " x ".join(map(str, state[name].shape))
            raise UserError(
                "The encoder in {name} has other sizes: {tensor} is {there}, not {shape}.",
                "Set width, blocks, cube_size and cube_frames as those of the file.",
                path.name,
                more or name,
                "one more" if more else there,
                " x ".join(map(str, tensor.shape)),
            )
        if not bool(state[name].isfinite().all()):
            raise UserError("In {path} the weights {name} are not finite.", "Copy the file again.", path, name)
