"""Weights kept during a pretraining, including the head: for plots over the steps and for fine-tuning."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import nn

from training.errors import UserError
from training.files.outputs import written_beside

BANK = "bank."
"""Prefix of a memory bank, which only checkpoints contain: it is large, and needed only to resume."""


def keep_weights(folder: Path, step: int, network: nn.Module, header: Mapping[str, str]) -> Path:
    """Write `step-000000.safetensors` atomically.

    Raises:
        UserError: a weight is not finite (earlier files are kept), or the disk is full.
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
                f"The weights {name} are not finite at step {step} and were not saved.",
                "Earlier weights are kept; start again with a lower learning_rate.",
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with written_beside(path) as beside:
            save_file(state, beside, {"step": str(step), **header})
    except (OSError, SafetensorError) as error:
        raise UserError(
            f"The weights {path} cannot be written ({error}).", "Free some disk space and resume the run."
        ) from error
    return path
