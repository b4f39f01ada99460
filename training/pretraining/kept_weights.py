"""Weights kept during a pretraining, including the head: for plots over the steps and for fine-tuning."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import nn

from training.errors import UserError, reason_of
from training.files.outputs import written_beside

TO_RESUME = ("bank.", "key.", "queue.")
"""Prefixes of what only checkpoints contain, because it is large and needed only to resume: a memory bank, a momentum
encoder, a queue of keys."""


def keep_weights(folder: Path, step: int, network: nn.Module, header: Mapping[str, str]) -> Path:
    """Write `step-000000.safetensors` atomically.

    Raises:
        UserError: a weight is not finite (earlier files are kept), or the disk is full.
    """
    path = folder / f"step-{step:06d}.safetensors"
    state = {
        name: tensor.detach().cpu().contiguous()
        for name, tensor in network.state_dict().items()
        if not name.startswith(TO_RESUME)
    }
    for name, tensor in state.items():
        if not bool(torch.isfinite(tensor).all()):
            raise UserError(
                "The weights {name} are not finite at step {step} and were not saved.",
                "Earlier weights are kept; start again with a lower learning_rate.",
                name,
                step,
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with written_beside(path) as beside:
            save_file(state, beside, {"step": str(step), **header})
    except (OSError, SafetensorError) as error:
        raise UserError(
            "The weights {path} cannot be written ({reason}).",
            "Free some disk space and resume the run.",
            path,
            reason_of(error),
        ) from error
    return path
