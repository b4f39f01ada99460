"""From settings to the parts of a pretraining: method, memory bank, optimizer, augmentation, batches."""

from collections.abc import Callable
from pathlib import Path

import torch

from training.datasets.sequence_feed import SequenceBatch
from training.losses.memory_bank import MemoryBank
from training.methods import pgcon, pirl, wincon
from training.methods.bank_method import BankMethod
from training.methods.pgcon_heads import PriorPretrainer
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.models.projection_head import Pretrainer
from training.pretraining.batches import PretrainBatches
from training.pretraining.config import PretrainConfig
from training.pretraining.folder import PretrainFolder
from training.pretraining.frame_rows import FrameRows
from training.pretraining.view_batches import ViewBatches
from training.pretraining.view_making import view_layout
from training.runs.checkpoint import KEPT, list_checkpoints
from training.runs.reporter import Reporter
from training.transforms.augment import Augmentation

Method = TimeTriplet | SimClr | BankMethod
BANK_METHODS: dict[str, type[BankMethod]] = {pgcon.NAME: pgcon.PgCon, wincon.NAME: wincon.WinCon, pirl.NAME: pirl.Pirl}


def make_method(config: PretrainConfig, network: Pretrainer, autocast: torch.dtype | None) -> Method:
    """The method that the settings name; the network of one with a bank has one already, see `give_bank`."""
    if isinstance(network, PriorPretrainer):
        return BANK_METHODS[config.method](
            network,
            view_layout(config),
            temperature=config.temperature,
            weights=(config.memory_weight, config.view_weight),
            autocast=autocast,
        )
    if config.method == "simclr":
        return SimClr(network, temperature=config.temperature, gather=config.gather, autocast=autocast)
    return TimeTriplet(
        network,
        margin=config.margin,
        window=config.window,
        reduction=config.reduction,
        gather=config.gather,
        autocast=autocast,
    )


def give_bank(network: Pretrainer, config: PretrainConfig, frames: int, folder: Path, reporter: Reporter) -> None:
    """Give the network of a method with a memory bank its bank: a row for each frame; nothing for other methods.

    Raises:
        UserError: the bank is to lie on disk, and there is no room for it and for its copies in checkpoints.
    """
    if not isinstance(network, PriorPretrainer):
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


def make_batches(
    config: PretrainConfig,
    feed: Callable[[int], SequenceBatch],
    network: Pretrainer,
    rows: FrameRows,
    method: Method,
    seed: int,
) -> PretrainBatches | ViewBatches:
    """What makes the method's batches of the frames that are read."""
    if isinstance(method, BankMethod):
        return ViewBatches(feed, config, network, rows, seed)
    return PretrainBatches(feed, make_augmentation(config), network, seed, method.views)


def make_optimizer(network: Pretrainer, config: PretrainConfig) -> torch.optim.Optimizer:
    """One parameter group, trunk and head alike (Pascual et al. 2022: SGD without momentum)."""
    if config.optimizer == "sgd":
        return torch.optim.SGD(
            network.parameters(), config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay
        )
    return torch.optim.AdamW(network.parameters(), config.learning_rate, weight_decay=config.weight_decay)


def make_augmentation(config: PretrainConfig) -> Augmentation:
    """The augmentation that the settings describe."""
    return Augmentation(
        rotations=config.rotations,
        flips=config.flips,
        zoom=config.zoom,
        brightness=config.brightness,
        contrast=config.contrast,
        saturation=config.saturation,
        hue=config.hue,
        grey=config.grey,
        round_mask=config.round_mask,
        white_balance=0.0,  # not in the paper
    )
