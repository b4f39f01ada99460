"""Vision transformers of the library transformers: their tensors under timm's names."""

import re
from collections.abc import Mapping

import torch
from torch import Tensor

QUERY = "attention.attention.query."
"""In the names of every such file."""
_TIMM = {
    r"embeddings\.cls_token$": "cls_token",
    r"embeddings\.position_embeddings$": "pos_embed",
    r"embeddings\.patch_embeddings\.projection\.": "patch_embed.proj.",
    r"encoder\.layer\.": "blocks.",
    r"attention\.output\.dense\.": "attn.proj.",
    r"layernorm_before\.": "norm1.",
    r"layernorm_after\.": "norm2.",
    r"intermediate\.dense\.": "mlp.fc1.",
    r"(?<=\d\.)output\.dense\.": "mlp.fc2.",
    r"layer_scale(\d)\.lambda1$": r"ls\1.gamma",
    r"layernorm\.": "norm.",
}


def timm_names(table: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors under timm's names, whatever their prefix; query, key and value become one tensor (3F, ...).

    A table that is none of a vision transformer of transformers comes back as it is.
    """
    if not any(QUERY in name for name in table):
        return dict(table)
    renamed = {}
    for name, tensor in table.items():
        if QUERY in name:
            parts = [table.get(name.replace(".query.", f".{part}.")) for part in ("query", "key", "value")]
            tensor = torch.cat([part for part in parts if part is not None])
            name = name.replace(QUERY, "attn.qkv.")
        elif ".attention.attention." in name:
            continue
        for theirs, timms in _TIMM.items():
            name = re.sub(rf"(?:^|(?<=\.)){theirs}", timms, name)
        renamed[name] = tensor
    return renamed
