"""From settings to the parts of a pretraining: method, optimizer, augmentation."""

import torch

from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.models.projection_head import Pretrainer
from training.pretraining.config import PretrainConfig
from training.transforms.augment import Augmentation

Method = TimeTriplet | SimClr


def make_method(config: PretrainConfig, network: Pretrainer, autocast: torch.dtype | None) -> Method:
    """The method that the settings name."""
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
