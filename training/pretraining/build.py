"""From settings to the parts of a pretraining: memory bank and optimizer."""

from pathlib import Path

import torch

from training.losses.memory_bank import MemoryBank
from training.methods.bank_method import BankSettings
from training.methods.pgcon_heads import PriorPretrainer
from training.models.projection_head import Pretrainer
from training.pretraining.config import PretrainConfig
from training.pretraining.folder import PretrainFolder
from training.runs.checkpoint import KEPT, list_checkpoints
from training.runs.reporter import Reporter


def give_bank(network: Pretrainer, config: PretrainConfig, frames: int, folder: Path, reporter: Reporter) -> None:
    """Give the network of a method with a memory bank its bank: a row for each frame; nothing for other methods.

    Raises:
        UserError: the bank is to lie on disk, and there is no room for it and for its copies in checkpoints.
    """
    if not isinstance(network, PriorPretrainer) or not isinstance(config, BankSettings):
        return
    width = config.projection[-1]
    size = MemoryBank.nbytes(frames, width)
    is_large = size > config.bank_memory_gb * 1e9
    if is_large:
        reporter.log(f"The memory of {frames:,} frames takes {size / 1e9:.2g} GB and lies on disk, in the run folder.")
        reporter.log(f"Each checkpoint holds a copy of it; up to {KEPT + 1} of them lie in the run folder at a time.")
    network.bank = MemoryBank(
        frames,
        width,
        momentum=config.bank_momentum,
        start=config.bank_start,
        seed=config.seed,
        folder=folder if is_large else None,
        copies=copies_to_come(folder) if is_large else 0,
    )


def copies_to_come(folder: Path) -> int:
    """Checkpoints for which a run still needs room: those that stay and the one being written, less those there."""
    return KEPT + 1 - len(list_checkpoints(PretrainFolder(folder).checkpoints)[:KEPT])


def make_optimizer(network: Pretrainer, config: PretrainConfig) -> torch.optim.Optimizer:
    """One parameter group, trunk and head alike (Pascual et al. 2022: SGD without momentum)."""
    if config.optimizer == "sgd":
        return torch.optim.SGD(
            network.parameters(), config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay
        )
    return torch.optim.AdamW(network.parameters(), config.learning_rate, weight_decay=config.weight_decay)
