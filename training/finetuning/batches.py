"""Batches of a run, augmented and normalised; a function of seed and step."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets import frame_store, labelled_frames
from training.datasets.sampler import BalancedSampler, Deck, ProportionalSampler
from training.datasets.several_labels import OneLabelABatch, Sampler
from training.finetuning.config import FinetuneConfig
from training.models.network import FrameClassifier
from training.transforms.augment import Augmentation


def network_labels(store: frame_store.FrameStore, network: FrameClassifier) -> Tensor:
    """Labels (M,) int64 of the store's frames, as indices of the network's classes."""
    return torch.from_numpy(store.labelled.labels_among(network.config.classes))


def make_sampler(config: FinetuneConfig, frames: labelled_frames.LabelledFrames) -> Sampler:
    """The sampler that the settings choose; a batch has a frame with several labels as one of them only."""
    sampler = _sampler(config, frames)
    return OneLabelABatch(sampler, frames) if frames.has_several_labels else sampler


def _sampler(config: FinetuneConfig, frames: labelled_frames.LabelledFrames) -> Sampler:
    if config.sampling == "proportional":
        return ProportionalSampler(frames, config.batch_size, config.seed, config.least_per_class)
    return BalancedSampler(frames, config.batch_size, config.positive_share, config.seed)


class Batches:
    """Step -> normalised images (B, 3, S, S) float32 and labels (B,) on the device; without state between steps."""

    def __init__(
        self,
        store: frame_store.FrameStore,
        sampler: Sampler,
        augmentation: Augmentation,
        network: FrameClassifier,
        seed: int,
        rehearsed: "RehearsedFrames | None" = None,
    ) -> None:
        """`rehearsed`: frames without labels that are appended to each batch; see `Rehearsing` for their labels."""
        self._rehearsed = rehearsed
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
        generator = torch.Generator().manual_seed((self._seed << 32) + step)
        images, labels = self._images(self._store, rows, generator), self._labels[torch.from_numpy(rows)]
        if self._rehearsed is not None:
            more = self._rehearsed.batch(step)
            images = torch.cat([images, self._images(self._rehearsed.frames, more, generator)])
            labels = torch.cat([labels, torch.from_numpy(-1 - more)])
        return (images - self._mean) / self._std, labels.to(self._mean.device)

    def _images(self, store: frame_store.FrameStore, rows: NDArray[np.int64], generator: torch.Generator) -> Tensor:
        """Augmented frames (B, 3, S, S) on the device."""
        return self._augmentation(
            torch.from_numpy(store.pixels[rows]).to(self._mean.device),
            torch.from_numpy(store.is_round[rows]),
            generator,
            size=self._size,
            boxes=torch.from_numpy(store.boxes[rows]),
        )


class RehearsedFrames:
    """The frames without labels of each step: every one once before any comes again."""

    def __init__(self, frames: frame_store.FrameStore, config: FinetuneConfig) -> None:
        self.frames = frames
        self._count = max(1, round(config.batch_size * config.rehearsal_share))
        self._deck = Deck(np.arange(len(frames), dtype=np.int64), (config.seed, 9))

    def batch(self, step: int) -> NDArray[np.int64]:
        """(R,) indices of the frames of one step; depends on the step only."""
        return self._deck.take(step * self._count, self._count)
