"""Weights kept along a pretraining, head included: what papers plot over the steps, and what finetuning starts from."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import nn

from training.errors import UserError
from training.files.outputs import written_beside

BANK = "bank."
"""Of a memory bank: it is as large as the data, and only checkpoints need it to go on."""


def keep_weights(folder: Path, step: int, network: nn.Module, header: Mapping[str, str]) -> Path:
    """Write `step-000000.safetensors` beside and rename.

    Raises:
        UserError: a weight is not a finite number (what was kept before stays the newest), or the disk is full.
    """
    path = folder / f"step-{step:06d}.safetensors"
    state = {
        name: tensor.detach().cpu().contiguous()
        for name, tensor in network.state_dict().items()
        if not name.startswith(BANK)
    }
    for name, tensor in state.items():
        if not bool(torch.isfinite(tensor).all()):
            raise UserError(
                f"The weights {name} stopped being finite numbers by step {step}, so they are not kept.",
                "Those kept before stay; start again with a lower learning_rate.",
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with written_beside(path) as beside:
            save_file(state, beside, {"step": str(step), **header})
    except (OSError, SafetensorError) as error:
        raise UserError(
            f"The weights {path} cannot be written ({error}).", "Free some space and resume the run."
        ) from error
    return path
