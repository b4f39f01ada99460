"""Memory bank and optimizer of a pretraining, and the number of steps that fit into the given minutes."""

from pathlib import Path

import torch
from torch import nn

from training.losses.memory_bank import MemoryBank
from training.methods.bank_method import BankSettings
from training.methods.pgcon_heads import PriorPretrainer
from training.pretraining.config import PretrainConfig
from training.pretraining.folder import PretrainFolder
from training.runs.checkpoint import KEPT, list_checkpoints
from training.runs.reporter import Reporter
from training.texts import Text


def add_bank(network: nn.Module, config: PretrainConfig, frames: int, folder: Path, reporter: Reporter) -> None:
    """Add a memory bank with a row for each frame to the network, if its method has one.

    Raises:
        UserError: the disk has no space for a bank on disk and for its copies in checkpoints.
    """
    if not isinstance(network, PriorPretrainer) or not isinstance(config, BankSettings):
        return
    width = config.projection[-1]
    size = MemoryBank.nbytes(frames, width)
    is_large = size > config.bank_memory_gb * 1e9
    if is_large:
        reporter.log(
            Text(
                "The memory bank of {frames:,} frames takes {size:.2g} GB and is stored in the run folder.",
                frames,
                size / 1e9,
            )
        )
        reporter.log(Text("Each checkpoint contains a copy; there are up to {kept} at a time.", KEPT + 1))
    network.bank = MemoryBank(
        frames,
        width,
        momentum=config.bank_momentum,
        start=config.bank_start,
        seed=config.seed,
        folder=folder if is_large else None,
        copies=checkpoints_to_come(folder) if is_large else 0,
    )


def checkpoints_to_come(folder: Path) -> int:
    """Number of checkpoints that still need disk space, including the one being written."""
    return KEPT + 1 - len(list_checkpoints(PretrainFolder(folder).checkpoints)[:KEPT])


def make_optimizer(network: nn.Module, config: PretrainConfig) -> torch.optim.Optimizer:
    """One parameter group for all weights that are trained (Pascual et al. 2022: SGD without momentum, L2 of 1e-4).

    The paper does not say which weights L2 is for: all of them here (ours).
    """
    weights = [weight for weight in network.parameters() if weight.requires_grad]
    if config.optimizer == "sgd":
        return torch.optim.SGD(
            weights, config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay
        )
    kind = torch.optim.Adam if config.optimizer == "adam" else torch.optim.AdamW
    return kind(weights, config.learning_rate, config.method_class.betas, weight_decay=config.weight_decay)


FEWEST_STEPS = 20


def fit_into_minutes(config: PretrainConfig, seconds: float) -> PretrainConfig:
    """The settings with the steps that fit; the learning rate falls at the same shares of the run."""
    steps = min(config.steps, max(FEWEST_STEPS, int(config.minutes * 60 / seconds)))
    step_every = max(1, round(config.step_every * steps / config.steps))
    return config.model_copy(update={"steps": steps, "step_every": step_every, "minutes": 0.0, "epochs": 0.0})
