"""Batches of a pretraining: frames read, augmented and normalised; a function of the seed and the step alone."""

from collections.abc import Callable

import torch
from torch import Tensor

from training.datasets.sequence_feed import SequenceBatch
from training.models.projection_head import Pretrainer
from training.transforms.augment import Augmentation


class PretrainBatches:
    """Step -> images (B, 3, S, S) float32, normalised, and pseudo-labels (B,) int64, on the device.

    A method that wants two views of each frame gets (2B, 3, S, S): all first views, then all second ones.
    """

    def __init__(
        self,
        feed: Callable[[int], SequenceBatch],
        augmentation: Augmentation,
        network: Pretrainer,
        seed: int,
        views: int = 1,
    ) -> None:
        self._feed, self._augmentation, self._network = feed, augmentation, network
        self._seed, self._views = seed, views

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """The batch of one step (0-based)."""
        read = self._feed(step)
        generator = torch.Generator().manual_seed((self._seed << 32) + step)
        views = [self._augmentation(read.frames, read.is_round, generator) for _ in range(self._views)]
        images = (torch.cat(views) - self._network.mean) / self._network.std
        return images, read.labels.repeat(self._views)
