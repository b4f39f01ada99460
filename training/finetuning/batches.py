"""Batches of a run, augmented and normalised; a function of seed and step."""

from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets.frame_store import FrameStore
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.sampler import BalancedSampler, ProportionalSampler
from training.finetuning.config import FinetuneConfig
from training.models.network import FrameClassifier
from training.transforms.augment import Augmentation


def network_labels(store: FrameStore, network: FrameClassifier) -> Tensor:
    """Labels (M,) int64 of the store's frames, as indices of the network's classes."""
    return torch.from_numpy(store.labelled.labels_among(network.config.classes))


class Sampler(Protocol):
    """Chooses the frames of each step."""

    def batch(self, step: int) -> NDArray[np.int64]:
        """(B,) indices of the frames of one step; depends on the step only."""

    def epoch_steps(self, epochs: float) -> int:
        """Number of steps in `epochs` epochs."""


def make_sampler(config: FinetuneConfig, frames: LabelledFrames) -> Sampler:
    """The sampler that the settings choose."""
    if config.sampling == "proportional":
        return ProportionalSampler(frames, config.batch_size, config.seed, config.least_per_class)
    return BalancedSampler(frames, config.batch_size, config.positive_share, config.seed)


class Batches:
    """Step -> normalised images (B, 3, S, S) float32 and labels (B,) on the device; without state between steps."""

    def __init__(
        self,
        store: FrameStore,
        sampler: Sampler,
        augmentation: Augmentation,
        network: FrameClassifier,
        seed: int,
    ) -> None:
        self._store = store
        self.sampler = sampler
        self._augmentation = augmentation
        self._seed = seed
        self._mean, self._std = network.mean, network.std
        self._size = network.config.input_size
        self._labels = network_labels(store, network)

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """The batch of one step (0-based)."""
        rows = self.sampler.batch(step)
        device = self._mean.device
        frames = torch.from_numpy(self._store.pixels[rows]).to(device)
        generator = torch.Generator().manual_seed((self._seed << 32) + step)
        images = self._augmentation(
            frames,
            torch.from_numpy(self._store.is_round[rows]),
            generator,
            size=self._size,
            boxes=torch.from_numpy(self._store.boxes[rows]),
        )
        return (images - self._mean) / self._std, self._labels[torch.from_numpy(rows)].to(device)
